"""The chats, their sending times, recorded arrivals and the percentile."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.cases import PUBLISHED
from tests.reference import plain_server
from tests.reference.plain_report import nearest_rank
from tinyserve import Workload, arrival_rate, chats, load_test, serve
from tinyserve.workload import percentile, sending_times

ORDERS = range(PUBLISHED["grid"]["orders"])
SECONDS = st.floats(0, 1000)
arrivals = st.lists(st.integers(0, 10_000_000), min_size=2, max_size=20).map(sorted)  # microseconds, say


def pairs(workload: Workload) -> list[tuple[int, int]]:
    """Prompt and reply of each chat."""
    return list(zip(workload.prompts, workload.replies, strict=True))


# The six orders


def test_every_order_has_the_same_chats_at_the_same_gaps() -> None:
    for order in ORDERS:
        assert sorted(pairs(chats(order))) == sorted(pairs(chats()))
        assert chats(order).gaps == chats().gaps


def test_no_two_orders_are_the_same() -> None:
    assert len({tuple(pairs(chats(order))) for order in ORDERS}) == len(ORDERS)


def test_the_chats_are_the_same_whenever_they_are_made() -> None:
    assert chats(3) == chats(3)
    assert chats() == chats(0)


# Sending times


@given(st.lists(SECONDS, min_size=1, max_size=50), st.floats(0.001, 1000))
def test_each_chat_is_sent_its_gap_over_the_rate_after_the_one_before(gaps: list[float], rate: float) -> None:
    assert sending_times(gaps, rate) == plain_server.sending_times(gaps, rate)


@given(st.lists(SECONDS, min_size=1, max_size=50), st.integers(1, 60))
def test_the_first_chat_is_sent_at_0_and_none_before_the_one_in_front_of_it(
    gaps: list[float], rate: int
) -> None:
    sent = sending_times(gaps, rate)
    assert sent[0] == 0.0
    assert sent == sorted(sent)
    assert len(sent) == len(gaps)


@given(st.lists(st.integers(0, 1000).map(float), min_size=2, max_size=50))
def test_twice_the_rate_sends_each_chat_after_half_the_time(gaps: list[float]) -> None:
    assert [2 * t for t in sending_times(gaps, 2)] == sending_times(gaps, 1)


# Recorded arrivals


@given(arrivals.filter(lambda times: times[-1] > times[0]))
def test_at_the_rate_of_the_recording_the_chats_are_sent_as_they_arrived(times: list[int]) -> None:
    workload = Workload.from_arrivals(times, [5] * len(times), [2] * len(times))
    sent = sending_times(workload.gaps, arrival_rate(times))
    span = times[-1] - times[0]
    assert sent == pytest.approx([t - times[0] for t in times], rel=1e-12, abs=span * 1e-12)


@given(arrivals.filter(lambda times: times[-1] > times[0]))
def test_the_gaps_of_a_recording_are_1_on_average_whatever_its_rate(times: list[int]) -> None:
    gaps = Workload.from_arrivals(times, [5] * len(times), [2] * len(times)).gaps
    assert list(accumulate(gaps))[-1] == pytest.approx(len(times) - 1)
    assert gaps[-1] == 0.0  # nobody is sent after the last


def test_the_rate_of_a_recording_is_its_gaps_over_its_time() -> None:
    assert arrival_rate([100.0, 100.5, 101.0, 102.0]) == 3 / 2


def test_the_time_of_day_of_a_recording_does_not_matter() -> None:
    at_noon = Workload.from_arrivals([43200.0, 43200.5, 43202.0], [5, 6, 7], [2, 3, 4])
    assert at_noon == Workload.from_arrivals([0.0, 0.5, 2.0], [5, 6, 7], [2, 3, 4])


def test_chats_that_arrive_at_one_moment_are_sent_at_one_moment() -> None:
    workload = Workload.from_arrivals([7.0, 7.0, 7.0], [5, 6, 7], [2, 3, 4])
    assert sending_times(workload.gaps, 1) == [0.0, 0.0, 0.0]
    assert set(serve(workload, 1, 3, 3).joined_step.values()) == {0}


def test_a_single_recorded_chat_is_sent_at_0() -> None:
    assert sending_times(Workload.from_arrivals([99.0], [5], [2]).gaps, 1) == [0.0]


def test_a_recording_may_be_any_iterable_of_times() -> None:
    assert Workload.from_arrivals(iter([0, 1]), [5, 6], [2, 3]).gaps == (1.0, 0.0)


# A workload


def test_a_workload_does_not_change_with_the_lists_it_was_made_from() -> None:
    prompts = [30, 40]
    workload = Workload([0.5, 0.5], prompts, [3, 4])
    prompts[0] = 600
    assert workload.prompts == (30, 40)
    with pytest.raises(AttributeError):
        workload.prompts = (600, 40)  # type: ignore[misc]


def test_any_object_with_gaps_prompts_and_replies_can_be_served() -> None:
    class Recorded:
        gaps = [0.5, 0.5]
        prompts = [30, 40]
        replies = [3, 4]

    made = Workload(Recorded.gaps, Recorded.prompts, Recorded.replies)
    assert load_test(Recorded(), 10, 6, 2) == load_test(made, 10, 6, 2)


# The percentile

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=120)
PERCENTS = st.integers(1, 100)


@given(VALUES, PERCENTS)
def test_the_percentile_is_the_nearest_rank_of_the_sorted_values(values: list[float], percent: int) -> None:
    assert percentile(values, percent) == nearest_rank(values, percent)


@given(st.lists(st.tuples(st.floats(0, 10), st.integers(0, 9)), max_size=40), PERCENTS)
def test_a_value_with_a_count_stands_that_many_times_in_the_sample(
    counted: list[tuple[float, int]], percent: int
) -> None:
    expanded = [value for value, count in counted for _ in range(count)]
    values = [value for value, _ in counted]
    counts = [count for _, count in counted]
    assert percentile(values, percent, counts) == nearest_rank(expanded, percent)


def test_p99_of_400_values_is_the_396th_smallest() -> None:
    assert percentile(range(1, 401), 99) == 400 * 99 // 100 == 396


def test_p100_is_the_largest_and_p50_of_two_the_smaller() -> None:
    assert percentile([3.0, 1.0, 2.0], 100) == 3.0
    assert percentile([3.0, 1.0], 50) == 1.0


def test_there_is_no_percentile_of_nothing() -> None:
    assert percentile([], 50) is None
    assert percentile([1.0, 2.0], 50, [0, 0]) is None


@given(VALUES, PERCENTS)
def test_the_values_stay_in_their_order(values: list[float], percent: int) -> None:
    before = list(values)
    percentile(values, percent)
    assert values == before


@pytest.mark.parametrize("percent", [0, 101, -1, 99.5, "50", None])
def test_a_percent_is_a_whole_number_from_1_to_100(percent: object) -> None:
    with pytest.raises(ValueError, match="percent must be a whole number from 1 to 100, got "):
        percentile([1.0, 2.0], percent)  # type: ignore[arg-type]
