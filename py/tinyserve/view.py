"""What is needed to draw one run: its columns as arrays, and who was where in any of its steps.

Everything here is derived from a `Run` and its settings; nothing is measured a second time.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from functools import cache
from typing import NamedTuple

from tinyserve.tiny_server import PAGE_TOKENS, Run, pages_for, report, serve
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


class Intervals(NamedTuple):
    """Who was where in a run, from which step to which; steps are counted from 0.

    The first eight arrays have one entry for each chat, the last four one for each page that a chat took, in
    the order of taking. Of a run that broke off, a step that it never came to is the one after its last.
    """

    sent_s: array[float]
    prompt_tokens: array[int]
    reply_tokens: array[int]
    promise: array[int]  # pages for the whole life of the chat
    sent_step: array[int]  # the first step that starts once it has been sent: the queue holds it from here
    joined_step: array[int]  # up to here, and the batch from here on
    last_step: array[int]  # in which it gets its last word, and leaves with its pages
    is_served: array[int]  # 1 if it got all its words before the run ended, else 0
    page: array[int]  # the number of the page
    page_chat: array[int]
    page_from: array[int]  # the step in which the chat took the page: it is held from here
    page_to: array[int]  # the step in which the page was given back: it is held up to the one before


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


def intervals(workload: Workload, rate: float, run: Run, page_tokens: int = PAGE_TOKENS) -> Intervals:
    """From-to steps of all chats and pages of a run of `workload` at `rate`, also of one that broke off.

    page_tokens: tokens in a page of the server that made the run.

    >>> heavy = intervals(chats(), 40, serve(chats(), rate=40, pages=240, limit=16))
    >>> heavy.joined_step[:4].tolist(), heavy.last_step[:4].tolist(), heavy.page[:5].tolist()
    ([0, 1, 3, 3], [9, 27, 25, 43], [0, 1, 2, 3, 4])
    """
    after = len(run.start_s)
    sent_s = sending_times(workload.gaps, rate)
    joined_step = [run.joined_step.get(chat, after) for chat in range(len(sent_s))]
    words_to_come = [reply - 1 for reply in workload.replies]
    last_step = [min(step + words, after) for step, words in zip(joined_step, words_to_come, strict=True)]
    tokens = [sum(pair) for pair in zip(workload.prompts, workload.replies, strict=True)]
    taken = sorted(
        (
            min(joined_step[chat] + max(0, at * page_tokens - workload.prompts[chat]), last_step[chat]),
            joined_step[chat],
            chat,
            at,
        )
        for chat, table in run.page_table.items()
        for at in range(len(table))
    )
    return Intervals(
        sent_s=array("d", sent_s),
        prompt_tokens=array("i", workload.prompts),
        reply_tokens=array("i", workload.replies),
        promise=array("i", [-(-count // page_tokens) for count in tokens]),
        sent_step=array("i", [bisect_left(run.start_s, sent) for sent in sent_s]),
        joined_step=array("i", joined_step),
        last_step=array("i", last_step),
        is_served=array("i", [chat in run.last_word_s for chat in range(len(sent_s))]),
        page=array("i", [run.page_table[chat][at] for _, _, chat, at in taken]),
        page_chat=array("i", [chat for _, _, chat, _ in taken]),
        page_from=array("i", [step for step, _, _, _ in taken]),
        page_to=array("i", [last_step[chat] for _, _, chat, _ in taken]),
    )


@cache
def lesson_chats(order: int) -> Workload:
    """Draw the chats of an order once: it takes nearly as long as serving them, and no run changes them."""
    return chats(order)


def answer(rate: float, pages: int, limit: int, shuffle: int) -> tuple[str, Columns]:
    """Serve the lesson's chats in order `shuffle`: the report as JSON (null for None) and the columns.

    JSON keeps every float to the last bit.
    """
    workload = lesson_chats(shuffle)
    run = serve(workload, rate, pages, limit)
    return json.dumps(report(workload, rate, run)), columns(run)


def lesson_intervals(rate: float, pages: int, limit: int, shuffle: int) -> Intervals:
    """Serve the lesson's chats as `answer` does, and tell who was where."""
    workload = lesson_chats(shuffle)
    return intervals(workload, rate, serve(workload, rate, pages, limit))
