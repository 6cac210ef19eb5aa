"""The lesson's user stories: its text is alive, the run can be watched, and the program can be changed."""

import re
from pathlib import Path

import pytest

from tests.browser.test_answers import expected, seconds_in_words
from tests.browser.widget import START
from tests.stories.driver import Element, Page
from tests.stories.reader import Reader
from tinyserve import chats, serve
from tinyserve.lesson import LIMIT, MORE_PAGES, PAGES, RATE_HEAVY, RATE_LIGHT
from tinyserve.print_trace import trace
from tinyserve.view import moment
from tinyserve.workload import sending_times

pytestmark = pytest.mark.browser

LESSON = "index.html"
MORE_PLACES = 24  # chats in a step of the lesson's fourth run
RUN = serve(chats(), RATE_HEAVY, PAGES, LIMIT)
FULL = RUN.cache_held_out.index(True)  # the first step in which the cache holds a chat out, from 0
FRONT = moment(chats(), RATE_HEAVY, RUN, FULL).waiting[0]  # the chat that it holds out
STEPS = f"{len(RUN.start_s):,}"
LIMITS = Path(__file__).resolve().parents[2] / "web" / "limits.js"
# Seconds that a reader's program may run.
RUN_S = int(re.findall(r"run_ms: (\d+)", LIMITS.read_text("utf-8"))[0]) // 1000


@pytest.fixture
def lesson(browser: Page, address: str) -> Reader:
    """A reader at the lesson's sliders, which Python has answered."""
    reader = Reader.at(browser, f"{address}/{LESSON}")
    browser.run("document.getElementById('widget').scrollIntoView()")
    reader.answer_to(START)
    return reader


def shows(page: Page, text: str) -> None:
    """Waits until the page says a text."""
    page.wait_until(lambda: text in page.text(), repr(text))


def comes_alive(page: Page, name: str) -> None:
    """Waits until a button can be pressed that first stands in a still drawing."""
    can_be_pressed = """return [...document.querySelectorAll("button")]
      .some((button) => button.textContent === arguments[0] && !button.matches(":disabled"))"""
    page.wait_until(lambda: page.run(can_be_pressed, name), f"a living button {name!r}")


def told_of(step: int) -> str:
    """What stands beside the time bar at a step counted from 0."""
    return f"step {step + 1:,} of {STEPS}, {RUN.start_s[step]:.3f} s, took {RUN.took_s[step] * 1000:.1f} ms"


def begin_to_edit(page: Page, line: str) -> Element:
    """Writes a line at the head of the program; gives the button that runs it."""
    page.by_role("button", "Edit this program").click()
    run = page.by_role("button", "Run")
    page.wait_until(lambda: page.run("return document.activeElement.shadowRoot !== null"), "the editor")
    page.type(*line, "Enter")
    return run


def test_python_answers_only_once_the_reader_comes_to_the_sliders(browser: Page, address: str) -> None:
    browser.open(f"{address}/{LESSON}")
    assert browser.stage() == "idle"
    browser.run("document.getElementById('widget').scrollIntoView()")
    browser.wait_until(lambda: browser.stage() == "ready", "the stage ready")


def test_settings_named_in_the_text_are_set_by_touching_them(lesson: Reader) -> None:
    lesson.browser.by_role("button", f"{MORE_PAGES} pages and {MORE_PLACES} places").click()
    report = lesson.answer_to({**START, "pages": MORE_PAGES, "limit": MORE_PLACES})
    assert report == expected({**START, "pages": MORE_PAGES, "limit": MORE_PLACES})
    assert lesson.box("limit").value() == str(MORE_PLACES)


def test_a_figure_tells_which_run_it_comes_from_when_it_is_tapped(lesson: Reader) -> None:
    page = lesson.browser
    source = f"{RATE_HEAVY} chats a second, {PAGES} pages, {LIMIT} chats per step"
    assert source not in page.text()
    page.by_text(f"{expected(START)['ttft_p99_s']:.2f}").click()
    shows(page, source)
    page.by_text("Move the sliders").press("Escape")
    page.wait_until(lambda: source not in page.text(), "the tip to go")


def test_a_bet_drawn_as_a_bar_is_set_beside_the_programs_answer(lesson: Reader) -> None:
    page = lesson.browser
    times = expected(START)["ttft_p99_s"] / expected({**START, "rate": RATE_LIGHT})["ttft_p99_s"]
    reveal = "A chat waits before its first word, in the queue."
    assert reveal not in page.text()
    page.by_role("slider", "My bet:").press("Home", "ArrowRight")
    page.by_role("button", "That is my bet").click()
    shows(page, "It is more than that.")
    assert f"The program: {times:.1f} times" in page.text()
    assert reveal in page.text()


def test_a_bet_picked_from_a_list_is_judged_and_the_answer_revealed(lesson: Reader) -> None:
    page = lesson.browser
    assert "Not one digit changes." not in page.text()
    page.by_role("button", "exactly the same").click()
    shows(page, "Good bet.")
    assert "Not one digit changes." in page.text()


def test_the_kitchen_shows_the_step_in_which_the_cache_fills(lesson: Reader) -> None:
    page = lesson.browser
    comes_alive(page, "One step")
    shows(page, told_of(FULL))
    assert f"Chat {FRONT} waits for pages" in page.text()
    page.by_role("button", "One step").click()
    shows(page, told_of(FULL + 1))
    page.by_role("button", "Back one step").click()
    page.by_role("button", "Back one step").click()
    shows(page, told_of(FULL - 1))


def test_the_kitchens_time_bar_goes_by_keys_to_any_step(lesson: Reader) -> None:
    page = lesson.browser
    comes_alive(page, "One step")
    shows(page, told_of(FULL))
    page.by_role("slider", "Step of the run").press("End")
    shows(page, told_of(len(RUN.start_s) - 1))
    page.by_role("slider", "Step of the run").press("Home")
    shows(page, told_of(0))


def test_python_in_the_page_prints_the_trace_that_cpython_prints(lesson: Reader) -> None:
    page = lesson.browser
    page.by_role("button", "Have Python in this page print it").click()
    shows(page, "the same text, to the last digit")
    assert page.run("return document.getElementById('trace-text').textContent") == trace()


def test_a_program_that_is_not_changed_gives_every_figure_of_the_lessons(lesson: Reader) -> None:
    page = lesson.browser
    begin_to_edit(page, "# mine").click()
    shows(page, "Every figure is the same as the lesson’s.")


def test_what_the_readers_program_prints_is_shown(lesson: Reader) -> None:
    page = lesson.browser
    begin_to_edit(page, "print(6 * 7)").click()
    shows(page, "42")


def test_an_endless_loop_is_stopped_with_its_line_and_the_lesson_still_answers(lesson: Reader) -> None:
    page = lesson.browser
    begin_to_edit(page, "any(zero for zero in iter(int, 1))").click()
    shows(page, f"Stopped after {RUN_S} s at line 1.")
    page.by_role("button", "Back to the lesson’s").click()
    page.by_role("button", "Run").click()
    shows(page, "Every figure is the same as the lesson’s.")
    lesson.slider("rate").set(RATE_HEAVY + 1)
    lesson.answer_to({**START, "rate": RATE_HEAVY + 1})


def test_a_mistake_is_told_with_its_line_in_plain_words(lesson: Reader) -> None:
    page = lesson.browser
    begin_to_edit(page, "raise ValueError('no chats today')").click()
    shows(page, "Broke off at line 1.")
    shows(page, "no chats today")


def test_a_task_checks_itself_by_what_is_run(lesson: Reader) -> None:
    page = lesson.browser
    assert "met: served with 480 pages" not in page.text()
    for pages in (MORE_PAGES, 2 * MORE_PAGES):
        lesson.box("pages").set(pages)
        lesson.answer_to({**START, "pages": pages})
    shows(page, "met: every figure of the two clipboards is the same")
    shows(page, "Task done: Double the pages again.")


def test_a_chat_that_is_chosen_tells_its_story_to_its_end(lesson: Reader) -> None:
    page = lesson.browser
    comes_alive(page, "One step")
    shows(page, told_of(FULL))
    sent_s = sending_times(chats().gaps, RATE_HEAVY)[FRONT]
    admitted = f"{RUN.start_s[RUN.joined_step[FRONT]]:.3f} s"
    assert admitted not in page.text()
    page.by_role("button", f"chat {FRONT}, waits").press("Enter")
    shows(page, admitted)
    assert f"after {seconds_in_words(RUN.first_word_s[FRONT] - sent_s)}" in page.text()
    page.by_role("slider", "Step of the run").press("End")
    shows(page, told_of(len(RUN.start_s) - 1))
    assert admitted in page.text(), "a chosen chat is followed"


def test_a_parts_number_shows_its_code(lesson: Reader) -> None:
    page = lesson.browser
    comes_alive(page, "One step")
    beside = page.by_role("region", "The code of a part")
    assert "# 4 CACHE" not in beside.text()
    page.by_role("button", "Part 4: The shelf, the cache").run("this.focus()")
    page.wait_until(lambda: "# 4 CACHE" in beside.text(), "the code of the cache")


def test_the_run_plays_and_the_chart_of_the_cache_goes_along(lesson: Reader) -> None:
    page = lesson.browser
    comes_alive(page, "Play")
    shows(page, told_of(FULL))
    line = "return document.querySelector('#cache-fill .cursor line').getBoundingClientRect().x"
    before = page.run(line)
    page.by_role("button", "Play").click()
    page.wait_until(lambda: told_of(FULL) not in page.text(), "the next step")
    page.by_role("button", "Pause").click()
    assert page.run(line) > before
