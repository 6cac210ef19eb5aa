"""The chats of a load test: how long each is, when it is sent, and the percentile that sums up their waits.

The recipe of the lesson's chats was reconstructed from its published figures, all of which it reproduces.
The five shuffle seeds were searched for, so that every range the lesson prints for its six orders holds.
No `sum()` over floats in here: Python 3.12 and later compensate it, which would break bit equality.
"""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral, Real

CHATS_SEED = 2027
CHATS_DRAWN = 2000  # chats in the recipe; each of its four lists is drawn whole before the next
CHATS_SENT = 400  # of which the lesson sends the first
PROMPT_TOKENS = (30, 600)  # shortest and longest prompt; log-uniform between the two
LONG_REPLY_SHARE = 0.12  # fraction of the chats that get a long reply
LONG_REPLY_TOKENS = (100, 400)  # shortest and longest of those
SHORT_REPLY_TOKENS = (8, 60)  # and of the others
SHUFFLE_SEEDS = {1: 2, 2: 23, 3: 84, 4: 222, 5: 1734}  # order -> seed; order 0 is not shuffled
ORDERS = (0, *SHUFFLE_SEEDS)
MOST_TOKENS = 1_000_000  # of a prompt, and of a reply: a chat of both fits into the largest cache
FINEST_S = 1e-6  # seconds that the clock must be able to tell, far less than a step takes


@dataclass(frozen=True)
class Workload:
    """Chats in the order in which they are sent: three sequences of equal length, one entry for each chat.

    gaps: seconds from sending this chat to sending the next, at a mean rate of one chat a second.
    prompts: tokens the model reads. replies: tokens (words) it writes. Each from 1 to 1,000,000.

    Raises ValueError if there is no chat, if the lengths differ, or if an entry is out of range.

    >>> Workload(gaps=[0.5, 0.0], prompts=[34, 157], replies=[10, 27]).prompts
    (34, 157)
    """

    gaps: Sequence[float]
    prompts: Sequence[int]
    replies: Sequence[int]

    def __post_init__(self) -> None:
        """Check every entry, and keep plain numbers in tuples, so that no run can change another's chats."""
        for name in ("gaps", "prompts", "replies"):
            object.__setattr__(self, name, _entries(name, getattr(self, name)))
        lengths = (len(self.gaps), len(self.prompts), len(self.replies))
        if len(set(lengths)) > 1:
            raise ValueError(f"gaps, prompts and replies must be equally long, got {lengths} entries")
        if lengths[0] == 0:
            raise ValueError("gaps, prompts and replies must hold at least one chat, got 0 entries")
        object.__setattr__(self, "gaps", tuple(_seconds("gaps", at, gap) for at, gap in enumerate(self.gaps)))
        for name in ("prompts", "replies"):
            tokens = tuple(_tokens(name, at, value) for at, value in enumerate(getattr(self, name)))
            object.__setattr__(self, name, tokens)

    @classmethod
    def from_arrivals(
        cls, arrivals_s: Iterable[float], prompts: Sequence[int], replies: Sequence[int]
    ) -> "Workload":
        """Make a workload from recorded arrival times in ascending order, in seconds from any moment.

        Kept is the pattern of the arrivals; how dense they are is set by the `rate` at which they are sent.
        The rate `arrival_rate(arrivals_s)` replays the recording as it was.
        Raises ValueError for times that go back or are not finite, and for what `Workload` itself refuses.

        >>> Workload.from_arrivals([7.0, 7.5, 9.0], prompts=[34, 157, 457], replies=[10, 27, 23]).gaps
        (0.5, 1.5, 0.0)
        """
        moments = _moments(arrivals_s)
        gaps_s = [after - before for before, after in zip(moments, moments[1:], strict=False)]
        at_once = not any(gaps_s)
        scale = 1.0 if at_once else arrival_rate(moments)
        last_gap = [0.0] * bool(moments)
        return cls(gaps=[gap_s * scale for gap_s in gaps_s] + last_gap, prompts=prompts, replies=replies)


def arrival_rate(arrivals_s: Sequence[float]) -> float:
    """Mean chats a second of a recording: its gaps over the seconds from the first arrival to the last.

    Raises ValueError if all chats arrive at one moment, which is no rate at all.

    >>> arrival_rate([7.0, 7.5, 9.0])
    1.0
    """
    moments = _moments(arrivals_s)
    span_s = moments[-1] - moments[0] if moments else 0.0
    per_s = (len(moments) - 1) / span_s if span_s > 0 else 0.0
    if not 0 < per_s < math.inf:
        got = f"{len(moments)} from {moments[0]!r} to {moments[-1]!r}" if moments else "none"
        raise ValueError(f"arrivals_s must span a time that gives a rate, got {got}")
    return per_s


def chats(order: int = 0) -> Workload:
    """Give the lesson's 400 chats in one of six orders.

    Order 0 is the lesson's own; the others deal the same (prompt, reply) pairs to the same sending times.
    Raises ValueError for an order that is not a whole number from 0 to 5.

    >>> workload = chats()
    >>> workload.prompts[:4], workload.replies[:4]
    ((34, 157, 457, 248), (10, 27, 23, 41))
    """
    if isinstance(order, bool) or not isinstance(order, Integral) or order not in ORDERS:
        raise ValueError(f"order must be a whole number from {ORDERS[0]} to {ORDERS[-1]}, got {order!r}")

    draw = random.Random(CHATS_SEED)
    gaps = [draw.expovariate(1.0) for _ in range(CHATS_DRAWN)]
    prompts = [_log_uniform(draw, PROMPT_TOKENS) for _ in range(CHATS_DRAWN)]
    is_long = [draw.random() < LONG_REPLY_SHARE for _ in range(CHATS_DRAWN)]
    replies = [_log_uniform(draw, LONG_REPLY_TOKENS if long else SHORT_REPLY_TOKENS) for long in is_long]

    dealt = list(range(CHATS_SENT))
    if order in SHUFFLE_SEEDS:
        random.Random(SHUFFLE_SEEDS[order]).shuffle(dealt)
    return Workload(
        gaps=gaps[:CHATS_SENT],
        prompts=[prompts[chat] for chat in dealt],
        replies=[replies[chat] for chat in dealt],
    )


def sending_times(gaps: Sequence[float], rate: float) -> list[float]:
    """Seconds at which each chat is sent, the first at 0, when `rate` chats a second are sent on average.

    Raises ValueError if the rate is not a finite number above 0, or so low that a float no longer tells the
    last time to a microsecond.

    >>> sending_times(gaps=[0.5, 2.0, 1.0], rate=2)
    [0.0, 0.25, 1.25]
    """
    per_s = _finite(rate)
    if per_s is None or per_s <= 0:
        raise ValueError(f"rate must be a finite number of chats a second above 0, got {rate!r}")
    sent_s = []
    t = 0.0
    for gap in gaps:
        sent_s.append(t)
        t += gap / per_s
    if not math.ulp(sent_s[-1]) <= FINEST_S:
        raise ValueError(
            f"rate must be high enough to tell the last chat's time to {FINEST_S:f} s, got {rate!r}"
        )
    return sent_s


def percentile(values: Sequence[float], percent: int, counts: Sequence[int] | None = None) -> float | None:
    """Nearest-rank percentile: the smallest value that at least `percent` of 100 values do not exceed.

    counts: how many times each value stands in the sample; once each if not given.
    None if the sample is empty. Raises ValueError for a percent that is not a whole number from 1 to 100.

    >>> percentile([0.3, 0.1, 0.2, 0.4], 50)
    0.2
    >>> percentile([0.3, 0.1], 50, counts=[5, 1])
    0.3
    """
    if percent not in range(1, 101):
        raise ValueError(f"percent must be a whole number from 1 to 100, got {percent!r}")
    if counts is None:
        counts = [1] * len(values)
    rank = -(-percent * sum(counts) // 100)  # rounded up, in whole numbers: p99 of 400 is the 396th smallest
    seen = 0
    for value, count in sorted(zip(values, counts, strict=True)):
        seen += count
        if count and seen >= rank:
            return value
    return None


def _log_uniform(draw: random.Random, shortest_and_longest: tuple[int, int]) -> int:
    """One number of tokens whose logarithm is uniform between those of the two ends."""
    shortest, longest = shortest_and_longest
    return round(math.exp(draw.uniform(math.log(shortest), math.log(longest))))


def _finite(value: object) -> float | None:
    """`value` as a float; None if it is not a number or not a finite one."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:  # a whole number beyond every float
        return None
    return number if math.isfinite(number) else None


def _number(name: str, at: int, value: object) -> float:
    """`value` as a float, if it is a finite number."""
    number = _finite(value)
    if number is None:
        raise ValueError(f"{name}[{at}] must be a finite number of seconds, got {value!r}")
    return number


def _entries(name: str, values: object) -> list[object]:
    """`values` as a list, if it is a collection."""
    try:
        return list(values)  # type: ignore[call-overload,no-any-return]
    except TypeError:
        raise ValueError(f"{name} must be a list of numbers, got {values!r}") from None


def _moments(arrivals_s: object) -> list[float]:
    """Recorded times as floats, if they are finite and ascending."""
    entries = _entries("arrivals_s", arrivals_s)
    moments = [_number("arrivals_s", at, value) for at, value in enumerate(entries)]
    for at, (before, after) in enumerate(zip(moments, moments[1:], strict=False), 1):
        if after < before:
            raise ValueError(
                f"arrivals_s[{at}] must not be before arrivals_s[{at - 1}] = {before!r}, got {after!r}"
            )
    return moments


def _seconds(name: str, at: int, value: object) -> float:
    """`value` as a float, if it is a finite number of seconds from 0 up."""
    seconds = _number(name, at, value)
    if seconds < 0:
        raise ValueError(f"{name}[{at}] must be 0 or more seconds, got {value!r}")
    return seconds


def _tokens(name: str, at: int, value: object) -> int:
    """`value` as an int, if it is a whole number of tokens that a prompt or a reply may have."""
    tokens = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else 0
    if not 1 <= tokens <= MOST_TOKENS:
        allowed = f"a whole number of tokens, 1 to {MOST_TOKENS:,}"
        raise ValueError(f"{name}[{at}] must be {allowed}, got {value!r}")
    return tokens
