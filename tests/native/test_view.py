"""What a page draws: the columns of a run and who was where in each step, against the plain loop."""

import json

import pytest
from hypothesis import given

from tests.native.cases import PUBLISHED, Case, case_of, random_cases, run_ours, run_plain
from tinyserve import Run, chats, load_test, serve
from tinyserve.view import answer, columns, intervals, moment

HEAVY = (40, 240, 16)


@given(random_cases())
def test_every_moment_is_as_the_plain_loop_saw_it(case: Case) -> None:
    ours = run_ours(case)
    for step, seen in enumerate(run_plain(case, watch=True).snapshots):
        now = moment(case.workload, case.rate, ours, step)
        assert now.waiting == seen.waiting
        assert list(now.words.items()) == list(seen.words.items())  # in order of joining
        assert now.pages == seen.page_tables


@given(random_cases())
def test_the_columns_are_the_plain_loops(case: Case) -> None:
    drawn = columns(run_ours(case))
    plain = run_plain(case).steps
    assert list(drawn.start_s) == [step.start for step in plain]
    assert list(drawn.end_s) == [step.start + step.took for step in plain]
    assert list(drawn.promised) == [step.held + step.owed for step in plain]
    assert list(drawn.held) == [step.held for step in plain]
    assert list(drawn.queue) == [step.queue for step in plain]
    assert list(drawn.stepped) == [step.stepped for step in plain]
    assert list(drawn.cache_held_out) == [int(step.cache_held_out) for step in plain]
    assert list(drawn.batch_held_out) == [int(step.batch_held_out) for step in plain]


@given(random_cases())
def test_the_intervals_tell_of_every_step_who_was_where_as_the_plain_loop_saw_it(case: Case) -> None:
    drawn = intervals(case.workload, case.rate, run_ours(case))
    everyone = range(len(drawn.sent_s))
    for step, seen in enumerate(run_plain(case, watch=True).snapshots):
        assert [c for c in everyone if drawn.sent_step[c] <= step < drawn.joined_step[c]] == seen.waiting
        assert {c for c in everyone if drawn.joined_step[c] <= step <= drawn.last_step[c]} == set(seen.words)
        held: dict[int, list[int]] = {}
        pages = zip(drawn.page, drawn.page_chat, drawn.page_from, drawn.page_to, strict=True)
        for page, chat, taken, given_back in pages:
            if taken <= step < given_back:
                held.setdefault(chat, []).append(page)
        assert held == seen.page_tables


@given(random_cases())
def test_the_pages_stand_in_the_order_of_taking_as_the_free_ones_lay(case: Case) -> None:
    taken = intervals(case.workload, case.rate, run_ours(case)).page
    first_taken = taken[: case.pages].tolist()  # all others have been given back before, and lay behind these
    assert first_taken == list(range(len(first_taken)))


def test_of_a_run_that_broke_off_the_rest_lies_after_its_last_step() -> None:
    workload = chats()
    whole = serve(workload, *HEAVY)
    steps = 10
    begun = Run()
    begun.start_s = whole.start_s[:steps]
    begun.joined_step = {chat: step for chat, step in whole.joined_step.items() if step < steps}
    begun.page_table = {chat: whole.page_table[chat][:1] for chat in begun.joined_step}
    drawn = intervals(workload, HEAVY[0], begun)
    for chat in range(len(workload.prompts)):
        assert drawn.joined_step[chat] == min(whole.joined_step[chat], steps)
        assert drawn.last_step[chat] <= steps
        assert not drawn.is_served[chat]


@pytest.mark.parametrize("beyond", [-1, 0])
def test_there_is_no_moment_before_the_first_step_nor_after_the_last(beyond: int) -> None:
    case = case_of(chats(), *HEAVY)
    run = run_ours(case)
    step = -1 if beyond else len(run.start_s)
    with pytest.raises(IndexError, match=f"step must be from 0 to {len(run.start_s) - 1}, got {step}"):
        moment(case.workload, case.rate, run, step)


@pytest.mark.parametrize("shuffle", range(PUBLISHED["grid"]["orders"]))
def test_the_answer_for_the_page_is_the_report_to_the_last_bit_and_the_columns(shuffle: int) -> None:
    text, drawn = answer(*HEAVY, shuffle)
    assert json.loads(text) == load_test(chats(shuffle), *HEAVY)
    assert drawn == columns(serve(chats(shuffle), *HEAVY))
