"""A reader's own version of the program: what comes of it, and what is said of all that can go wrong."""

import json
import random
import signal
import sys
from importlib.resources import files
from typing import Any

import pytest

from tests.native.cases import PUBLISHED
from tinyserve import chats
from tinyserve.edited import (
    MESSAGE_MOST,
    PRINTED_MOST,
    TRACEBACK_MOST,
    draw_all_chats,
    run_edited,
    shut_the_browser_out,
)
from tinyserve.view import Columns, Intervals, answer, lesson_chats, lesson_intervals
from tinyserve.workload import ORDERS

LESSON = (files("tinyserve") / "tiny_server.py").read_text("utf-8")
HEAVY = (40, 240, 16, 0)
RUN_MS, HEAP_BYTES = 300, 256 * 2**20
LAST_STATEMENT = "    return run\n"
REPORT = '    return clipboard | {"wall": bottleneck(clipboard)}\n'


def edit(before: str, after: str) -> str:
    """The lesson's program with one place changed."""
    assert LESSON.count(before) == 1, before
    return LESSON.replace(before, after)


def fared(source: str) -> tuple[dict[str, Any], Columns | None, Intervals | None]:
    """How a program fared, its text read."""
    text, columns, intervals = run_edited(source, *HEAVY, RUN_MS, HEAP_BYTES)
    return json.loads(text), columns, intervals


def trouble_of(source: str) -> dict[str, Any]:
    """What went wrong in a program that must not do well."""
    trouble: dict[str, Any] = fared(source)[0]["trouble"]
    assert trouble is not None
    return trouble


def line_of(source: str, line: str) -> int:
    """The number of the one line that is so."""
    (found,) = (at for at, text in enumerate(source.splitlines(), 1) if text.strip() == line)
    return found


# ---- What does well ------------------------------------------------------------------------------------


@pytest.mark.parametrize("shuffle", range(PUBLISHED["grid"]["orders"]))
def test_the_unchanged_program_gives_the_lessons_report_columns_and_intervals_to_the_last_bit(
    shuffle: int,
) -> None:
    settings = (40, 240, 16, shuffle)
    text, columns, intervals = run_edited(LESSON, *settings, RUN_MS, HEAP_BYTES)
    lesson_report, lesson_columns = answer(*settings)
    assert text == f'{{"report": {lesson_report}, "trouble": null, "printed": ""}}'
    assert columns == lesson_columns
    assert intervals == lesson_intervals(*settings)


def test_the_shortest_chat_may_go_first() -> None:
    source = edit("chat = queue[0]", "chat = min(queue, key=promise.__getitem__)")
    result, columns, intervals = fared(source)
    lesson = json.loads(answer(*HEAVY)[0])
    assert result["trouble"] is None
    assert result["report"]["ttft_p50_s"] < lesson["ttft_p50_s"]
    assert result["report"]["ttft_p99_s"] > lesson["ttft_p99_s"]
    assert columns is not None and intervals is not None


def test_a_promise_of_the_prompts_pages_alone_raises_midway_and_is_drawn_up_to_there() -> None:
    source = edit("pages_for(prompt + reply) for", "pages_for(prompt) for")
    result, columns, intervals = fared(source)
    assert result["report"] is None
    assert result["trouble"]["kind"] == "exception"
    assert source.splitlines()[result["trouble"]["line"] - 1].strip().startswith("raise RuntimeError")
    assert "finds no page" in result["trouble"]["message"]
    assert columns is not None and intervals is not None
    steps = len(columns.start_s)
    assert 0 < steps < len(answer(*HEAVY)[1].start_s)
    assert {len(column) for column in columns} == {steps}
    assert min(promised - held for promised, held in zip(columns.promised, columns.held, strict=True)) < 0
    assert max(intervals.last_step) <= steps
    assert 0 < sum(intervals.is_served) < len(intervals.is_served)


def test_what_the_step_in_which_it_broke_off_had_written_is_left_out() -> None:
    lesson_columns, lesson_run = answer(*HEAVY)[1], lesson_intervals(*HEAVY)
    begun = sorted(lesson_run.last_step)[20]  # a step in which a chat gets its last word
    source = edit(
        "        run.queue.append(len(queue))\n",
        f"        run.queue.append(len(queue) if step < {begun} else 1 / 0)\n",
    )
    result, columns, intervals = fared(source)
    assert result["trouble"]["message"] == "ZeroDivisionError: division by zero"
    assert columns == Columns(*(column[:begun] for column in lesson_columns))
    assert intervals is not None
    served = [int(last < begun) for last in lesson_run.last_step]
    assert intervals.is_served.tolist() == served


def test_a_page_of_another_size_is_drawn_as_such() -> None:
    result, _, intervals = fared(edit("PAGE_TOKENS = 16 ", "PAGE_TOKENS = 32 "))
    assert result["trouble"] is None
    workload = chats()
    assert intervals is not None
    assert intervals.promise.tolist() == [
        -(-(p + r) // 32) for p, r in zip(workload.prompts, workload.replies, strict=True)
    ]


def test_a_run_of_another_class_is_drawn_too() -> None:
    fields = "start_s took_s stepped joined queue held owed cache_held_out batch_held_out"
    dicts = "joined_step first_word_s last_word_s page_table"
    source = LESSON.replace("    run = Run()\n", "    run = Notes()\n") + (
        "\n\nfrom dataclasses import dataclass, field\n\n\n@dataclass\nclass Notes:\n"
        + "".join(f"    {name}: list = field(default_factory=list)\n" for name in fields.split())
        + "".join(f"    {name}: dict = field(default_factory=dict)\n" for name in dicts.split())
    )
    result, columns, _ = fared(source)
    assert result["trouble"] is None
    assert columns == answer(*HEAVY)[1]


def test_what_is_printed_is_kept() -> None:
    result, _, _ = fared(LESSON + '\nimport sys\nprint("one", 2)\nprint("three", file=sys.stderr)\n')
    assert result["printed"] == "one 2\nthree\n"
    assert result["trouble"] is None


def test_of_what_is_printed_without_end_a_part_is_kept_and_the_rest_is_counted() -> None:
    result, _, _ = fared(LESSON + f"\nfor _ in range(10): print('x' * {PRINTED_MOST // 2 - 1})\n")
    kept, note = result["printed"].rsplit("\n", 1)
    assert len(kept) == PRINTED_MOST
    assert note == f"[{4 * PRINTED_MOST:,} more characters are left out]"


def test_each_run_has_a_module_and_chats_of_its_own() -> None:
    count = "COUNT = globals().get('COUNT', 0) + 1\nprint(COUNT, __name__)\n"
    sort = "    object.__setattr__(workload, 'prompts', sorted(prompts))\n    run = Run()\n"
    source = edit("    run = Run()\n", sort) + count
    first, second = fared(source), fared(source)
    assert first == second
    assert first[0]["printed"] == "1 yours\n"
    assert "yours" not in sys.modules
    assert lesson_chats(0) == chats()


# ---- What is no Python, or raises -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("x = (1 +\n", 1, "SyntaxError: '(' was never closed"),
        ("def f():\npass\n", 2, "IndentationError: expected an indented block"),
        ("if True:\n    x = 1\n  y = 2\n", 3, "IndentationError: unindent does not match"),
        ("x = 1\nx = 'abc\n", 2, "SyntaxError: unterminated string literal"),
        ("x = 1\nreturn x\n", 2, "SyntaxError: 'return' outside function"),
        ("x = 1" + " + 1" * 20_000, None, "SyntaxError: an expression is too long, or nested too deep"),
        ("x = " + "-" * 20_000 + "1", None, "SyntaxError: an expression is too long, or nested too deep"),
    ],
)
def test_what_is_no_python_is_named_with_its_line(source: str, line: int | None, words: str) -> None:
    result, columns, intervals = fared(source)
    assert (result["trouble"]["kind"], result["trouble"]["line"]) == ("syntax", line)
    assert result["trouble"]["message"].startswith(words)
    assert (result["report"], columns, intervals) == (None, None, None)


def test_an_exception_is_told_with_the_readers_line_and_frames_alone() -> None:
    source = edit("took_s = step_seconds(running", "took_s = step_secnds(running")
    trouble = trouble_of(source)
    assert trouble["kind"] == "exception"
    assert "step_secnds" in source.splitlines()[trouble["line"] - 1]
    assert trouble["message"].startswith("NameError: name 'step_secnds' is not defined")
    assert trouble["traceback"].count("File ") == 1
    assert f'File "tiny_server.py", line {trouble["line"]}, in serve' in trouble["traceback"]
    assert "took_s = step_secnds(" in trouble["traceback"]


def test_in_a_function_that_the_program_calls_the_line_is_in_there() -> None:
    source = "def divide():\n    return 1 / 0\n\n\ndivide()\n"
    trouble = trouble_of(source)
    assert trouble["line"] == line_of(source, "return 1 / 0")
    assert trouble["traceback"].count("File ") == 2


def test_where_our_own_code_raises_the_readers_line_is_the_one_that_called_it() -> None:
    source = edit(
        "sending_times(workload.gaps, rate)\n    promise", "sending_times(workload.gaps, -rate)\n    promise"
    )
    trouble = trouble_of(source)
    assert "-rate" in source.splitlines()[trouble["line"] - 1]
    assert trouble["message"].startswith("ValueError: rate must be a finite number")
    assert "workload.py" not in trouble["traceback"]


def test_frames_of_the_library_stay_and_so_do_exceptions_that_led_to_this_one() -> None:
    source = (
        LESSON + "\nimport statistics\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    statistics.mean([])\n"
    )
    trouble = trouble_of(source)
    assert trouble["line"] == len(source.splitlines())
    assert "statistics.py" in trouble["traceback"]
    assert "ZeroDivisionError: division by zero" in trouble["traceback"]
    assert "edited.py" not in trouble["traceback"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f(n): return f(n + 1)\nf(0)", "RecursionError: maximum recursion depth exceeded"),
        (
            "class A:\n    def __getattr__(self, name): return getattr(self, name + 'x')\nA().x",
            "RecursionError: ",
        ),
        (
            "import nosuchmodule",
            "ModuleNotFoundError: there is no module nosuchmodule here; there are bisect, coll",
        ),
        ("from math import nosuchname", "ImportError: cannot import name 'nosuchname' from 'math'"),
        ("import sys\nsys.exit(3)", "SystemExit: the program ended itself, and gave no answer (3)"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("eval('1 +')", "SyntaxError: invalid syntax"),
        (
            "class Odd(Exception):\n    def __str__(self): return 1 / 0\nraise Odd",
            "yours.Odd: <exception str() failed>",
        ),
        ("raise ExceptionGroup('many', [ValueError(1)])", "ExceptionGroup: many (1 sub-exception)"),
        ("x = 1\n\0", ""),
        ("import sys\nsys.stdout.write(b'abc')", "TypeError: write() argument must be str, not bytes"),
    ],
)
def test_nothing_that_is_raised_ends_us(source: str, words: str) -> None:
    trouble = trouble_of(source)
    assert trouble["kind"] in ("exception", "syntax")
    assert trouble["message"].startswith(words)


CHAIN = """error = None
for _ in range(2000):
    cause, error = error, ValueError(7)
    error.__cause__ = cause
"""


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (CHAIN + "raise error", "ValueError: 7"),
        (
            "def again():\n    try:\n        1 / 0\n    except ZeroDivisionError:\n        again()\nagain()",
            "RecursionError: maximum recursion depth exceeded",
        ),
        (
            "class Odd:\n    def __repr__(self): raise SystemExit(2)\nraise SystemExit(Odd())",
            "SystemExit: asked what it means, it raised SystemExit",
        ),
        (
            "class Odd:\n    def __str__(self): raise KeyError\nraise ModuleNotFoundError('x', name=Odd())",
            "ModuleNotFoundError: asked what it means, it raised KeyError",
        ),
    ],
)
def test_exceptions_that_cannot_be_asked_or_have_many_causes_are_told(source: str, words: str) -> None:
    trouble = trouble_of(source)
    assert trouble["kind"] == "exception"
    assert trouble["message"].startswith(words)
    assert trouble["line"] is not None


def test_what_the_module_says_of_names_it_lacks_is_not_asked() -> None:
    answers = "\ndef __getattr__(name):\n    raise KeyError(name)\n"
    source = edit(LAST_STATEMENT, "    del globals()['PAGE_TOKENS']\n    return run\n") + answers
    assert fared(source)[0]["trouble"] is None
    assert trouble_of(answers)["message"].startswith("there is no function serve")


def test_a_page_that_comes_late_is_drawn_as_one_that_was_never_held() -> None:
    late = "    run.page_table[7] = [0] * 20_000\n    globals()['PAGE_TOKENS'] = MOST\n    return run\n"
    result, _, intervals = fared(edit(LAST_STATEMENT, late))
    assert result["trouble"] is None
    assert intervals is not None
    assert all(begin <= end for begin, end in zip(intervals.page_from, intervals.page_to, strict=True))


def test_the_line_in_a_traceback_is_the_one_that_python_counts() -> None:
    source = "x = 'a\u2028b'\n\x0c\ny = 'c\x0bd'\r\nraise ValueError\n"
    trouble = trouble_of(source)
    assert trouble["line"] == 4
    assert "\n    raise ValueError\n" in trouble["traceback"]


def test_long_messages_are_cut() -> None:
    trouble = trouble_of("raise ValueError('x' * 1_000_000)")
    assert len(trouble["message"]) < MESSAGE_MOST + 100
    assert len(trouble["traceback"]) < TRACEBACK_MOST + 100


@pytest.mark.parametrize("name", ["serve", "report"])
def test_a_function_that_is_missing_is_named(name: str) -> None:
    result, columns, _ = fared(LESSON + f"\ndel {name}\n")
    assert result["trouble"]["kind"] == "broken"
    assert result["trouble"]["message"].startswith(
        f"there is no function {name}: a run calls {name}(workload, "
    )
    assert (columns is None) == (name == "serve")


@pytest.mark.parametrize("name", ["serve", "report"])
def test_a_function_that_cannot_be_called_is_named_with_its_line(name: str) -> None:
    source = LESSON + f"\ndef {name}(workload):\n    return None\n"
    trouble = trouble_of(source)
    assert trouble["line"] == line_of(source, f"def {name}(workload):")
    assert trouble["message"].startswith(f"TypeError: {name}() takes 1 positional argument")
    assert trouble["traceback"] == ""


# ---- Time and memory -------------------------------------------------------------------------------------


# An interrupt as the page's deadline gives it. The program orders its own, right before it loops: one that is
# ordered outside may come before anything is there to handle it.
ORDER = f"import _thread, threading; threading.Timer({RUN_MS} / 1000, _thread.interrupt_main).start()"


def test_an_endless_loop_is_told_with_its_line_and_the_stated_time_and_drawn_up_to_there() -> None:
    handler = signal.getsignal(signal.SIGINT)
    now = "        now_s += took_s\n"
    order = f"        if step == 9:\n            {ORDER}\n"
    source = edit(now, now + order + "        while step == 9:\n            pass\n")
    result, columns, intervals = fared(source)
    trouble = result["trouble"]
    first = line_of(source, "while step == 9:")
    assert trouble["kind"] == "endless"
    assert trouble["line"] in (first, first + 1)
    assert "0.3 s" in trouble["message"]
    assert trouble["traceback"].endswith(f"{trouble['message']}\n")
    assert "OutOfTime" not in trouble["traceback"]
    assert columns == Columns(*(column[:10] for column in answer(*HEAVY)[1]))
    assert intervals is not None
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_program_that_catches_exceptions_and_interrupts_is_stopped_nevertheless() -> None:
    # In a function, since Python 3.11 does not count the jump back to the top of a loop to what is tried.
    loop = "def loop():\n    while True: pass\n"
    source = f"{loop}{ORDER}\ntry: loop()\nexcept (Exception, KeyboardInterrupt): pass\n"
    assert (trouble_of(source)["kind"], trouble_of("x")["kind"]) == ("endless", "exception")


@pytest.mark.parametrize("source", ["x = 1\n[0] * 10**17", "hog = [1]\nraise MemoryError"])
def test_too_much_memory_is_told_with_its_line_and_the_limit(source: str) -> None:
    trouble = trouble_of(source)
    assert (trouble["kind"], trouble["line"]) == ("memory", 2)
    assert "256 MiB" in trouble["message"]
    assert trouble["traceback"].endswith(f"{trouble['message']}\n")


# ---- Results that cannot be drawn ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("last", "words"),
    [
        ("return None", "serve must return a Run, got None"),
        ("return 7", "serve must return a Run, got 7 without start_s"),
        ("return (run, 1)", "serve must return a Run, got (<"),
        ("del run.queue; return run", "serve must return a Run, got <"),
        ("run.queue = 7; return run", "queue of the Run must be a list, got 7"),
        ("run.queue = 'many'; return run", "queue of the Run must be a list, got 'many'"),
        ("run.page_table = []; return run", "page_table of the Run must be a dict, got []"),
        ("return Run()", "a Run must have at least one step, got 0 entries in start_s"),
        (
            "run.queue.pop(); return run",
            "queue of the Run must have one entry for each step: it has 1,558 entries, and ",
        ),
        ("run.held.append(0); return run", "held of the Run must have one entry for each step: it has 1,560"),
        (
            "run.start_s[3] = float('nan'); return run",
            "start_s[3] must be 0 to 1,000,000 seconds, got nan",
        ),
        (
            "run.took_s[3] = float('inf'); return run",
            "took_s[3] must be 0 to 1,000,000 seconds, got inf",
        ),
        (
            "run.start_s[-1] = run.took_s[-1] = 1.7e308; return run",
            "start_s[1558] must be 0 to 1,000,000 seconds, got 1.7e+308",
        ),
        ("run.took_s[3] = -0.5; return run", "took_s[3] must be 0 to 1,000,000 seconds, got -0.5"),
        ("run.took_s[3] = 10**400; return run", "took_s[3] must be 0 to 1,000,000 seconds, got 1000"),
        ("run.took_s[3] = '1'; return run", "took_s[3] must be 0 to 1,000,000 seconds, got '1'"),
        ("run.took_s[3] = True; return run", "took_s[3] must be 0 to 1,000,000 seconds, got True"),
        ("run.start_s[3] = 0; return run", "start_s[3] must not be before start_s[2] = "),
        ("run.held[3] = 1.5; return run", "held[3] must be a whole number from 0 to 1,000,000, got 1.5"),
        ("run.held[3] = -1; return run", "held[3] must be a whole number from 0 to 1,000,000, got -1"),
        ("run.held[3] = 2**40; return run", "held[3] must be a whole number from 0 to 1,000,000, got 10995"),
        ("run.queue[3] = None; return run", "queue[3] must be a whole number from 0 to 1,000,000, got None"),
        (
            "run.owed[3] = 0.0; return run",
            "owed[3] must be a whole number from -1,000,000 to 1,000,000, got 0.0",
        ),
        ("run.cache_held_out[3] = None; return run", "cache_held_out[3] must be True or False, got None"),
        ("run.batch_held_out[3] = 2; return run", "batch_held_out[3] must be True or False, got 2"),
        (
            "run.joined_step[3] = 1559; return run",
            "joined_step[3] must be a whole number from 0 to 1,558, got 1559",
        ),
        (
            "run.joined_step[400] = 1; return run",
            "the keys of joined_step must be chats, from 0 to 399, got 400",
        ),
        (
            "run.last_word_s['a'] = 1; return run",
            "the keys of last_word_s must be chats, from 0 to 399, got 'a'",
        ),
        (
            "run.last_word_s[7] = None; return run",
            "last_word_s[7] must be 0 to 1,000,000 seconds, got None",
        ),
        ("run.page_table[7] = 7; return run", "page_table[7] must be a list of pages, got 7"),
        (
            "run.page_table[7][0] = 240; return run",
            "page_table[7][0] must be a whole number from 0 to 239, got 240",
        ),
        (
            "run.page_table[7][0] = 'a'; return run",
            "page_table[7][0] must be a whole number from 0 to 239, got 'a'",
        ),
        ("del run.joined_step[17]; return run", "page_table has chat 17, and so must joined_step"),
        (
            "del run.joined_step[17], run.page_table[17]; return run",
            "chat 17 never got its first word: joined_step",
        ),
        (
            "del run.first_word_s[17]; return run",
            "chat 17 never got its first word: first_word_s of the Run must",
        ),
        (
            "del run.last_word_s[17]; return run",
            "chat 17 never got its last word: last_word_s of the Run must",
        ),
    ],
)
def test_a_run_that_cannot_be_drawn_is_named_and_not_drawn(last: str, words: str) -> None:
    result, columns, intervals = fared(edit(LAST_STATEMENT, f"    {last}\n"))
    assert (result["trouble"]["kind"], result["trouble"]["line"]) == ("broken", None)
    assert result["trouble"]["message"].startswith(words), result["trouble"]["message"]
    assert len(result["trouble"]["message"]) < 200
    assert (result["report"], columns, intervals) == (None, None, None)


@pytest.mark.parametrize(
    ("last", "words"),
    [
        ("return None", "report must return a dict, got None"),
        ("return [1]", "report must return a dict, got [1]"),
        ("return clipboard", "the report has no wall: report must return a dict with this key"),
        (
            "return all | {'ttft_p50_s': None}",
            "ttft_p50_s of the report must be 0 to 1,000,000 seconds, got None",
        ),
        (
            "return all | {'tbt_p99_s': float('nan')}",
            "tbt_p99_s of the report must be 0 to 1,000,000 seconds, got n",
        ),
        (
            "return all | {'cache_full_s': '1'}",
            "cache_full_s of the report must be 0 to 1,000,000 seconds, got '1'",
        ),
        (
            "return all | {'chats_per_s': 1j}",
            "chats_per_s of the report must be 0 to 1,000,000 chats a second",
        ),
        (
            "return all | {'queue_max': 1.5}",
            "queue_max of the report must be a whole number from 0 to 1,000,000, got 1.5",
        ),
        (
            "return all | {'steps': True}",
            "steps of the report must be a whole number from 0 to 1,000,000, got True",
        ),
        (
            "return all | {'wall': 'pages'}",
            "wall of the report must be one of none, cache, batch, both, got 'pages'",
        ),
        (
            "class Any(str):\n        __eq__ = lambda *_: True\n        __hash__ = None\n"
            "    return all | {'wall': Any('x')}",
            "wall of the report must be one of none, cache, batch, both, got 'x'",
        ),
        (
            "return all | {'ttft_p99_s': 1e300}",
            "ttft_p99_s of the report must be 0 to 1,000,000 seconds, got 1e+300",
        ),
        (
            "return all | {'wall': ['cache']}",
            "wall of the report must be one of none, cache, batch, both, got ['cache']",
        ),
    ],
)
def test_a_report_that_cannot_be_shown_is_named_and_the_run_is_drawn(last: str, words: str) -> None:
    source = edit(REPORT, f"    all = clipboard | {{'wall': bottleneck(clipboard)}}\n    {last}\n")
    result, columns, intervals = fared(source)
    assert result["trouble"]["kind"] == "broken"
    assert result["trouble"]["message"].startswith(words), result["trouble"]["message"]
    assert result["report"] is None
    assert columns == answer(*HEAVY)[1]
    assert intervals == lesson_intervals(*HEAVY)


def test_what_a_reader_adds_to_the_report_does_no_harm() -> None:
    result, _, _ = fared(edit(REPORT, REPORT.replace("}\n", ", 'mine': object()}\n")))
    assert result["trouble"] is None
    assert result["report"] == json.loads(answer(*HEAVY)[0])


def test_an_exception_in_the_report_leaves_the_run_drawn() -> None:
    result, columns, _ = fared(edit(REPORT, "    return clipboard['nothing']\n"))
    assert result["trouble"]["message"] == "KeyError: 'nothing'"
    assert columns == answer(*HEAVY)[1]


@pytest.mark.parametrize("order", ORDERS)
def test_chats_that_were_drawn_before_stay_as_they_are_whatever_a_program_does_to_the_drawing(
    monkeypatch: pytest.MonkeyPatch, order: int
) -> None:
    lesson_chats.cache_clear()
    draw_all_chats()
    monkeypatch.setattr(random.Random, "shuffle", lambda _self, dealt: dealt.clear())
    monkeypatch.setattr(random.Random, "uniform", lambda _self, least, _most: least)
    text, columns, _ = run_edited(LESSON, *HEAVY[:3], order, RUN_MS, HEAP_BYTES)
    monkeypatch.undo()
    lesson_chats.cache_clear()
    report, drawn = answer(*HEAVY[:3], order)
    assert json.loads(text)["report"] == json.loads(report)
    assert columns == drawn


# ---- The browser ------------------------------------------------------------------------------------------


def test_modules_of_the_browser_cannot_be_imported_once_they_are_shut_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "modules", dict(sys.modules) | {"js": sys, "pyodide": sys, "pyodide.code": sys})
    shut_the_browser_out()
    assert "pyodide.code" not in sys.modules
    for source in ("import js", "from pyodide.code import run_js"):
        assert trouble_of(source)["message"].startswith("ModuleNotFoundError: there is no module ")
