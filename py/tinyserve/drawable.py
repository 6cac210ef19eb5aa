"""Whether the results of a changed server can be drawn: if not, what is wrong with them, in one sentence.

A `Run` is judged by what it holds and not by its class, since a reader may write another class. What is
drawn is a copy of plain numbers, with what stands in a `Run` for a report alone left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from reprlib import repr as shortened
from typing import Any

from tinyserve.tiny_server import MOST, Run
from tinyserve.workload import Workload

# What is drawn of a Run: one entry for each step, and one for each chat.
SECONDS = ("start_s", "took_s")
COUNTS = ("stepped", "queue", "held", "owed")
FLAGS = ("cache_held_out", "batch_held_out")
PER_STEP = (*SECONDS, *COUNTS, *FLAGS)
PER_CHAT = ("joined_step", "first_word_s", "last_word_s", "page_table")
LEAST = {"owed": -MOST}  # all other counts are 0 or more; owed pages go negative if too few are promised

# The keys of a report.
REPORT_MAY_BE_NONE = ("tbt_p50_s", "tbt_p99_s", "tpot_p50_s", "tpot_p99_s", "cache_full_s")
REPORT_SECONDS = ("ttft_p50_s", "ttft_p99_s", *REPORT_MAY_BE_NONE)
REPORT_COUNTS = ("queue_max", "pages_max", "cache_steps", "batch_steps", "steps")
REPORT_RATE = "chats_per_s"
WALLS = ("none", "cache", "batch", "both")


class UndrawableError(ValueError):
    """A result that cannot be drawn. The sentence names it, its value, and what it must be."""


def whole_run(returned: object, workload: Workload, pages: int) -> Run:
    """Copy what `serve` returned for `workload` on a server of `pages` pages.

    Raises UndrawableError if it cannot be drawn.

    >>> whole_run(None, Workload([0.0], [1], [1]), pages=1)
    Traceback (most recent call last):
    tinyserve.drawable.UndrawableError: serve must return a Run, got None
    """
    _check_parts(returned)
    steps = len(_part(returned, PER_STEP[0]))
    if steps == 0:
        raise UndrawableError(f"a Run must have at least one step, got 0 entries in {PER_STEP[0]}")
    for name in PER_STEP:
        if len(_part(returned, name)) != steps:
            lengths = f"{len(_part(returned, name)):,} entries, and {PER_STEP[0]} has {steps:,}"
            raise UndrawableError(f"{name} of the Run must have one entry for each step: it has {lengths}")
    run = _copied(returned, steps, workload, pages)
    for chat in range(len(workload.prompts)):
        for name, word in (("joined_step", "first"), ("first_word_s", "first"), ("last_word_s", "last")):
            if chat not in getattr(run, name):
                missing = f"chat {chat} never got its {word} word"
                raise UndrawableError(f"{missing}: {name} of the Run must have every chat")
        _count(f"joined_step[{chat}]", run.joined_step[chat], most=steps - 1)
    return run


def looks_like_a_run(value: object) -> bool:
    """Whether an object holds what is drawn of a Run."""
    kinds = [(name, Sequence) for name in PER_STEP] + [(name, Mapping) for name in PER_CHAT]
    return all(isinstance(getattr(value, name, None), kind) for name, kind in kinds)


def begun_run(unfinished: object, workload: Workload, pages: int) -> Run | None:
    """Copy the complete steps of a run that broke off; None if there is none, or none that can be drawn."""
    steps = min(len(_part(unfinished, name)) for name in PER_STEP)
    if steps == 0:
        return None
    try:
        run = _copied(unfinished, steps, workload, pages)
    except UndrawableError:
        return None
    end_s = run.start_s[-1] + run.took_s[-1]
    # What the step in which it broke off had written down already has not happened.
    run.first_word_s = {chat: word_s for chat, word_s in run.first_word_s.items() if word_s <= end_s}
    run.last_word_s = {chat: word_s for chat, word_s in run.last_word_s.items() if word_s <= end_s}
    return run


def whole_report(returned: object) -> dict[str, Any]:
    """Copy what `report` returned, with the known keys alone.

    Raises UndrawableError if it cannot be shown.

    >>> whole_report({"wall": "cache"})
    Traceback (most recent call last):
    tinyserve.drawable.UndrawableError: the report has no ttft_p50_s: report must return a dict with this key
    """
    if not isinstance(returned, Mapping):
        raise UndrawableError(f"report must return a dict, got {shortened(returned)}")
    return {key: _report_entry(returned, key) for key in _report_keys(returned)}


def _report_keys(returned: Mapping[Any, Any]) -> list[str]:
    """All keys of a report, in the order in which this one has them; those that it lacks come last."""
    known = [*REPORT_SECONDS, *REPORT_COUNTS, REPORT_RATE, "wall"]
    return [key for key in returned if key in known] + [key for key in known if key not in returned]


def _report_entry(returned: Mapping[Any, Any], key: str) -> object:
    """One entry of a report as a plain value."""
    name = f"{key} of the report"
    if key not in returned:
        raise UndrawableError(f"the report has no {key}: report must return a dict with this key")
    value = returned[key]
    if value is None and key in REPORT_MAY_BE_NONE:
        return None
    if key in REPORT_SECONDS:
        return _seconds(name, value)
    if key in REPORT_COUNTS:
        return _count(name, value)
    if key == REPORT_RATE:
        return _seconds(name, value, unit="chats a second")
    if value not in WALLS:
        raise UndrawableError(f"{name} must be one of {', '.join(WALLS)}, got {shortened(value)}")
    return value


def _check_parts(returned: object) -> None:
    """Check that what `serve` returned has the lists and dicts of a Run."""
    for names, kind, what in ((PER_STEP, Sequence, "list"), (PER_CHAT, Mapping, "dict")):
        for name in names:
            if not hasattr(returned, name):
                lacking = "" if returned is None else f" without {name}"
                raise UndrawableError(f"serve must return a Run, got {shortened(returned)}{lacking}")
            value = getattr(returned, name)
            if not isinstance(value, kind):
                raise UndrawableError(f"{name} of the Run must be a {what}, got {shortened(value)}")


def _part(run: object, name: str) -> Any:
    """One of the lists or dicts of a Run of whatever class."""
    return getattr(run, name)


def _copied(source: object, steps: int, workload: Workload, pages: int) -> Run:
    """The first steps of a run, as plain numbers that can be drawn."""
    run = Run()
    for name in SECONDS:
        entries = enumerate(_part(source, name)[:steps])
        setattr(run, name, [_seconds(f"{name}[{at}]", value) for at, value in entries])
    for name in COUNTS:
        entries = enumerate(_part(source, name)[:steps])
        setattr(run, name, [_count(f"{name}[{at}]", value, LEAST.get(name, 0)) for at, value in entries])
    for name in FLAGS:
        entries = enumerate(_part(source, name)[:steps])
        setattr(run, name, [_flag(f"{name}[{at}]", value) for at, value in entries])
    for at, (before, after) in enumerate(zip(run.start_s, run.start_s[1:]), 1):
        if after < before:
            previous = f"start_s[{at - 1}] = {before!r}"
            raise UndrawableError(f"start_s[{at}] must not be before {previous}, got {after!r}")
    chats = len(workload.prompts)
    run.joined_step = {
        chat: _count(f"joined_step[{chat}]", step, most=steps)
        for chat, step in _of_chats(source, "joined_step", chats)
    }
    for name in ("first_word_s", "last_word_s"):
        of_chats = _of_chats(source, name, chats)
        setattr(run, name, {chat: _seconds(f"{name}[{chat}]", value) for chat, value in of_chats})
    for chat, table in _of_chats(source, "page_table", chats):
        run.page_table[chat] = _table(chat, table, pages)
        if chat not in run.joined_step:
            raise UndrawableError(f"page_table has chat {chat}, and so must joined_step, where it is not")
    return run


def _of_chats(source: object, name: str, chats: int) -> list[tuple[int, Any]]:
    """The entries of one of the dicts of a Run, its keys checked to be chats."""
    entries = list(_part(source, name).items())
    for chat, _ in entries:
        if type(chat) is not int or not 0 <= chat < chats:
            allowed = f"chats, from 0 to {chats - 1}"
            raise UndrawableError(f"the keys of {name} must be {allowed}, got {shortened(chat)}")
    return entries


def _table(chat: int, table: object, pages: int) -> list[int]:
    """The pages of one chat."""
    name = f"page_table[{chat}]"
    if not isinstance(table, Sequence):
        raise UndrawableError(f"{name} must be a list of pages, got {shortened(table)}")
    return [_count(f"{name}[{at}]", page, most=pages - 1) for at, page in enumerate(table)]


def _seconds(name: str, value: object, unit: str = "seconds") -> float:
    """`value` as a float, if it is finite and not negative."""
    if not isinstance(value, bool) and isinstance(value, Real):
        try:
            number = float(value)
        except OverflowError:  # a whole number beyond every float
            number = math.inf
        if 0 <= number < math.inf:
            return number
    raise UndrawableError(f"{name} must be 0 or more {unit}, and finite, got {shortened(value)}")


def _count(name: str, value: object, least: int = 0, most: int = MOST) -> int:
    """`value` as an int, if it is a whole number in this range."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
        allowed = f"a whole number from {least:,} to {most:,}"
        raise UndrawableError(f"{name} must be {allowed}, got {shortened(value)}")
    return int(value)


def _flag(name: str, value: object) -> bool:
    """`value` as a bool, if it is one, or 0 or 1."""
    if not isinstance(value, int) or value not in (0, 1):
        raise UndrawableError(f"{name} must be True or False, got {shortened(value)}")
    return bool(value)
