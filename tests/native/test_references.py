"""The program against the three references of tests/reference, on the lesson's chats in all six orders."""

from functools import cache

import numpy as np
import pytest

from tests.native.cases import (
    PUBLISHED,
    Case,
    assert_same_run,
    by_chat,
    case_of,
    pages_needed,
    rebuild,
    run_ours,
    run_plain,
)
from tests.reference.block_manager import BlockManager
from tests.reference.continuous_batching import simulate
from tests.reference.plain_report import report_plainly
from tinyserve import chats, report

ORDERS = range(PUBLISHED["grid"]["orders"])
JUST_FITS = "just fits the longest chat"
PUBLISHED_SETTINGS = [(run["rate"], run["pages"], run["limit"]) for run in PUBLISHED["runs"]]
SETTINGS = [*PUBLISHED_SETTINGS, (40, JUST_FITS, 16), (1, JUST_FITS, 2), (1000, 240, 400)]


@cache
def lesson_case(order: int, rate: float, pages: int | str, limit: int) -> Case:
    """The lesson's chats in one order at one setting."""
    case = case_of(chats(order), rate, 0, limit)
    return case._replace(pages=max(case.needs) if isinstance(pages, str) else pages)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("rate", "pages", "limit"), SETTINGS)
def test_steps_words_and_pages_are_the_plain_loops(
    order: int, rate: float, pages: int | str, limit: int
) -> None:
    case = lesson_case(order, rate, pages, limit)
    ours = run_ours(case)
    plain = run_plain(case)
    assert_same_run(ours, plain)
    assert report(case.workload, rate, ours) == report_plainly(plain, case.replies)


@pytest.mark.parametrize(("rate", "pages", "limit"), [(40, 240, 16), (10, JUST_FITS, 8)])
def test_every_step_can_be_rebuilt_as_the_plain_loop_saw_it(
    rate: float, pages: int | str, limit: int
) -> None:
    case = lesson_case(0, rate, pages, limit)
    assert rebuild(case, run_ours(case)) == run_plain(case, watch=True).snapshots


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("rate", "limit"), [(10, 16), (40, 16), (40, 24), (60, 4), (1000, 40)])
def test_with_room_for_all_chats_at_once_the_times_are_those_of_batching_without_a_cache(
    order: int, rate: float, limit: int
) -> None:
    case = case_of(chats(order), rate, 0, limit)
    roomy = case._replace(pages=sum(case.needs))
    ours = run_ours(roomy)
    first_word, last_word = simulate(case.sent, case.prompts, case.replies, limit)
    assert by_chat(ours.first_word_s) == first_word
    assert by_chat(ours.last_word_s) == last_word
    assert not any(ours.cache_held_out)


def vector(chat: int, place: int) -> np.ndarray:
    """A key that no other token has: its chat and its place. The value beside it is the negative."""
    return np.array([chat, place], dtype=np.float32)


@pytest.mark.parametrize(("order", "rate", "pages", "limit"), [(0, 40, 240, 16), (3, 40, JUST_FITS, 16)])
def test_block_tables_and_free_list_are_those_of_a_cache_that_stores_every_token(
    order: int, rate: float, pages: int | str, limit: int
) -> None:
    case = lesson_case(order, rate, pages, limit)
    ours = run_ours(case)
    manager = BlockManager(case.pages, head_size=2)
    for step, seen in enumerate(rebuild(case, ours)):
        for chat, words in seen.words.items():
            prompt = case.prompts[chat]
            if words == 1:
                keys = np.array([vector(chat, place) for place in range(prompt)])
                manager.add(chat, keys, -keys)
            key = vector(chat, prompt + words - 1)
            manager.append(chat, key, -key)
            assert manager.block_tables[chat] == ours.page_table[chat][: pages_needed(prompt + words)]
            if chat not in seen.page_tables:
                read_back_through_our_pages(manager, chat, ours.page_table[chat], prompt + case.replies[chat])
                manager.free(chat)
        assert list(manager.free_list) == seen.free
        assert manager.block_tables == seen.page_tables
        assert case.pages - len(manager.free_list) == ours.held[step]
    assert manager.tokens == {}


def read_back_through_our_pages(manager: BlockManager, chat: int, table: list[int], tokens: int) -> None:
    """The keys and values in the memory of these pages are those of this chat, all of them, in order."""
    expected = np.array([vector(chat, place) for place in range(tokens)])
    keys, values = manager.read(chat)
    assert np.array_equal(keys, expected)
    assert np.array_equal(values, -expected)
    assert np.array_equal(manager.keys[table].reshape(-1, 2)[:tokens], expected)


def test_the_block_manager_reads_back_what_it_stored_and_wipes_what_it_frees() -> None:
    manager = BlockManager(blocks=4, head_size=2)
    keys = np.array([vector(7, place) for place in range(17)])  # one token more than a block holds
    manager.add(7, keys, -keys)
    manager.add(8, keys[:1], keys[:1])
    assert manager.block_tables == {7: [0, 1], 8: [2]}
    assert np.array_equal(manager.read(7)[0], keys)
    manager.free(7)
    assert list(manager.free_list) == [3, 0, 1]
    assert np.isnan(manager.keys[[0, 1]]).all()
    with pytest.raises(ValueError, match="chat 8 is in the cache already"):
        manager.add(8, keys, keys)
