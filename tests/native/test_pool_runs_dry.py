"""What happens if a chat is promised too little: an edited server runs out of pages and says so.

Readers of the lesson make this edit: promise the pages of the prompt only. The source is changed as text,
as they would change it, and run as a module of its own.
"""

import re
from importlib.resources import files
from types import FrameType, ModuleType

import pytest

from tests.native.cases import ends_of, pages_needed
from tinyserve import Run, chats

RATE, PAGES, LIMIT = 40, 240, 16
PROMISE = "pages_for(prompt + reply)"
PROMPT_ONLY = "pages_for(prompt)"


def edited_server() -> ModuleType:
    """The program, with the one line changed in which a chat's promise is computed."""
    source = (files("tinyserve") / "tiny_server.py").read_text(encoding="utf-8")
    assert source.count(PROMISE) == 1, "a promise is computed in one line"
    module = ModuleType("edited_server")
    exec(compile(source.replace(PROMISE, PROMPT_ONLY), "edited_server.py", "exec"), vars(module))
    return module


def run_of(error: BaseException) -> Run:
    """The run as far as it came, from the frame of `serve` in which the error was raised."""
    frames: list[FrameType] = []
    trace = error.__traceback__
    while trace:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    assert frames[-1].f_code.co_name == "serve"
    run: Run = frames[-1].f_locals["run"]
    return run


@pytest.fixture(scope="module")
def dry() -> tuple[str, Run]:
    """The message of the error, and the run up to it."""
    with pytest.raises(RuntimeError) as raised:
        edited_server().serve(chats(), RATE, PAGES, LIMIT)
    return str(raised.value), run_of(raised.value)


def test_taking_a_page_from_an_empty_pool_says_when_who_and_how_many_it_holds_of_how_many(
    dry: tuple[str, Run],
) -> None:
    message, run = dry
    chat = int(re.findall(r"\bchat (\d+)\b", message)[0])
    words_before = len(run.start_s) - run.joined_step[chat]  # of the steps that are complete
    tokens = chats().prompts[chat] + words_before
    assert pages_needed(tokens + 1) > len(run.page_table[chat])  # it does need one more
    assert (
        f"{ends_of(run)[-1]:.3f} s" in message
    )  # the step in which it happens begins where the last one ended
    rest = message.replace(f"chat {chat}", "").replace(f"{ends_of(run)[-1]:.3f} s", "")
    numbers = [int(number) for number in re.findall(r"\d+", rest)]
    assert len(run.page_table[chat]) in numbers
    assert PAGES in numbers


def test_owed_pages_go_negative_before_the_pool_runs_dry(dry: tuple[str, Run]) -> None:
    _, run = dry
    assert min(run.owed) < 0


def test_up_to_then_no_more_pages_are_held_than_there_are(dry: tuple[str, Run]) -> None:
    _, run = dry
    assert max(run.held) <= PAGES
    assert len(run.start_s) == len(run.held) > 0
