"""What must hold in every run, whatever the chats and the settings: the laws of the server.

Each law is checked on random cases. What a law says is worked out here from the Run and the chats alone;
the last tests compare whole runs with the plain loop of tests/reference, with == and no tolerance.
"""

from hypothesis import given

from tests.native.cases import (
    Case,
    assert_same_run,
    by_chat,
    chats_sent_in_the_last_step_of_an_emptying_server,
    ends_of,
    pages_needed,
    random_cases,
    rebuild,
    run_ours,
    run_plain,
)
from tests.reference.plain_report import report_plainly
from tinyserve import report


@given(random_cases())
def test_the_clock_never_goes_back(case: Case) -> None:
    run = run_ours(case)
    assert run.start_s[0] == 0.0
    assert min(run.took_s) > 0
    for end, next_start in zip(ends_of(run), run.start_s[1:], strict=False):
        assert next_start >= end


@given(random_cases())
def test_a_step_begins_when_the_last_one_ends_or_when_an_idle_server_is_sent_a_chat(case: Case) -> None:
    run = run_ours(case)
    seen = rebuild(case, run)
    sent = case.sent
    joined = 0
    for step, end in enumerate(ends_of(run)[:-1]):
        joined += run.joined[step]
        idle = not seen[step].waiting and not seen[step].page_tables
        assert run.start_s[step + 1] == (max(end, sent[joined]) if idle else end)


@given(chats_sent_in_the_last_step_of_an_emptying_server())
def test_a_chat_sent_during_the_last_step_of_an_emptying_server_joins_when_that_step_ends(case: Case) -> None:
    run = run_ours(case)
    last_words = by_chat(run.last_word_s)
    sent = case.sent
    for chat in range(1, len(sent)):
        assert sent[chat] < last_words[chat - 1]
        assert run.start_s[run.joined_step[chat]] == last_words[chat - 1]


@given(random_cases())
def test_the_pages_promised_never_exceed_the_cache(case: Case) -> None:
    run = run_ours(case)
    needs = case.needs
    for step, seen in enumerate(rebuild(case, run)):
        assert sum(needs[chat] for chat in seen.words) <= case.pages  # while the step runs
        assert run.held[step] + run.owed[step] <= case.pages  # after the ended have left


@given(random_cases())
def test_pages_held_and_owed_are_what_the_chats_that_go_on_were_promised(case: Case) -> None:
    run = run_ours(case)
    needs = case.needs
    for step, seen in enumerate(rebuild(case, run)):
        assert run.held[step] + run.owed[step] == sum(needs[chat] for chat in seen.page_tables)
        assert run.owed[step] >= 0


@given(random_cases())
def test_a_step_never_has_more_chats_than_the_limit(case: Case) -> None:
    run = run_ours(case)
    for step, seen in enumerate(rebuild(case, run)):
        assert run.stepped[step] == len(seen.words)
        assert 1 <= run.stepped[step] <= case.limit


@given(random_cases())
def test_every_reply_gets_exactly_its_words(case: Case) -> None:
    run = run_ours(case)
    assert sum(run.stepped) == sum(case.replies)  # a chat gets one word in each step it is in
    assert sum(run.joined) == len(case.replies)
    ends = ends_of(run)
    for chat, reply in enumerate(case.replies):
        first = run.joined_step[chat]
        assert run.first_word_s[chat] == ends[first]
        assert run.last_word_s[chat] == ends[first + reply - 1]


@given(random_cases())
def test_first_come_is_first_served(case: Case) -> None:
    joined = by_chat(run_ours(case).joined_step)
    assert joined == sorted(joined)


@given(random_cases())
def test_no_chat_joins_before_it_is_sent(case: Case) -> None:
    run = run_ours(case)
    for chat, sent in enumerate(case.sent):
        assert run.start_s[run.joined_step[chat]] >= sent


@given(random_cases())
def test_a_chat_waits_exactly_as_long_as_a_condition_is_missing_and_each_missing_one_is_noted(
    case: Case,
) -> None:
    run = run_ours(case)
    needs = case.needs
    for step, seen in enumerate(rebuild(case, run)):
        assert run.queue[step] == len(seen.waiting)
        promised = sum(needs[chat] for chat in seen.words)
        too_few_pages = bool(seen.waiting) and promised + needs[seen.waiting[0]] > case.pages
        no_place = bool(seen.waiting) and len(seen.words) == case.limit
        assert (run.cache_held_out[step], run.batch_held_out[step]) == (too_few_pages, no_place)
        assert bool(seen.waiting) == (too_few_pages or no_place)


@given(random_cases())
def test_every_page_is_in_exactly_one_place(case: Case) -> None:
    run = run_ours(case)
    for step, seen in enumerate(rebuild(case, run)):
        with_chats = [page for table in seen.page_tables.values() for page in table]
        assert sorted(with_chats + seen.free) == list(range(case.pages))
        assert run.held[step] == len(with_chats)


@given(random_cases())
def test_the_page_taken_is_always_the_one_that_was_free_longest(case: Case) -> None:
    run = run_ours(case)
    before = list(range(case.pages))
    holds = dict.fromkeys(range(len(case.gaps)), 0)
    for seen in rebuild(case, run):
        taken = []
        for chat, words in seen.words.items():
            has = pages_needed(case.prompts[chat] + words)
            taken += run.page_table[chat][holds[chat] : has]
            holds[chat] = has
        assert taken == before[: len(taken)]
        before = seen.free


@given(random_cases())
def test_a_chat_takes_no_page_more_than_its_tokens_need(case: Case) -> None:
    run = run_ours(case)
    assert [len(table) for table in by_chat(run.page_table)] == case.needs


@given(random_cases())
def test_the_last_step_leaves_no_page_held_and_none_owed(case: Case) -> None:
    run = run_ours(case)
    assert (run.held[-1], run.owed[-1], run.queue[-1]) == (0, 0, 0)


@given(random_cases())
def test_every_step_is_the_plain_loops_bit_for_bit(case: Case) -> None:
    ours = run_ours(case)
    plain = run_plain(case)
    assert_same_run(ours, plain)


@given(random_cases())
def test_a_run_keeps_enough_to_rebuild_every_step(case: Case) -> None:
    assert rebuild(case, run_ours(case)) == run_plain(case, watch=True).snapshots


@given(random_cases())
def test_the_report_is_what_writing_down_every_wait_and_every_gap_gives(case: Case) -> None:
    clipboard = report(case.workload, case.rate, run_ours(case))
    assert clipboard == report_plainly(run_plain(case), case.replies)


@given(random_cases())
def test_the_same_chats_and_settings_give_the_same_run(case: Case) -> None:
    workload = case.workload
    first = report(workload, case.rate, run_ours(case))
    assert report(workload, case.rate, run_ours(case)) == first
    assert workload == case.workload
