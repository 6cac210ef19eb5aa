"""The user stories, each written once and run in Chromium, Firefox and WebKitGTK.

To add a story, write a function that takes `reader` (the page with its first answer) or `browser` (an empty
page of a new visitor, and `address`, where dist/ is served), and say what the reader does and must then
see:

    def test_a_slower_stream_of_chats_meets_no_wall(reader: Reader) -> None:
        reader.slider("rate").set(10)
        reader.answer_to({**START, "rate": 10})
        assert reader.browser.text().startswith("No wall.")

Its name says what holds. Find things by role and name (`by_role`; driver.py has all that a page can be
asked) and not by id or class, so that the story lives on when the page is built otherwise. A story fails on
any console error; one that breaks something announces it by `browser.expect_error("part of its text")`. `-k
firefox` runs one engine.
"""

import random

import pytest

from tests.browser.test_answers import (
    RANGES,
    expected,
    expected_clipboard,
    same_bits,
    seconds_in_words,
)
from tests.browser.widget import NAMES, START, Settings
from tests.stories.driver import Page
from tests.stories.reader import PAGE, Reader

pytestmark = pytest.mark.browser

# For each setting a value that changes the answer.
OTHER = {"rate": 20, "pages": 480, "limit": 4, "shuffle": 3}
DRAWN = 20  # settings drawn at random
NARROW = (320, 640)  # pixels of the smallest telephones
OPENING = {
    "none": "No wall.",
    "cache": "The cache is the wall.",
    "batch": "The batch limit is the wall.",
    "both": "Cache and batch limit are both the wall.",
}


def assert_shows(reader: Reader, settings: Settings) -> None:
    """The page shows exactly what CPython computes for these settings, in its sentence and its table."""
    page_report, report = reader.answer_to(settings), expected(settings)
    assert same_bits(page_report, report)
    text = reader.browser.text()
    assert OPENING[report["wall"]] in text
    assert f"wait {seconds_in_words(report['ttft_p99_s'])} or longer" in text
    if report["cache_full_s"] is not None:
        assert f"{report['cache_full_s']:.3f} s" in text
    assert reader.table() == expected_clipboard(report)


def test_the_page_starts_and_its_first_answer_names_the_wall(browser: Page, address: str) -> None:
    browser.open(f"{address}/{PAGE}")
    browser.wait_until(lambda: browser.stage() == "ready", "the stage ready")
    browser.wait_until(browser.answers, "the first answer")
    assert browser.answers()[0]["settings"] == START
    assert OPENING[expected(START)["wall"]] in browser.text()


def test_the_start_shows_what_cpython_computes(reader: Reader) -> None:
    assert_shows(reader, START)


@pytest.mark.parametrize("key", NAMES)
def test_a_slider_moved_by_keys_changes_sentence_and_table(reader: Reader, key: str) -> None:
    reader.unfold()
    reader.slider(key).set(OTHER[key])
    assert_shows(reader, {**START, key: OTHER[key]})
    assert reader.box(key).value() == str(OTHER[key])


@pytest.mark.parametrize("key", NAMES)
def test_a_typed_number_changes_sentence_and_table(reader: Reader, key: str) -> None:
    reader.unfold()
    reader.box(key).set(OTHER[key])
    assert_shows(reader, {**START, key: OTHER[key]})
    assert reader.slider(key).value() == str(OTHER[key])


@pytest.mark.parametrize(("typed", "taken"), [("5000", 960), ("251", 260)])
def test_a_number_that_cannot_be_becomes_the_nearest_that_can_and_is_said(
    reader: Reader, typed: str, taken: int
) -> None:
    box = reader.box("pages")
    box.set(typed)
    assert_shows(reader, {**START, "pages": taken})
    assert box.value() == str(taken)
    note = f"Cache pages: 60 to 960 in steps of 20; set to {taken}."
    assert note in reader.browser.text()
    # Once the hand rests it is spoken, too.
    region = reader.browser.by_role("status")
    reader.browser.wait_until(lambda: region.text().startswith(note), "the note in the live region")


def test_the_whole_run_and_its_first_seconds_can_be_chosen(reader: Reader) -> None:
    first = reader.browser.by_role("radio", "first 3\u00a0seconds")
    whole = reader.browser.by_role("radio", "whole run")
    assert first.is_checked()
    whole.click()
    assert whole.is_checked()
    assert not first.is_checked()
    first.press("ArrowRight")
    assert whole.is_checked(), "an arrow key goes to the other of the two"
    assert_shows(reader, START)


def test_settings_drawn_at_random_are_answered_as_by_cpython_bit_for_bit(reader: Reader) -> None:
    seed = random.SystemRandom().randrange(2**32)
    draw = random.Random(seed)
    reader.unfold()
    settings = START
    for _ in range(DRAWN):
        drawn = {key: draw.choice(values) for key, values in RANGES.items()}
        for key, value in drawn.items():
            if value != settings[key]:
                reader.box(key).set(value)
        settings = drawn
        report = reader.answer_to(settings)
        assert same_bits(report, expected(settings)), f"{settings}, drawn with seed {seed}"


def test_nothing_is_asked_of_another_host(reader: Reader, address: str) -> None:
    names = "return performance.getEntriesByType('resource').map(({ name }) => name)"
    asked = reader.browser.run(names)
    assert asked
    assert [name for name in asked if not name.startswith(f"{address}/")] == []


def test_a_narrow_screen_is_not_scrolled_sideways(reader: Reader) -> None:
    reader.browser.resize(*NARROW)
    reader.unfold()
    reader.slider("shuffle").set(1)
    assert_shows(reader, {**START, "shuffle": 1})
    width, content = reader.browser.run("return [innerWidth, document.documentElement.scrollWidth]")
    assert width == NARROW[0]
    assert content <= width
