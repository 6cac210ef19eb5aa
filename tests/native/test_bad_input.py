"""What the program says to input that it cannot take: a ValueError with name, value and what is allowed."""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.native.cases import pages_needed
from tinyserve import Run, Workload, arrival_rate, chats, load_test, report, serve

MOST = 1_000_000  # pages, and chats a step
MOST_TOKENS = 1_000_000  # of a prompt, and of a reply
FEW = Workload(gaps=[0.5, 0.5, 0.5], prompts=[30, 100, 40], replies=[3, 12, 5])
NEED = pages_needed(100 + 12)  # of chat 1, the longest of the few

NOT_NUMBERS = [True, False, "40", None, [40], 40j, b"40", math.nan]
BAD_RATES = [0, -1, 0.0, -0.0, -2.5, math.inf, -math.inf, 10**400, Fraction(1, 10**400), *NOT_NUMBERS]
NOT_WHOLE = [240.0, 16.5, math.inf, Fraction(33, 2), *NOT_NUMBERS]
BAD_LIMITS = [0, -1, MOST + 1, 10**400, *NOT_WHOLE]
BAD_PAGES = [NEED - 1, *BAD_LIMITS]
BAD_ORDERS = [-1, 6, 10**400, *NOT_WHOLE]
BAD_GAPS = [-1, -0.5, math.inf, -math.inf, 10**400, *NOT_NUMBERS]
BAD_TOKENS = [0, -1, MOST_TOKENS + 1, *NOT_WHOLE]


def says(message: str, name: str, value: object, allowed: str) -> None:
    """The message begins with the argument, says what it may be and what it was."""
    assert message.startswith(f"{name} must be ")
    assert allowed in message
    assert f"got {value!r}" in message
    assert "\n" not in message


# Each bad value, by name


@pytest.mark.parametrize("rate", BAD_RATES, ids=repr)
@pytest.mark.parametrize(
    "call",
    [
        lambda rate: serve(FEW, rate, 240, 16),
        lambda rate: load_test(FEW, rate, 240, 16),
        lambda rate: report(FEW, rate, serve(FEW, 40, 240, 16)),
    ],
    ids=["serve", "load_test", "report"],
)
def test_a_rate_is_a_finite_number_above_0(call: Callable[[Any], object], rate: object) -> None:
    with pytest.raises(ValueError) as wrong:
        call(rate)
    says(str(wrong.value), "rate", rate, "a finite number of chats a second above 0")


@pytest.mark.parametrize("rate", [5e-324, 1e-310, 1e-20, 1e-12])
def test_a_rate_is_not_so_low_that_the_clock_can_no_longer_tell_a_step(rate: float) -> None:
    with pytest.raises(ValueError) as wrong:
        serve(FEW, rate, 240, 16)
    says(str(wrong.value), "rate", rate, "high enough")


@pytest.mark.parametrize("pages", BAD_PAGES, ids=repr)
@pytest.mark.parametrize("call", [serve, load_test])
def test_pages_are_a_whole_number_that_holds_the_longest_chat(
    call: Callable[..., object], pages: object
) -> None:
    with pytest.raises(ValueError) as wrong:
        call(FEW, 40, pages, 16)
    says(str(wrong.value), "pages", pages, f"an int from {NEED} to {MOST:,}")
    assert f"chat 1 needs {NEED}" in str(wrong.value)


@pytest.mark.parametrize("limit", BAD_LIMITS, ids=repr)
@pytest.mark.parametrize("call", [serve, load_test])
def test_a_limit_is_an_int_from_1_to_a_million(call: Callable[..., object], limit: object) -> None:
    with pytest.raises(ValueError) as wrong:
        call(FEW, 40, 240, limit)
    says(str(wrong.value), "limit", limit, f"an int from 1 to {MOST:,}")


def test_of_several_longest_chats_the_first_is_named() -> None:
    two = Workload([0, 0, 0], [5, 100, 100], [1, 12, 12])
    with pytest.raises(ValueError, match=f"chat 1 needs {NEED}"):
        serve(two, 40, NEED - 1, 16)


def test_the_longest_chat_that_there_can_be_fits_into_the_largest_cache() -> None:
    longest = Workload([0], [MOST_TOKENS], [MOST_TOKENS])
    need = pages_needed(2 * MOST_TOKENS)
    assert need < MOST
    with pytest.raises(ValueError, match=rf"an int from {need:,} to {MOST:,} \(chat 0 needs {need:,}\)"):
        serve(longest, 40, need - 1, 16)


def test_the_fewest_pages_the_smallest_limit_and_the_most_of_both_are_served() -> None:
    for pages, limit in ((NEED, 1), (MOST, MOST)):
        assert load_test(FEW, 40, pages, limit)["steps"] > 0


@pytest.mark.parametrize("order", BAD_ORDERS, ids=repr)
def test_an_order_is_a_whole_number_from_0_to_5(order: object) -> None:
    with pytest.raises(ValueError) as wrong:
        chats(order)  # type: ignore[arg-type]
    says(str(wrong.value), "order", order, "a whole number from 0 to 5")


# The chats


@pytest.mark.parametrize("gap", BAD_GAPS, ids=repr)
def test_a_gap_is_a_finite_number_of_seconds_from_0_up(gap: object) -> None:
    with pytest.raises(ValueError) as wrong:
        Workload([0.5, gap], [30, 40], [3, 4])  # type: ignore[list-item]
    says(str(wrong.value), "gaps[1]", gap, "seconds")


@pytest.mark.parametrize("tokens", BAD_TOKENS, ids=repr)
def test_a_prompt_is_a_whole_number_of_tokens_from_1_to_a_million(tokens: object) -> None:
    with pytest.raises(ValueError) as wrong:
        Workload([0.5, 0.5], [30, tokens], [3, 4])  # type: ignore[list-item]
    says(str(wrong.value), "prompts[1]", tokens, f"a whole number of tokens, 1 to {MOST_TOKENS:,}")


@pytest.mark.parametrize("tokens", BAD_TOKENS, ids=repr)
def test_a_reply_is_a_whole_number_of_tokens_from_1_to_a_million(tokens: object) -> None:
    with pytest.raises(ValueError) as wrong:
        Workload([0.5, 0.5], [30, 40], [tokens, 4])  # type: ignore[list-item]
    says(str(wrong.value), "replies[0]", tokens, f"a whole number of tokens, 1 to {MOST_TOKENS:,}")


def test_there_is_at_least_one_chat() -> None:
    with pytest.raises(ValueError, match=r"gaps, prompts and replies must hold at least one chat"):
        Workload([], [], [])
    with pytest.raises(ValueError, match=r"must hold at least one chat"):
        Workload.from_arrivals([], [], [])


@pytest.mark.parametrize("lengths", [(1, 2, 2), (2, 1, 2), (2, 2, 1), (0, 1, 1)])
def test_the_lists_are_equally_long(lengths: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError) as wrong:
        Workload(*([1] * length for length in lengths))
    says(str(wrong.value), "gaps, prompts and replies", lengths, "equally long")


def test_recorded_chats_are_as_many_as_their_arrivals() -> None:
    with pytest.raises(ValueError, match="must be equally long"):
        Workload.from_arrivals([0.0, 1.0], [30], [3])


def test_arrivals_do_not_go_back() -> None:
    with pytest.raises(ValueError) as wrong:
        Workload.from_arrivals([0.0, 2.5, 1.5], [30, 40, 50], [3, 4, 5])
    assert str(wrong.value) == "arrivals_s[2] must not be before arrivals_s[1] = 2.5, got 1.5"


@pytest.mark.parametrize("arrival", [math.inf, -math.inf, 10**400, *NOT_NUMBERS], ids=repr)
def test_an_arrival_is_a_finite_number_of_seconds(arrival: object) -> None:
    with pytest.raises(ValueError) as wrong:
        Workload.from_arrivals([0.0, arrival], [30, 40], [3, 4])  # type: ignore[list-item]
    says(str(wrong.value), "arrivals_s[1]", arrival, "a finite number of seconds")


@pytest.mark.parametrize("arrivals", [[], [3.0], [3.0, 3.0]])
def test_arrivals_at_one_moment_have_no_rate(arrivals: list[float]) -> None:
    with pytest.raises(ValueError) as wrong:
        arrival_rate(arrivals)
    assert str(wrong.value).startswith("arrivals_s must span a time that gives a rate, got ")
    assert str(len(arrivals) or "none") in str(wrong.value)


def test_arrivals_that_go_back_in_time_have_no_rate_either() -> None:
    with pytest.raises(ValueError, match=r"arrivals_s\[2\] must not be before .* = 5.0, got 1.0"):
        arrival_rate([0.0, 5.0, 1.0])


@pytest.mark.parametrize(
    "arrivals", [[-1e308, 1e308], [0.0, 5e-324]], ids=["too far apart", "too close together"]
)
def test_arrivals_too_far_apart_or_too_close_together_to_have_a_rate_are_named(arrivals: list[float]) -> None:
    for refused in (
        lambda: Workload.from_arrivals(arrivals, [30, 40], [3, 4]),
        lambda: arrival_rate(arrivals),
    ):
        with pytest.raises(ValueError, match="^arrivals_s must "):
            refused()


# Numbers that are not Python's own


def plain_numbers(value: object) -> bool:
    """Whether a value, and all that it holds, is of one of Python's own types, no other."""
    if isinstance(value, dict):
        return all(plain_numbers(key) and plain_numbers(entry) for key, entry in value.items())
    if isinstance(value, list | tuple):
        return all(plain_numbers(entry) for entry in value)
    return type(value) in (int, float, bool, str, type(None))


def holds_plain_numbers(run: Run, clipboard: dict[str, Any]) -> None:
    """Run and report can be written as JSON and hold no number of NumPy's."""
    assert plain_numbers(vars(run))
    assert plain_numbers(clipboard)
    assert json.loads(json.dumps(clipboard)) == clipboard


def test_chats_made_of_numpy_numbers_are_served_as_plain_ones() -> None:
    arrays = Workload(np.array(FEW.gaps), np.array(FEW.prompts), np.array(FEW.replies, dtype=np.uint8))  # type: ignore[arg-type]
    assert arrays == FEW
    assert plain_numbers([arrays.gaps, arrays.prompts, arrays.replies])
    recorded = Workload.from_arrivals(np.array([0.0, 0.5, 2.0]), [5, 6, 7], [2, 3, 4])
    assert plain_numbers([recorded.gaps, recorded.prompts, recorded.replies])
    assert recorded == Workload.from_arrivals([0.0, 0.5, 2.0], [5, 6, 7], [2, 3, 4])


@pytest.mark.parametrize(
    "rate", [np.int64(40), np.float64(40), np.float32(40), np.float16(40), Fraction(40)], ids=repr
)
def test_a_rate_may_be_any_real_number(rate: Any) -> None:
    run = serve(FEW, rate, 240, 16)
    clipboard = report(FEW, rate, run)
    assert clipboard == load_test(FEW, 40, 240, 16)
    holds_plain_numbers(run, clipboard)


@pytest.mark.parametrize(
    "rate", [np.float64("nan"), np.float64("inf"), np.float32("inf"), np.longdouble("1e4000")], ids=repr
)
def test_a_rate_of_numpy_is_finite_too(rate: Any) -> None:
    with pytest.raises(ValueError) as wrong:
        serve(FEW, rate, 240, 16)
    says(str(wrong.value), "rate", rate, "a finite number of chats a second above 0")


@pytest.mark.parametrize("name", ["pages", "limit"])
def test_pages_and_limit_are_pythons_own_whole_numbers_so_that_the_run_holds_no_others(name: str) -> None:
    with pytest.raises(ValueError) as wrong:
        serve(FEW, 40, **({"pages": NEED, "limit": 1} | {name: np.int64(NEED)}))
    says(str(wrong.value), name, np.int64(NEED), "an int from")


def test_what_plain_numbers_give_is_plain_too() -> None:
    run = serve(FEW, 40, NEED, 1)
    holds_plain_numbers(run, report(FEW, 40, run))
