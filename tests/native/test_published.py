"""Every figure of published.json, computed anew through the public functions and compared as text.

A figure is formatted with as many digits after the point as the published text has, and must give that text.
The code here does not use the program's own table of figures, so each can catch the other's mistake.
"""

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from math import ceil, floor
from statistics import fmean
from typing import Any

import pytest

from tests.native.cases import PAGE_TOKENS, PUBLISHED, pages_needed, steps_of
from tinyserve import Run, Workload, chats, load_test, report, serve
from tinyserve.step_time import real_card_pages, step_seconds
from tinyserve.workload import sending_times

SHUFFLED_ORDERS = range(PUBLISHED["grid"]["orders"])
HEAVY = (40, 240, 16)


def as_printed(value: float | str, published: str) -> str:
    """The value as text, with as many digits after the point as the published text."""
    if isinstance(value, str):
        return value
    return f"{value:.{len(published.partition('.')[2])}f}"


def flat(figures: dict[str, Any]) -> dict[str, Any]:
    """The published figures and, beside them, those that are ours."""
    published = {name: text for name, text in figures.items() if name != "ours"}
    ours: dict[str, Any] = figures.get("ours", {})
    return published | ours


@cache
def chats_in(order: int) -> Workload:
    """The lesson's chats."""
    return chats(order)


@cache
def run_of(rate: int, pages: int, limit: int) -> Run:
    """A run of the chats in their own order."""
    return serve(chats_in(0), rate, pages, limit)


def reports_of(rate: int, pages: int, limit: int) -> list[dict[str, Any]]:
    """Reports of one setting, one for each order of the chats."""
    return [load_test(chats_in(order), rate, pages, limit) for order in SHUFFLED_ORDERS]


# The chats

WHOLE_CHATS: dict[str, Callable[[Workload], float]] = {
    "count": lambda work: len(work.prompts),
    "tokens": lambda work: sum(work.prompts) + sum(work.replies),
    "prompt_min": lambda work: min(work.prompts),
    "prompt_max": lambda work: max(work.prompts),
    "reply_min": lambda work: min(work.replies),
    "reply_max": lambda work: max(work.replies),
    "tokens_per_chat_mean": lambda work: (sum(work.prompts) + sum(work.replies)) / len(work.prompts),
    "gaps_between_words": lambda work: sum(reply - 1 for reply in work.replies),
    "prompt_tokens": lambda work: sum(work.prompts),
    "reply_tokens": lambda work: sum(work.replies),
    "longest_tokens": lambda work: max(map(sum, zip(work.prompts, work.replies, strict=True))),
    "longest_pages": lambda work: max(
        map(pages_needed, map(sum, zip(work.prompts, work.replies, strict=True)))
    ),
}
CHAT_FIGURES = {name: text for name, text in flat(PUBLISHED["chats"]).items() if name != "first"}


@pytest.mark.parametrize("name", CHAT_FIGURES)
def test_the_chats_have_the_published(name: str) -> None:
    text = CHAT_FIGURES[name]
    assert as_printed(WHOLE_CHATS[name](chats_in(0)), text) == text


def test_the_first_chats_are_the_published_ones() -> None:
    work = chats_in(0)
    sent = sending_times(work.gaps, HEAVY[0])
    for chat, published in enumerate(PUBLISHED["chats"]["first"]):
        prompt, reply = work.prompts[chat], work.replies[chat]
        ours = {"sent_s": sent[chat], "prompt": prompt, "reply": reply, "pages": pages_needed(prompt + reply)}
        assert {name: as_printed(ours[name], text) for name, text in published.items()} == published


# The time of a step


@pytest.mark.parametrize("published", PUBLISHED["step_ms"], ids=lambda published: f"{published['ms']} ms")
def test_a_step_takes_the_published_time(published: dict[str, Any]) -> None:
    contexts = published["contexts"]
    seconds = step_seconds(len(contexts), sum(contexts), published["prompt_tokens"])
    assert as_printed(seconds * 1000, published["ms"]) == published["ms"]


def test_a_real_card_holds_the_published_number_of_pages() -> None:
    assert str(real_card_pages(PAGE_TOKENS)) == PUBLISHED["real_card_pages"]


# The runs

OF_A_RUN: dict[str, Callable[[Run], float]] = {
    "queue_max_first_3_s": lambda run: max(step.queue for step in steps_of(run) if step.start < 3),
    "steps_held_out_by_both": lambda run: sum(
        step.cache_held_out and step.batch_held_out for step in steps_of(run)
    ),
    "promised_at_cache_full": lambda run: next(
        step.held + step.owed for step in steps_of(run) if step.cache_held_out
    ),
    "first_touch_of_240_s": lambda run: next(
        step.start for step in steps_of(run) if step.held + step.owed == HEAVY[1]
    ),
}
RUN_FIGURES = [
    pytest.param(*setting, name, text, id=f"{name} at {'/'.join(map(str, setting))}")
    for run in PUBLISHED["runs"]
    for setting in [(run["rate"], run["pages"], run["limit"])]
    for name, text in flat(run).items()
    if name not in ("rate", "pages", "limit")
]


@pytest.mark.parametrize(("rate", "pages", "limit", "name", "text"), RUN_FIGURES)
def test_a_run_gives_the_published(rate: int, pages: int, limit: int, name: str, text: str) -> None:
    run = run_of(rate, pages, limit)
    if name in OF_A_RUN:
        value = OF_A_RUN[name](run)
    elif name.endswith("_ms"):
        value = report(chats_in(0), rate, run)[name.removesuffix("ms") + "s"] * 1000
    else:
        value = report(chats_in(0), rate, run)[name]
    assert as_printed(value, text) == text


@pytest.mark.parametrize(
    "published", PUBLISHED["heavy_trace"], ids=lambda published: f"step-{published['step']}"
)
def test_the_heavy_run_has_the_published_step(published: dict[str, Any]) -> None:
    step = steps_of(run_of(*HEAVY))[published["step"] - 1]  # the lesson counts steps from 1
    held_out_by = ["cache"] * step.cache_held_out + ["batch"] * step.batch_held_out
    assert published == {
        "step": published["step"],
        "start_s": as_printed(step.start, published["start_s"]),
        "took_ms": as_printed(step.took * 1000, published["took_ms"]),
        "chats": step.stepped,
        "new": step.joined,
        "queue": step.queue,
        "held": step.held,
        "owed": step.owed,
        "left": HEAVY[1] - step.held - step.owed,
        "held_out_by": " and ".join(held_out_by),
    }


# The six orders


def test_each_order_deals_the_chats_by_the_shuffle_of_its_published_seed() -> None:
    pairs = list(zip(chats_in(0).prompts, chats_in(0).replies, strict=True))
    for order, seed in enumerate(PUBLISHED["orders"]["ours"]["seeds"]):
        dealt = list(pairs)
        if order > 0:
            random.Random(seed).shuffle(dealt)
        assert list(zip(chats_in(order).prompts, chats_in(order).replies, strict=True)) == dealt
        assert chats_in(order).gaps == chats_in(0).gaps


def test_the_p99_first_wait_has_the_published_range_over_the_orders() -> None:
    waits = [run["ttft_p99_s"] for run in reports_of(40, 480, 16)]
    least, most = PUBLISHED["orders"]["ttft_p99_s_at_40_480_16"]
    assert (as_printed(min(waits), least), as_printed(max(waits), most)) == (least, most)


def test_the_first_wait_grows_as_many_times_as_published_from_10_to_40_chats_a_second() -> None:
    at_10 = reports_of(10, 240, 16)
    at_40 = reports_of(40, 240, 16)
    times = [heavy["ttft_p99_s"] / light["ttft_p99_s"] for light, heavy in zip(at_10, at_40, strict=True)]
    least, most = PUBLISHED["orders"]["ratio_of_ttft_p99_at_40_to_10_at_240_16"]
    assert (as_printed(min(times), least), as_printed(max(times), most)) == (least, most)


@pytest.mark.parametrize(("rate", "pages", "limit", "wall"), PUBLISHED["orders"]["walls_never_change"])
def test_the_wall_is_the_published_one_in_every_order(rate: int, pages: int, limit: int, wall: str) -> None:
    assert {run["wall"] for run in reports_of(rate, pages, limit)} == {wall}


def test_at_a_limit_of_24_the_wall_is_each_of_the_published_ones_in_as_many_orders() -> None:
    walls = Counter(run["wall"] for run in reports_of(40, 480, 24))
    assert walls == PUBLISHED["orders"]["wall_at_40_480_24"]


def test_at_a_limit_of_16_the_settings_come_in_the_published_order_by_first_wait() -> None:
    for waits in zip(*(reports_of(40, pages, 16) for pages in (240, 480, 960)), strict=True):
        at_240, at_480, at_960 = (run["ttft_p99_s"] for run in waits)
        assert at_240 > at_480 == at_960
    assert PUBLISHED["orders"]["ttft_p99_order_at_limit_16"] == "240 > 480 = 960 in all six"


# The grid


class Swept:
    """Times of the steps of one run of the grid, in seconds."""

    def __init__(self, run: Run) -> None:
        """Part the steps that read prompts from the others."""
        both = list(zip(run.took_s, run.joined, strict=True))
        self.reading = fmean(took for took, joined in both if joined)
        self.not_reading = [took for took, joined in both if not joined]


@pytest.fixture(scope="module")
def sweep() -> list[Swept]:
    """All runs of the published grid."""
    grid = PUBLISHED["grid"]
    return [
        Swept(serve(chats_in(order), rate, pages, limit))
        for order in range(grid["orders"])
        for rate in grid["rates"]
        for pages in grid["pages"]
        for limit in grid["limits"]
    ]


def test_the_grid_has_the_published_number_of_runs(sweep: list[Swept]) -> None:
    assert len(sweep) == PUBLISHED["grid"]["runs"]


def test_in_the_whole_grid_a_step_with_no_new_chat_takes_as_long_as_published(sweep: list[Swept]) -> None:
    """The published range holds all these steps: its ends are rounded outwards, to a tenth of a ms."""
    shortest = min(min(run.not_reading) for run in sweep) * 1000
    longest = max(max(run.not_reading) for run in sweep) * 1000
    least, most = PUBLISHED["grid"]["step_without_new_chat_ms"]
    assert as_printed(floor(shortest * 10) / 10, least) == least
    assert as_printed(ceil(longest * 10) / 10, most) == most


def test_in_every_run_of_the_grid_a_step_that_reads_prompts_takes_longer_on_average(
    sweep: list[Swept],
) -> None:
    assert all(run.reading > fmean(run.not_reading) for run in sweep)


def test_no_published_figure_is_left_out() -> None:
    tested = {"chats", "step_ms", "real_card_pages", "runs", "orders", "grid", "heavy_trace"}
    assert set(PUBLISHED) - {"note"} == tested
    assert set(PUBLISHED["grid"]) == {
        "rates",
        "pages",
        "limits",
        "orders",
        "runs",
        "step_without_new_chat_ms",
    }
    assert set(PUBLISHED["orders"]) == {
        "ours",
        "ttft_p99_s_at_40_480_16",
        "ratio_of_ttft_p99_at_40_to_10_at_240_16",
        "walls_never_change",
        "wall_at_40_480_24",
        "ttft_p99_order_at_limit_16",
    }
