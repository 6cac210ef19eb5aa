"""Input of all sorts, drawn at random: it is served or refused with a ValueError, and with no other error."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tinyserve import Workload, arrival_rate, chats, load_test

FEW = Workload(gaps=[0.5, 0.5, 0.5], prompts=[30, 100, 40], replies=[3, 12, 5])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**400), 10**400)
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=5)
    | st.complex_numbers()
    | st.fractions()
    | st.decimals()
    | st.builds(object)
    | st.sampled_from(
        [Decimal("NaN"), Decimal(3), Fraction(1, 10**400), np.bool_(True), np.float32("inf"), np.int8(5)]
    )
)
JUNK = SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(st.text(max_size=2), SCALARS, max_size=2)
ANY_LIST = st.lists(SCALARS, max_size=3) | st.tuples(SCALARS, SCALARS) | JUNK


def served_or_refused(call: Callable[[], object], *names: str) -> None:
    """The call gives a result, or a ValueError about one of these arguments; any other error goes through."""
    try:
        result = call()
    except ValueError as wrong:
        assert str(wrong).startswith(names)
    else:
        assert result is not None


@settings(max_examples=100)
@given(JUNK)
def test_any_rate_is_served_or_refused(rate: Any) -> None:
    served_or_refused(lambda: load_test(FEW, rate, 240, 16), "rate must be ")


@settings(max_examples=100)
@given(JUNK)
def test_any_pages_are_served_or_refused(pages: Any) -> None:
    served_or_refused(lambda: load_test(FEW, 40, pages, 16), "pages must be ")


@settings(max_examples=100)
@given(JUNK)
def test_any_limit_is_served_or_refused(limit: Any) -> None:
    served_or_refused(lambda: load_test(FEW, 40, 240, limit), "limit must be ")


@settings(max_examples=100)
@given(JUNK)
def test_any_order_is_dealt_or_refused(order: Any) -> None:
    served_or_refused(lambda: chats(order), "order must be ")


@settings(max_examples=100)
@given(SCALARS, SCALARS, SCALARS)
def test_any_chat_is_taken_or_refused(gap: Any, prompt: Any, reply: Any) -> None:
    served_or_refused(lambda: Workload([0.5, gap], [30, prompt], [3, reply]), "gaps[", "prompts[", "replies[")


@settings(max_examples=100)
@given(ANY_LIST, ANY_LIST, ANY_LIST)
def test_any_lists_are_taken_or_refused(gaps: Any, prompts: Any, replies: Any) -> None:
    served_or_refused(lambda: Workload(gaps, prompts, replies), "gaps", "prompts", "replies")


@settings(max_examples=100)
@given(ANY_LIST)
def test_any_arrivals_are_taken_or_refused(arrivals: Any) -> None:
    chats_of_one_word = [1] * (len(arrivals) if hasattr(arrivals, "__len__") else 1)
    served_or_refused(
        lambda: Workload.from_arrivals(arrivals, chats_of_one_word, chats_of_one_word),
        "arrivals_s",
        "gaps, prompts",
    )


@settings(max_examples=100)
@given(ANY_LIST)
def test_any_arrivals_have_a_rate_or_are_refused(arrivals: Any) -> None:
    served_or_refused(lambda: arrival_rate(arrivals), "arrivals_s")
