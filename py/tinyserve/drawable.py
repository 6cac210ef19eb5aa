"""Whether the results of a changed server can be drawn: if not, what is wrong with them, in one sentence.

A `Run` is judged by what it holds and not by its class, since a reader may write another class. What is
drawn is a copy of plain numbers, with what stands in a `Run` for a report alone left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral, Real
from reprlib import repr as shortened
from typing import Any

from tinyserve.tiny_server import MOST, Run
from tinyserve.workload import Workload

# What is drawn of a Run: one entry for each step, and one for each chat.
SECONDS = ("start_s", "took_s")
COUNTS = ("stepped", "queue", "held")
FLAGS = ("cache_held_out", "batch_held_out")
PER_STEP = (*SECONDS, *COUNTS, "owed", *FLAGS)
PER_CHAT = ("joined_step", "first_word_s", "last_word_s", "page_table")

# The keys of a report.
REPORT_MAY_BE_NONE = ("tbt_p50_s", "tbt_p99_s", "tpot_p50_s", "tpot_p99_s", "cache_full_s")
REPORT_SECONDS = ("ttft_p50_s", "ttft_p99_s", *REPORT_MAY_BE_NONE)
REPORT_COUNTS = ("queue_max", "pages_max", "cache_steps", "batch_steps", "steps")
REPORT_RATE = "chats_per_s"
WALLS = ("none", "cache", "batch", "both")


class UndrawableError(ValueError):
    """A result that cannot be drawn. The sentence names it, its value, and what it must be."""


class Kind:
    """A kind of entry: what it must be, in words, and what makes it plain, or None of another kind."""

    def __init__(self, allowed: str, plain: Callable[[Any], Any]) -> None:
        self._allowed = allowed
        self._plain = plain

    def entry(self, value: object, name: str) -> Any:
        """One entry, made plain; UndrawableError if it is of another kind."""
        made = self._plain(value)
        if made is None:
            raise UndrawableError(f"{name} must be {self._allowed}, got {shortened(value)}")
        return made

    def entries(self, values: Iterable[Any], name: str, keys: Iterable[int]) -> list[Any]:
        """All entries of a list or a dict of that name, which are named by their keys."""
        plain = self._plain
        made = [plain(value) for value in values]
        if None in made:
            for key, value in zip(keys, values):
                self.entry(value, f"{name}[{key}]")
        return made


def number(value: object) -> float | None:
    """`value` as a float, if it is a number from 0 to MOST; what is beyond finds no room on the page."""
    if type(value) is not float:
        if isinstance(value, bool) or not isinstance(value, Real):
            return None
        try:
            value = float(value)
        except OverflowError:  # a whole number beyond every float
            return None
    return value if 0 <= value <= MOST else None


def whole_number(least: int, most: int) -> Kind:
    """Whole numbers in a range."""

    def plain(value: object) -> int | None:
        """`value` as an int, if it is one in the range."""
        if type(value) is not int:
            if isinstance(value, bool) or not isinstance(value, Integral):
                return None
            value = int(value)
        return value if least <= value <= most else None

    return Kind(f"a whole number from {least:,} to {most:,}", plain)


def flag(value: object) -> bool | None:
    """`value` as a bool, if it is one, or 0 or 1."""
    return bool(value) if isinstance(value, int) and value in (0, 1) else None


def wall(value: object) -> str | None:
    """The wall that `value` names: our own word, for a reader's may equal anything."""
    return WALLS[WALLS.index(value)] if type(value) is str and value in WALLS else None


SECOND = Kind(f"0 to {MOST:,} seconds", number)
RATE = Kind(f"0 to {MOST:,} chats a second", number)
COUNT = whole_number(0, MOST)
OWED = whole_number(-MOST, MOST)  # negative where too few pages are promised
FLAG = Kind("True or False", flag)
WALL = Kind(f"one of {', '.join(WALLS)}", wall)
LIST_OF_PAGES = Kind("a list of pages", lambda table: list(table) if isinstance(table, Sequence) else None)


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
    whole_number(0, steps - 1).entries(run.joined_step.values(), "joined_step", run.joined_step)
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
    has = [key for key in returned if type(key) is str and key in known]
    return has + [key for key in known if key not in returned]


def _report_entry(returned: Mapping[Any, Any], key: str) -> object:
    """One entry of a report as a plain value."""
    if key not in returned:
        raise UndrawableError(f"the report has no {key}: report must return a dict with this key")
    value = returned[key]
    if value is None and key in REPORT_MAY_BE_NONE:
        return None
    if key == "wall":
        kind = WALL
    else:
        kind = COUNT if key in REPORT_COUNTS else RATE if key == REPORT_RATE else SECOND
    return kind.entry(value, f"{key} of the report")


def _check_parts(returned: object) -> None:
    """Check that what `serve` returned has the lists and dicts of a Run."""
    for names, kind, what in ((PER_STEP, Sequence, "list"), (PER_CHAT, Mapping, "dict")):
        for name in names:
            if not hasattr(returned, name):
                lacking = "" if returned is None else f" without {name}"
                raise UndrawableError(f"serve must return a Run, got {shortened(returned)}{lacking}")
            value = getattr(returned, name)
            if not isinstance(value, kind) or isinstance(value, str):
                raise UndrawableError(f"{name} of the Run must be a {what}, got {shortened(value)}")


def _part(run: object, name: str) -> Any:
    """One of the lists or dicts of a Run of whatever class."""
    return getattr(run, name)


def _copied(source: object, steps: int, workload: Workload, pages: int) -> Run:
    """The first steps of a run, as plain numbers that can be drawn."""
    run = Run()
    kinds = {**dict.fromkeys(SECONDS, SECOND), **dict.fromkeys(COUNTS, COUNT), **dict.fromkeys(FLAGS, FLAG)}
    for name, kind in (kinds | {"owed": OWED}).items():
        setattr(run, name, kind.entries(_part(source, name)[:steps], name, range(steps)))
    for at, (before, after) in enumerate(zip(run.start_s, run.start_s[1:]), 1):
        if after < before:
            previous = f"start_s[{at - 1}] = {before!r}"
            raise UndrawableError(f"start_s[{at}] must not be before {previous}, got {after!r}")
    chats = len(workload.prompts)
    run.joined_step = _of_chats(source, "joined_step", whole_number(0, steps), chats)
    run.first_word_s = _of_chats(source, "first_word_s", SECOND, chats)
    run.last_word_s = _of_chats(source, "last_word_s", SECOND, chats)
    run.page_table = _of_chats(source, "page_table", LIST_OF_PAGES, chats)
    page = whole_number(0, pages - 1)
    for chat, table in run.page_table.items():
        run.page_table[chat] = page.entries(table, f"page_table[{chat}]", range(len(table)))
        if chat not in run.joined_step:
            raise UndrawableError(f"page_table has chat {chat}, and so must joined_step, where it is not")
    return run


def _of_chats(source: object, name: str, kind: Kind, chats: int) -> dict[int, Any]:
    """One of the dicts of a Run, its keys checked to be chats."""
    entries = dict(_part(source, name))
    for chat in entries:
        if type(chat) is not int or not 0 <= chat < chats:
            allowed = f"chats, from 0 to {chats - 1}"
            raise UndrawableError(f"the keys of {name} must be {allowed}, got {shortened(chat)}")
    return dict(zip(entries, kind.entries(entries.values(), name, entries)))
