"""The widget for everyone: by keyboard, by ear, in any colours, large, small and on paper."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import build
from tests.browser.conftest import Errors, Visit, open_widget
from tests.browser.test_answers import seconds_in_words
from tests.browser.widget import NAMES, START, Widget, plain, wait_until
from tinyserve.view import answer

pytestmark = pytest.mark.browser

AXE = (build.NODE_MODULES / "axe-core" / "axe.min.js").read_text("utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS: list[dict[str, Any]] = [
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"forced_colors": "active"},
]
LEAST_TEXT, LEAST_GRAPHIC = 4.5, 3.0  # contrast: WCAG 2.2, success criteria 1.4.3 and 1.4.11
LEAST_TARGET_PX = 24  # WCAG 2.2, success criterion 2.5.8
TEXTS = ("ink", "soft", "cache", "batch", "wait", "gap")
GRAPHICS = ("cache", "batch", "wait", "gap", "light-bar", "edge", "focus")
PAPERS = ("paper", "card")


def violations(page: Page) -> list[str]:
    """What axe finds, each as its rule and the elements."""
    page.evaluate(AXE)
    found = page.evaluate("(tags) => axe.run(document, { runOnly: tags })", TAGS)
    return [f"{rule['id']}: {[node['html'][:90] for node in rule['nodes']]}" for rule in found["violations"]]


def unfold(page: Page) -> None:
    """Opens all that is folded."""
    page.evaluate("() => document.querySelectorAll('details').forEach((node) => (node.open = true))")


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_in_any_colours(visit: Visit, address: str, width: int) -> None:
    for colours in COLOURS:
        page = visit(viewport={"width": width, "height": 900}, bypass_csp=True, **colours)
        open_widget(page, address)
        unfold(page)
        assert violations(page) == [], colours


def test_axe_finds_nothing_in_a_failed_start(visit: Visit, errors: Errors, address: str) -> None:
    page = visit(viewport={"width": 390, "height": 900}, bypass_csp=True)
    page.route("**/*.whl", lambda route: route.abort())
    errors.announce("ERR_FAILED")
    open_widget(page, address)
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    assert violations(page) == []


def test_the_focus_stays_in_the_widget_when_a_start_fails_and_when_it_is_tried_again(
    page: Page, errors: Errors, address: str
) -> None:
    held: list[Route] = []
    page.route("**/*.whl", lambda route: held.append(route))
    errors.announce("ERR_FAILED")
    with page.expect_request("**/*.whl"):
        page.goto(f"{address}/widget.html")
    Widget(page).slider("rate").focus()
    page.wait_for_timeout(200)  # by then the request has been held back
    held.pop().abort()
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_be_focused()
    expect(again).to_be_hidden()


# ---- Colours -----------------------------------------------------------------------------------------------


def palette() -> dict[str, tuple[str, str]]:
    """The colours of the style sheet: name -> in light, in dark."""
    style = (Path(build.ROOT) / "web" / "colours.css").read_text("utf-8")
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", style)
    return {name: (light, dark) for name, light, dark in found}


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb as WCAG defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_black_and_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_words_and_marks_stand_out_from_the_paper(scheme: int) -> None:
    colours = palette()
    for paper, text in itertools.product(PAPERS, TEXTS):
        assert contrast(colours[text][scheme], colours[paper][scheme]) >= LEAST_TEXT, (text, paper)
    for paper, graphic in itertools.product(PAPERS, GRAPHICS):
        assert contrast(colours[graphic][scheme], colours[paper][scheme]) >= LEAST_GRAPHIC, (graphic, paper)


# ---- By keyboard -------------------------------------------------------------------------------------------

FOCUSED = """() => {
  const it = document.activeElement;
  const style = getComputedStyle(it);
  return [it.getAttribute("aria-label") ?? it.labels?.[0]?.textContent ?? it.textContent,
    style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
}"""


def test_the_whole_page_by_keyboard(new_widget: Widget) -> None:
    page = new_widget.page
    met = []
    for _ in range(14):
        page.keyboard.press("Tab")
        name, is_seen = page.evaluate(FOCUSED)
        if page.evaluate("document.activeElement === document.body"):
            break
        assert is_seen, f"the focus on {name} is not seen"
        met.append(plain(name))
    sliders = [name for key in ("rate", "pages", "limit") for name in (NAMES[key], NAMES[key])]
    rest = ["More settings", "Reset", "Copy link", "first 3 seconds", "The charts as tables"]
    assert met == [*sliders, *rest]


def test_a_fold_opens_by_keyboard_and_its_slider_is_next(new_widget: Widget) -> None:
    page = new_widget.page
    page.get_by_text("More settings").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert plain(page.evaluate(FOCUSED)[0]) == NAMES["shuffle"]


# ---- By ear ------------------------------------------------------------------------------------------------


def test_a_slider_says_its_value_with_its_unit(widget: Widget) -> None:
    widget.answer_to({"rate": 1, "pages": 960, "limit": 1, "shuffle": 0})
    expected = {"rate": "1 chat a second", "pages": "960 pages", "limit": "1 chat per step"}
    for key, text in expected.items():
        assert plain(widget.slider(key).get_attribute("aria-valuetext") or "") == text


# Notes each text that the live region gets.
LISTEN = """() => {
  window.spoken = [];
  const region = document.querySelector("[role=status]");
  new MutationObserver(() => window.spoken.push(region.textContent)).observe(
    region, { childList: true, characterData: true, subtree: true });
}"""


def test_one_live_region_speaks_once_the_slider_rests(new_widget: Widget) -> None:
    page = new_widget.page
    assert page.locator("[aria-live], [role=status], [role=alert]").count() == 1
    assert plain(page.get_by_role("status").inner_text()) == "", "nobody is spoken to unasked"
    page.evaluate(LISTEN)
    new_widget.note_answers()
    slider = new_widget.slider("rate")
    slider.focus()
    for _ in range(15):
        slider.press("ArrowLeft")
    new_widget.wait_for_answer({**START, "rate": 25})
    wait_until(page, "window.spoken.length > 0")
    page.wait_for_timeout(1500)
    assert [plain(text) for text in page.evaluate("window.spoken")] == [new_widget.sentence()]


def rows_of(page: Page, caption: str) -> list[list[str]]:
    """The cells of a table below its head."""
    cells = page.get_by_role("table", name=caption).evaluate(
        "(table) => [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return [[plain(cell) for cell in row] for row in cells]


def test_each_chart_is_a_table_too(new_widget: Widget) -> None:
    page = new_widget.page
    page.get_by_text("The charts as tables").click()
    columns = answer(START["rate"], START["pages"], START["limit"], START["shuffle"])[1]
    expected = []
    for quarter in range(13):
        time_s = quarter / 4
        step = max(at for at, start_s in enumerate(columns.start_s) if start_s <= time_s)
        values = [column[step] for column in (columns.promised, columns.held, columns.queue, columns.stepped)]
        expected.append([f"{time_s:g} s", *map(str, values)])
    assert rows_of(page, "How the cache fills") == expected
    bars = [[f"{rate} chats/s", *waits(rate)] for rate in (10, START["rate"])]
    assert rows_of(page, "The two waits, p99") == bars


def waits(rate: int) -> list[str]:
    """The p99 of both waits as the bars name them."""
    report = json.loads(answer(rate, START["pages"], START["limit"], START["shuffle"])[0])
    return [seconds_in_words(report["ttft_p99_s"]), f"{report['tbt_p99_s'] * 1000:.1f} ms"]


def test_each_chart_has_a_text_alternative(widget: Widget) -> None:
    widget.show(START)
    names = [plain(image.evaluate(NAME_OF_IMAGE)) for image in widget.page.get_by_role("img").all()]
    assert len(names) == 2
    assert "p99: first word 3.49 s" in names[0]
    assert "The cache first holds a chat out at 0.389 s." in names[1]


NAME_OF_IMAGE = "(svg) => document.getElementById(svg.getAttribute('aria-labelledby')).textContent"


# ---- Large, small, still, on paper -------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1280, 390])
def test_every_target_is_large_enough(visit: Visit, address: str, width: int) -> None:
    page = visit(viewport={"width": width, "height": 900})
    open_widget(page, address)
    unfold(page)
    targets = "button, summary, .span label, input:not([type=radio])"
    for target in page.locator(targets).all():
        box = target.bounding_box()
        if box is not None:
            assert box["height"] >= LEAST_TARGET_PX, target
            assert box["width"] >= LEAST_TARGET_PX, target


@pytest.mark.parametrize(("width", "height"), [(320, 640), (640, 450)], ids=["320 px", "200 % zoom"])
def test_nothing_is_lost_on_a_small_screen(visit: Visit, address: str, width: int, height: int) -> None:
    page = visit(viewport={"width": width, "height": height})
    widget = open_widget(page, address)
    unfold(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for name in ("The two waits", "How the cache fills", "The clipboard"):
        expect(page.get_by_role("heading", name=name)).to_be_visible()
    for key in NAMES:
        expect(widget.slider(key)).to_be_visible()


def test_nothing_moves_by_itself(new_widget: Widget) -> None:
    """So there is nothing to reduce for who asks for less motion."""
    moving = new_widget.page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((node) => {
          const { animationName, transitionDuration } = getComputedStyle(node);
          return animationName !== "none" || parseFloat(transitionDuration) > 0;
        }).length"""
    )
    assert moving == 0


def test_paper_gets_sentence_charts_and_table_without_what_only_a_hand_can_use(new_widget: Widget) -> None:
    page = new_widget.page
    page.emulate_media(media="print")
    expect(page.locator("#sentence")).to_be_visible()
    expect(page.get_by_role("img").first).to_be_visible()
    expect(page.get_by_role("table").first).to_be_visible()
    for gone in ("button", "input[type=range]", ".span"):
        assert page.locator(gone).locator("visible=true").count() == 0, gone
