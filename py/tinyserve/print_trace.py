"""The lesson's trace as text: first chats, first steps, the steps in which the cache fills, the clipboard."""

from collections.abc import Iterable, Sequence
from typing import Any

from tinyserve.lesson import LIMIT, MORE_PAGES, PAGES, RATE_HEAVY, RATE_LIGHT
from tinyserve.tiny_server import Run, pages_for, report, serve
from tinyserve.workload import Workload, chats, sending_times

FIRST_CHATS = 4
FIRST_STEPS = 5
STEPS_BEFORE = 1  # shown before the first step in which the cache holds a chat out
STEPS_AFTER = 2  # and after it


def trace(more_pages: int = MORE_PAGES) -> str:
    """Text of the whole trace; `more_pages` is the cache of the third run, in pages.

    Raises ValueError if `more_pages` is no cache that `serve` takes.
    """
    workload = chats()
    heavy = serve(workload, RATE_HEAVY, PAGES, LIMIT)
    settings = ((RATE_LIGHT, PAGES, LIMIT), (RATE_HEAVY, PAGES, LIMIT), (RATE_HEAVY, more_pages, LIMIT))
    runs = [(setting, report(workload, setting[0], serve(workload, *setting))) for setting in settings]
    first_full = heavy.cache_held_out.index(True)
    around = range(first_full - STEPS_BEFORE, first_full + STEPS_AFTER + 1)
    parts = [
        f"The first {FIRST_CHATS} chats at {RATE_HEAVY} chats a second",
        *chat_lines(workload, RATE_HEAVY, range(FIRST_CHATS)),
        "",
        f"The first {FIRST_STEPS} steps with {PAGES} pages and {LIMIT} chats a step",
        *step_lines(heavy, PAGES, range(FIRST_STEPS)),
        "",
        "The steps around the first one in which the cache holds a chat out",
        *step_lines(heavy, PAGES, around),
        "",
        "The clipboard of three runs (chats a second / pages / chats a step)",
        *clipboard_lines(runs),
    ]
    return "\n".join(parts)


def chat_lines(workload: Workload, rate: float, numbers: Iterable[int]) -> list[str]:
    """A table of chats: when each is sent, how long it is, how many pages it needs for its whole life."""
    sent_s = sending_times(workload.gaps, rate)
    rows = [
        [
            str(chat),
            f"{sent_s[chat]:.3f}",
            str(workload.prompts[chat]),
            str(workload.replies[chat]),
            str(pages_for(workload.prompts[chat] + workload.replies[chat])),
        ]
        for chat in numbers
    ]
    return table(["chat", "sent s", "prompt", "reply", "pages"], rows)


def step_lines(run: Run, pages: int, numbers: Iterable[int]) -> list[str]:
    """A table of steps, which are counted from 1 in print and from 0 in `numbers`."""
    rows = [step_row(run, pages, step) for step in numbers]
    head = ["step", "start s", "took ms", "chats", "new", "queue", "held + owed", "left", "held out by"]
    return table(head, rows)


def step_row(run: Run, pages: int, step: int) -> list[str]:
    """One step as it is printed; `left` is the pages that nobody has been promised."""
    held, owed = run.held[step], run.owed[step]
    return [
        str(step + 1),
        f"{run.start_s[step]:.3f}",
        f"{run.took_s[step] * 1000:.1f}",
        str(run.stepped[step]),
        str(run.joined[step]),
        str(run.queue[step]),
        f"{held} + {owed}",
        str(pages - held - owed),
        held_out_by(run, step),
    ]


def held_out_by(run: Run, step: int) -> str:
    """What held the front chat out in a step: "", "cache", "batch" or "cache and batch"."""
    reasons = (("cache", run.cache_held_out[step]), ("batch", run.batch_held_out[step]))
    return " and ".join(name for name, held_out in reasons if held_out)


def clipboard_lines(runs: Sequence[tuple[tuple[float, int, int], dict[str, Any]]]) -> list[str]:
    """The clipboards of several runs side by side; each is ((rate, pages, limit), report)."""
    heads = [f"{rate}/{pages}/{limit}" for (rate, pages, limit), _ in runs]
    reports = [clipboard for _, clipboard in runs]
    rows = [[words, *(text(clipboard, key) for clipboard in reports)] for key, words in CLIPBOARD.items()]
    return table(["", *heads], rows)


CLIPBOARD = {
    "ttft_p50_s": "first word p50, s",
    "ttft_p99_s": "first word p99, s",
    "tbt_p50_s": "gap between words p50, ms",
    "tbt_p99_s": "gap between words p99, ms",
    "tpot_p50_s": "a chat's mean gap p50, ms",
    "tpot_p99_s": "a chat's mean gap p99, ms",
    "queue_max": "longest queue, chats",
    "pages_max": "most pages held",
    "cache_full_s": "cache first holds a chat out, s",
    "cache_steps": "steps held out by the cache",
    "batch_steps": "steps held out by the batch",
    "steps": "steps",
    "chats_per_s": "chats finished a second",
    "wall": "the wall",
}


def text(clipboard: dict[str, Any], key: str) -> str:
    """One figure of a report as the clipboard prints it; "-" where nothing was measured."""
    value = clipboard[key]
    if value is None:
        return "-"
    if key.startswith(("tbt", "tpot")):
        return f"{value * 1000:.1f}"
    if key == "chats_per_s":
        return f"{value:.1f}"
    if key.endswith("_s"):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else value


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table: the first column flush left if it holds words, all others flush right."""
    widths = [max(len(cell) for cell in column) for column in zip(head, *rows, strict=True)]
    words_first = not head[0]
    lines = []
    for row in (head, *rows):
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        if words_first:
            cells[0] = row[0].ljust(widths[0])
        lines.append("  ".join(cells).rstrip())
    return lines
