"""What several tests share: settings to serve, random ones among them, and a Run taken apart step by step."""

import json
from importlib.resources import files
from typing import Any, NamedTuple

from hypothesis import strategies as st

from tests.reference.plain_server import (
    PlainRun,
    PlainStep,
    Snapshot,
    sending_times,
    serve_plainly,
    step_time,
)
from tinyserve import Run, Workload, serve

PAGE_TOKENS = 16
PUBLISHED: dict[str, Any] = json.loads((files("tinyserve") / "published.json").read_text(encoding="utf-8"))


def pages_needed(tokens: int) -> int:
    """Pages of 16 tokens that hold so many tokens."""
    return -(-tokens // PAGE_TOKENS)


class Case(NamedTuple):
    """Chats and the settings at which they are served."""

    gaps: list[float]
    prompts: list[int]
    replies: list[int]
    rate: float
    pages: int
    limit: int

    @property
    def workload(self) -> Workload:
        """The chats as the program takes them."""
        return Workload(self.gaps, self.prompts, self.replies)

    @property
    def sent(self) -> list[float]:
        """Seconds at which each chat is sent, by the reference."""
        return sending_times(self.gaps, self.rate)

    @property
    def needs(self) -> list[int]:
        """Pages of each chat's whole life."""
        return [
            pages_needed(prompt + reply) for prompt, reply in zip(self.prompts, self.replies, strict=True)
        ]


def case_of(workload: Workload, rate: float, pages: int, limit: int) -> Case:
    """Settings for a workload of the program."""
    return Case(list(workload.gaps), list(workload.prompts), list(workload.replies), rate, pages, limit)


def run_ours(case: Case) -> Run:
    """The program's run."""
    return serve(case.workload, rate=case.rate, pages=case.pages, limit=case.limit)


def run_plain(case: Case, watch: bool = False) -> PlainRun:
    """The plain loop's run; with `watch` it has a snapshot of every step."""
    return serve_plainly(*case, watch=watch)


def steps_of(run: Run) -> list[PlainStep]:
    """The program's clipboard, one row for each step."""
    columns = (
        run.start_s,
        run.took_s,
        run.stepped,
        run.joined,
        run.queue,
        run.held,
        run.owed,
        run.cache_held_out,
        run.batch_held_out,
    )
    return [PlainStep(*row) for row in zip(*columns, strict=True)]


def ends_of(run: Run) -> list[float]:
    """Seconds at which each step ends."""
    return [start + took for start, took in zip(run.start_s, run.took_s, strict=True)]


def by_chat(by_number: dict[int, Any]) -> list[Any]:
    """The values of a dictionary in order of their chats, which must be 0, 1, 2 and so on without a hole."""
    assert sorted(by_number) == list(range(len(by_number)))
    return [by_number[chat] for chat in range(len(by_number))]


def rebuild(case: Case, run: Run) -> list[Snapshot]:
    """Who waited, who had how many words and which pages were whose, in each step, from the Run alone.

    The free list is rebuilt too: at first all pages in order of their number; pages are taken on its left and
    given back on its right, so it is all pages ever put on it without the first ones, which were taken.
    """
    sent = case.sent
    put = list(range(case.pages))
    taken = 0
    chats = range(len(case.gaps))
    last_step = [run.joined_step[chat] + case.replies[chat] - 1 for chat in chats]
    snapshots = []
    had = dict.fromkeys(chats, 0)
    for step, start in enumerate(run.start_s):
        waiting = [chat for chat in chats if sent[chat] <= start and run.joined_step[chat] > step]
        words = {}
        tables = {}
        for chat in chats:
            if not run.joined_step[chat] <= step <= last_step[chat]:
                continue
            words[chat] = step - run.joined_step[chat] + 1
            has = pages_needed(case.prompts[chat] + words[chat])
            taken += has - had[chat]
            had[chat] = has
            if step < last_step[chat]:
                tables[chat] = run.page_table[chat][:has]
            else:
                put += run.page_table[chat][:has]
        snapshots.append(Snapshot(waiting=waiting, words=words, page_tables=tables, free=put[taken:]))
    return snapshots


@st.composite
def random_cases(draw: st.DrawFn) -> Case:
    """Up to ten chats: one-word replies, chats sent together, caches that just fit, limits of one among them.

    A chat is drawn as three bytes, which is many times faster than drawing three numbers. A quarter of the
    gaps is 0, the others are spread up to 4; a quarter of the replies is one word, the others are up to 40.
    """
    drawn = draw(st.lists(st.binary(min_size=3, max_size=3), min_size=1, max_size=10))
    gaps = [max(0, gap - 63) / 48 for gap, _, _ in drawn]
    prompts = [1 + prompt % 70 for _, prompt, _ in drawn]
    replies = [1 + max(0, reply - 63) * 39 // 192 for _, _, reply in drawn]
    rate = draw(st.sampled_from([100, 30, 1000, 2.5]))
    limit = draw(st.integers(1, len(drawn) + 1))
    case = Case(gaps, prompts, replies, rate, pages=0, limit=limit)
    most = max(case.needs)
    spare = draw(st.integers(-most, 3 * most))  # below 0: the cache just fits the longest chat
    return case._replace(pages=most + max(0, spare))


@st.composite
def chats_sent_in_the_last_step_of_an_emptying_server(draw: st.DrawFn) -> Case:
    """Each chat is sent while the one before it, alone in the server, gets its last word."""
    count = draw(st.integers(2, 5))
    prompts = draw(st.lists(st.integers(1, 300), min_size=count, max_size=count))
    replies = draw(st.lists(st.integers(1, 6), min_size=count, max_size=count))
    gaps = []
    sent = 0.0
    clock = 0.0
    for prompt, reply in zip(prompts, replies, strict=True):
        last_start = clock
        clock += step_time(0, 0, prompt)
        for words in range(1, reply):
            last_start = clock
            clock += step_time(1, prompt + words, 0)
        next_sent = last_start + draw(st.floats(0.01, 0.99)) * (clock - last_start)
        gaps.append(next_sent - sent)
        sent += gaps[-1]
    case = Case(gaps, prompts, replies, rate=1, pages=0, limit=draw(st.integers(1, 3)))
    return case._replace(pages=max(case.needs) + draw(st.integers(0, 40)))


def assert_same_run(ours: Run, plain: PlainRun) -> None:
    """Every step, first and last word and every chat's page numbers are the plain loop's, bit for bit."""
    assert steps_of(ours) == plain.steps
    assert by_chat(ours.joined_step) == plain.joined_step
    assert by_chat(ours.first_word_s) == plain.first_word
    assert by_chat(ours.last_word_s) == plain.last_word
    assert by_chat(ours.page_table) == plain.page_table
