"""The page shows its first answer before Python, or without it, and nothing moves when Python takes over."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import STARTED, Errors, Visit, open_widget
from tests.browser.test_answers import expected_clipboard, seconds_in_words
from tests.browser.widget import START, Widget, plain
from tinyserve import chats, load_test, serve
from tinyserve.lesson import RATE_LIGHT
from tinyserve.view import columns

pytestmark = pytest.mark.browser

WIDTHS = [320, 390, 700, 1280]
ELSEWHERE = {**START, "rate": 12, "pages": 480}  # settings that the build has no answer to
ELSEWHERE_QUERY = "?rate=12&pages=480"
START_IN_WORDS = "40 chats a second, 240 pages, 16 chats per step"


def report_of(rate: int) -> dict[str, Any]:
    """CPython's answer to the lesson's settings at a rate."""
    return load_test(chats(), rate, START["pages"], START["limit"])


def shown_chart(page: Page, name: str) -> Locator:
    """The drawing under a heading that fits the screen; the still page holds each in two widths."""
    return Widget(page).chart(name).locator("visible=true")


def highest(chart: Locator, line: str) -> float:
    """The highest value of a line of the chart of the cache, read off the axis of its lane."""
    lane = line.split()[0]
    ticks = []
    for tick in chart.locator(f"{lane} .axis .tick").all():
        (y,) = re.findall(r",(-?[\d.]+)\)", tick.get_attribute("transform") or "")
        ticks.append((float(plain(tick.text_content() or "")), float(y)))
    (_, foot), *_, (end, top) = sorted(ticks)
    d = chart.locator(line).get_attribute("d") or ""
    ys = [float(y) for y in re.findall(r"[ML]-?[\d.]+,(-?[\d.]+)", d)]
    return (foot - min(ys)) / (foot - top) * end


def drawn(page: Page) -> dict[str, Any]:
    """Sentence, table, and each shape and each word of the two charts."""
    charts = {}
    for name in ("The two waits", "How the cache fills"):
        charts[name] = shown_chart(page, name).evaluate(
            """(svg) => [...svg.querySelectorAll("path, rect, line, text, g")].map((node) => {
              const names = ["d", "x", "y", "x1", "x2", "y1", "y2", "width", "height", "transform", "class"];
              const own = node.localName === "text" ? node.textContent : "";
              return [node.localName, own, ...names.map((name) => node.getAttribute(name))].join(" ");
            })"""
        )
    return {"sentence": Widget(page).sentence(), "clipboard": Widget(page).clipboard(), **charts}


# ---- Without JavaScript ------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [390, 1280])
def test_without_javascript_the_page_shows_pythons_answer(visit: Visit, address: str, width: int) -> None:
    page = visit(java_script_enabled=False, viewport={"width": width, "height": 900})
    page.goto(f"{address}/widget.html")
    heavy, light = report_of(START["rate"]), report_of(RATE_LIGHT)
    wait = seconds_in_words(heavy["ttft_p99_s"])
    assert Widget(page).sentence() == (
        f"The cache is the wall. It first holds a chat out at {heavy['cache_full_s']:.3f} s, "
        f"and the slowest 1 in 100 chats wait {wait} or longer for their first word."
    )
    assert Widget(page).clipboard() == expected_clipboard(heavy)

    waits = shown_chart(page, "The two waits")
    expect(waits).to_have_count(1)
    for panel, key in (("first-word", "ttft_p99_s"), ("gap", "tbt_p99_s")):
        widths = [
            float(waits.locator(f".panel.{panel} .bar.{load} .length").get_attribute("width") or "nan")
            for load in ("chosen", "light")
        ]
        assert widths[0] / widths[1] == pytest.approx(heavy[key] / light[key], rel=1e-3)
    expect(waits).to_contain_text(f"{heavy['ttft_p99_s'] / light['ttft_p99_s']:.1f} times")

    cache = shown_chart(page, "How the cache fills")
    expect(cache).to_have_count(1)
    run = columns(serve(chats(), START["rate"], START["pages"], START["limit"]))
    for line, values in (
        (".lane.pages .promised.line", run.promised),
        (".lane.batch .batch.line", run.stepped),
    ):
        seen = [value for value, start_s in zip(values, run.start_s, strict=True) if start_s <= 3]
        assert highest(cache, line) == pytest.approx(max(seen), abs=0.05)
    expect(cache).to_contain_text(f"cache first holds a chat out: {heavy['cache_full_s']:.3f} s")


def test_without_javascript_the_page_says_what_is_missing_and_offers_nothing_that_does_not_work(
    visit: Visit, address: str
) -> None:
    page = visit(java_script_enabled=False)
    page.goto(f"{address}/widget.html")
    note = page.locator("noscript p")  # by its element: Playwright finds no text in a <noscript>
    expect(note).to_be_visible()
    expect(note).to_contain_text("The sliders need JavaScript, which is off.")
    expect(page.locator("#not-started")).to_be_hidden()
    for element in (page.get_by_role("button"), page.get_by_role("radio"), page.locator("summary")):
        expect(element.locator("visible=true")).to_have_count(0)


# ---- The still picture and the living page -----------------------------------------------------------------


@pytest.mark.parametrize("width", [390, 1280])
def test_the_still_picture_is_the_one_that_the_living_page_draws(
    visit: Visit, address: str, width: int
) -> None:
    """At the two widths of the still picture nothing differs; else it is the same picture, stretched."""
    size = {"width": width, "height": 900}
    still = visit(java_script_enabled=False, viewport=size)
    still.goto(f"{address}/widget.html")
    living = open_widget(visit(viewport=size), address).page
    expect(Widget(living).chart("The two waits").locator(".bar.dimmed")).to_have_count(0)
    assert drawn(still) == drawn(living)


@pytest.mark.parametrize("query", ["", ELSEWHERE_QUERY])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves_from_the_first_paint_to_pythons_answer(
    visit: Visit, address: str, width: int, query: str
) -> None:
    page = visit(viewport={"width": width, "height": 900})
    page.goto(f"{address}/widget.html{query}")
    page.wait_for_function(STARTED, timeout=90_000)
    shifts = page.evaluate(
        """() => new Promise((resolve) => {
          const seen = [];
          new PerformanceObserver((list) => seen.push(...list.getEntries())).observe(
            { type: "layout-shift", buffered: true },
          );
          setTimeout(() => resolve(seen.map(({ value, sources }) =>
            `${value} ${sources.map(({ node }) => node?.id || node?.className || node?.nodeName)}`)), 300);
        })"""
    )
    assert shifts == []


# ---- Before Python is ready --------------------------------------------------------------------------------

NOTE_THE_FIRST_ANSWER = """document.addEventListener("tinyserve:answer", ({ detail }) => {
  window.first ??= detail.settings;
})"""


class HeldPython:
    """Python's own files, which do not arrive before they are released."""

    FILES = "**/pyodide-*/**"

    def __init__(self, page: Page) -> None:
        self.page = page
        self.waiting: list[Route] = []
        self.is_released = False
        page.route(self.FILES, self.answer)

    def goto(self, url: str) -> None:
        """Opens the page, and waits until it asks for one of the files."""
        with self.page.expect_request(self.FILES):
            self.page.goto(url)

    def answer(self, route: Route) -> None:
        """Lets a file through, or keeps it waiting."""
        if self.is_released:
            route.continue_()
        else:
            self.waiting.append(route)

    def release(self) -> None:
        """Lets all files through."""
        assert self.waiting != [], "nothing was held back"
        self.is_released = True
        for route in self.waiting:
            route.continue_()


def test_other_settings_stand_on_the_sliders_and_the_page_says_whose_answer_it_shows(
    page: Page, address: str
) -> None:
    held = HeldPython(page)
    held.goto(f"{address}/widget.html{ELSEWHERE_QUERY}")
    widget = Widget(page)
    assert widget.settings() == ELSEWHERE
    expect(page.locator("#status")).to_contain_text(f"Shown: {START_IN_WORDS}.")
    assert widget.clipboard() == expected_clipboard(report_of(START["rate"]))
    held.release()
    page.wait_for_function(STARTED, timeout=90_000)
    assert widget.clipboard() == expected_clipboard(load_test(chats(), 12, 480, 16))
    expect(page.locator("#status")).to_have_text("Every answer is computed by Python, in this page.")


def test_a_setting_chosen_before_python_is_ready_is_kept_and_answered_first(page: Page, address: str) -> None:
    page.add_init_script(NOTE_THE_FIRST_ANSWER)
    held = HeldPython(page)
    held.goto(f"{address}/widget.html")
    widget = Widget(page)
    widget.box("pages").fill("480")
    expect(page.locator("#status")).to_contain_text(f"Shown: {START_IN_WORDS}.")
    held.release()
    page.wait_for_function("() => window.first !== undefined", timeout=90_000)
    assert page.evaluate("window.first") == {**START, "pages": 480}
    assert widget.settings() == {**START, "pages": 480}
    assert widget.clipboard() == expected_clipboard(load_test(chats(), 40, 480, 16))


# ---- The page's script does not run ------------------------------------------------------------------------

PAGE_SCRIPT = re.compile(r"/widget[^/]*\.js$")


def expect_the_still_answer(page: Page) -> None:
    """Sentence and table of the first answer can be read."""
    expect(page.locator("#sentence")).to_be_visible()
    assert Widget(page).clipboard() == expected_clipboard(report_of(START["rate"]))


@pytest.mark.parametrize("damage", ["missing", "wrong type", "not JavaScript"])
def test_a_page_whose_script_does_not_run_says_so_at_once_and_stays_readable(
    page: Page, errors: Errors, address: str, damage: str
) -> None:
    def answer(route: Route) -> None:
        if damage == "missing":
            route.abort()
        elif damage == "wrong type":
            route.fulfill(body="export {}", content_type="text/plain")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/javascript")

    page.route(PAGE_SCRIPT, answer)
    errors.allow()
    page.goto(f"{address}/widget.html")
    note = page.get_by_role("alert")
    expect(note).to_be_visible(timeout=2000)
    expect(note).to_contain_text("The sliders do not work: the page’s script could not be started.")
    expect(note).not_to_contain_text("http.server", use_inner_text=True)
    expect_the_still_answer(page)


def test_without_the_script_that_says_so_at_once_the_style_sheet_says_it_after_some_seconds(
    page: Page, errors: Errors, address: str
) -> None:
    page.route(re.compile(r"\.js$"), lambda route: route.abort())
    errors.allow()
    page.goto(f"{address}/widget.html")
    note = page.locator("#not-started")
    expect(note).to_be_hidden()
    expect(note).to_be_visible(timeout=15_000)
    expect_the_still_answer(page)


def test_no_note_stands_on_a_page_that_runs(new_widget: Widget) -> None:
    expect(new_widget.page.locator("#not-started")).to_have_count(0)


def test_opened_as_a_file_the_page_gives_the_command(page: Page, errors: Errors, dist: Path) -> None:
    errors.allow()
    page.goto((dist / "widget.html").as_uri())
    note = page.get_by_role("alert")
    expect(note).to_be_visible(timeout=15_000)
    expect(note).to_contain_text("python3 -m http.server")
    expect_the_still_answer(page)
