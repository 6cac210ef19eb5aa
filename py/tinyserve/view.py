"""What is needed to draw one run: its columns as arrays, and who was where in any of its steps.

Everything here is derived from a `Run` and its settings; nothing is measured a second time.
"""

from __future__ import annotations

import json
from array import array
from functools import cache
from typing import NamedTuple

from tinyserve.tiny_server import Run, pages_for, report, serve
from tinyserve.workload import Workload, chats, sending_times


class Columns(NamedTuple):
    """A run as a page draws it: one entry for each step in every array ('d' is a float, 'i' an int)."""

    start_s: array[float]
    end_s: array[float]
    promised: array[int]
    held: array[int]
    queue: array[int]
    stepped: array[int]
    cache_held_out: array[int]  # 1 where the cache held the front chat out, else 0
    batch_held_out: array[int]


class Moment(NamedTuple):
    """Who was where in one step: queue and batch after admission, pages after the ended chats have left."""

    waiting: list[int]  # chats in the queue, in the order in which they were sent
    words: dict[int, int]  # chat of the batch -> words that it has after this step, in order of joining
    pages: dict[int, list[int]]  # chat that runs on -> the pages that it holds


def columns(run: Run) -> Columns:
    """Columns of a run, in time order.

    >>> columns(serve(chats(), rate=40, pages=240, limit=16)).promised[:5].tolist()
    [3, 15, 15, 64, 104]
    """
    return Columns(
        start_s=array("d", run.start_s),
        end_s=array("d", [start_s + took_s for start_s, took_s in zip(run.start_s, run.took_s, strict=True)]),
        promised=array("i", [held + owed for held, owed in zip(run.held, run.owed, strict=True)]),
        held=array("i", run.held),
        queue=array("i", run.queue),
        stepped=array("i", run.stepped),
        cache_held_out=array("i", run.cache_held_out),
        batch_held_out=array("i", run.batch_held_out),
    )


def moment(workload: Workload, rate: float, run: Run, step: int) -> Moment:
    """Rebuild one step of a run of `workload` at `rate`; steps are counted from 0.

    Raises IndexError if the run has no such step.

    >>> now = moment(chats(), 40, serve(chats(), rate=40, pages=240, limit=16), step=3)
    >>> now.waiting, now.words, {chat: len(pages) for chat, pages in now.pages.items()}
    ([], {0: 4, 1: 3, 2: 1, 3: 1}, {0: 3, 1: 10, 2: 29, 3: 16})
    """
    if not 0 <= step < len(run.start_s):
        raise IndexError(f"step must be from 0 to {len(run.start_s) - 1}, got {step}")
    start_s = run.start_s[step]
    waiting = [
        chat
        for chat, sent_s in enumerate(sending_times(workload.gaps, rate))
        if sent_s <= start_s and run.joined_step[chat] > step
    ]
    words = {
        chat: step - joined + 1
        for chat, joined in run.joined_step.items()
        if joined <= step < joined + workload.replies[chat]
    }
    pages = {
        chat: run.page_table[chat][: pages_for(workload.prompts[chat] + count)]
        for chat, count in words.items()
        if count < workload.replies[chat]
    }
    return Moment(waiting, words, pages)


@cache
def lesson_chats(order: int) -> Workload:
    """Draw the chats of an order once: it takes nearly as long as serving them, and no run changes them."""
    return chats(order)


def answer(rate: float, pages: int, limit: int, shuffle: int) -> tuple[str, Columns]:
    """Serve the lesson's chats in order `shuffle`: the report as JSON (null for None) and the columns.

    This is the one call that the page makes. JSON keeps every float to the last bit.
    """
    workload = lesson_chats(shuffle)
    run = serve(workload, rate, pages, limit)
    return json.dumps(report(workload, rate, run)), columns(run)
