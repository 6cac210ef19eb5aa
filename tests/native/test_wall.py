"""Which wall a report names: the two choices of the lesson, a floor of 4 waiting chats and a factor of 2."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tinyserve import bottleneck


def wall(queue_max: int, cache_steps: int, batch_steps: int) -> str:
    """The wall that the program names."""
    return bottleneck({"queue_max": queue_max, "cache_steps": cache_steps, "batch_steps": batch_steps})


@pytest.mark.parametrize(
    ("cache_steps", "batch_steps", "named"),
    [
        (9, 0, "cache"),
        (0, 9, "batch"),
        (5, 5, "both"),
        (10, 5, "both"),  # twice as many is still both
        (11, 5, "cache"),
        (5, 10, "both"),
        (5, 11, "batch"),
        (1, 0, "cache"),
        (0, 1, "batch"),
    ],
)
def test_the_wall_is_what_held_out_in_more_than_twice_the_steps_of_the_other(
    cache_steps: int, batch_steps: int, named: str
) -> None:
    assert wall(4, cache_steps, batch_steps) == named


@pytest.mark.parametrize("queue_max", [0, 1, 2, 3])
def test_there_is_no_wall_where_fewer_than_four_chats_ever_wait(queue_max: int) -> None:
    assert wall(queue_max, 1000, 10) == "none"
    assert wall(4, 1000, 10) == "cache"


@given(st.integers(4, 400), st.integers(0, 2000), st.integers(0, 2000))
def test_cache_and_batch_are_treated_alike(queue_max: int, one: int, other: int) -> None:
    swapped = {"cache": "batch", "batch": "cache", "both": "both"}
    assert wall(queue_max, other, one) == swapped[wall(queue_max, one, other)]
