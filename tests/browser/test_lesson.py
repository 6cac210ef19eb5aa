"""The lesson's page: readable by everyone, tied together, and silent towards the rest of the world."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.conftest import STARTED, Visit
from tests.browser.test_access import COLOURS, unfold, violations
from tests.browser.widget import START, Widget, wait_until
from tinyserve import chats, load_test, serve
from tinyserve.lesson import LIMIT, MORE_PAGES, PAGES, RATE_HEAVY

pytestmark = pytest.mark.browser

LESSON = "index.html"
NARROW = (320, 390)
ALL_SECTIONS = "main > section[id]"
RUN = serve(chats(), RATE_HEAVY, PAGES, LIMIT)
FULL = RUN.cache_held_out.index(True)

# What a person who goes through the page with Tab comes to, outside of the parts that are no text.
STOPS_IN_TEXT = """() => [...document.querySelectorAll("main *")]
  .filter((node) => node.tabIndex >= 0)
  .filter((node) => !node.closest(".widget, .kitchen, #yours, .bet-form, .code, .whose"))
  .map((node) => node.className || node.tagName.toLowerCase())"""

# All that a page can leave behind on the reader's machine.
STORED = """async () => [document.cookie, localStorage.length, sessionStorage.length,
  (await indexedDB.databases()).length, (await caches.keys()).length,
  (await navigator.serviceWorker.getRegistrations()).length].join(" ")"""


def come_to_the_sliders(page: Page, address: str) -> Widget:
    """Opens the lesson, goes to the sliders and waits for Python's first answer."""
    page.goto(f"{address}/{LESSON}")
    page.locator("#widget").scroll_into_view_if_needed()
    wait_until(page, STARTED)
    return Widget(page)


def kitchen(page: Page) -> Locator:
    """The living kitchen, once it shows a run."""
    live = page.locator("#kitchen-live")
    expect(live.get_by_role("button", name="One step", exact=True)).to_be_enabled()
    return live


def numbers_of(listing: Locator) -> list[int]:
    """Numbers of the lines of code in a listing."""
    return [int(number) for number in listing.get_by_role("link").all_text_contents()]


def lit_lines(page: Page) -> list[int]:
    """Numbers of the lines of code that are lit."""
    ids = page.locator(".code .lit").evaluate_all("(all) => all.map(({ id }) => id)")
    return [int(each.removeprefix("L")) for each in ids]


# ---- For everyone ------------------------------------------------------------------------------------------


def test_without_javascript_text_figures_program_and_kitchen_can_be_read(visit: Visit, address: str) -> None:
    page = visit(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/{LESSON}")
    heavy = load_test(chats(), RATE_HEAVY, PAGES, LIMIT)
    expect(page.locator("#bet .reveal")).to_contain_text(f"{heavy['ttft_p99_s']:.2f} seconds")
    expect(page.locator("#L1")).to_be_visible()
    expect(page.locator("#hero svg.wide")).to_be_visible()
    expect(page.locator("#hero svg.narrow")).to_be_hidden()
    # By its element: Playwright finds no text in a <noscript>.
    expect(page.locator("noscript p")).to_contain_text("need JavaScript, which is off")
    for name in ("That is my bet", "Edit this program"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    for section in page.locator(ALL_SECTIONS).all():
        expect(section).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_in_any_colours(visit: Visit, address: str, width: int) -> None:
    for colours in COLOURS:
        page = visit(viewport={"width": width, "height": 900}, bypass_csp=True, **colours)
        come_to_the_sliders(page, address)
        kitchen(page)
        page.get_by_role("button", name="Edit this program").click()
        expect(page.get_by_role("textbox", name="Your tiny_server.py")).to_be_visible()
        unfold(page)
        assert violations(page) == [], colours


@pytest.mark.parametrize("width", NARROW)
def test_nothing_is_wider_than_a_telephone(visit: Visit, address: str, width: int) -> None:
    page = visit(viewport={"width": width, "height": 800})
    come_to_the_sliders(page, address)
    kitchen(page)
    page.get_by_role("button", name="Edit this program").click()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("Every figure is the same as the lesson’s.")).to_be_visible()
    unfold(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_of_the_texts_figures_only_those_that_set_the_sliders_stop_tab(page: Page, address: str) -> None:
    come_to_the_sliders(page, address)
    stops = set(page.evaluate(STOPS_IN_TEXT))
    assert "set" in stops
    assert "figure" not in stops
    assert stops <= {"set", "go", "a", "summary", "listing", "listing part-code", "pre", "button"}


def test_every_link_inside_the_site_leads_somewhere(page: Page, address: str, dist: Path) -> None:
    page.goto(f"{address}/{LESSON}")
    links = page.locator("a[href]").evaluate_all("(all) => all.map((link) => link.getAttribute('href'))")
    inside = {link.removeprefix("#") for link in links if link.startswith("#")}
    assert "L1" in inside
    is_missing = "(ids) => ids.filter((id) => document.getElementById(id) === null)"
    assert page.evaluate(is_missing, sorted(inside)) == []
    files = [link for link in links if re.fullmatch(r"[\w./-]+", link)]
    assert files
    assert [name for name in files if not (dist / name).is_file()] == []


# ---- Nothing leaves the page -------------------------------------------------------------------------------


def test_no_other_host_is_asked_and_nothing_is_stored(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(host_of(request)))
    come_to_the_sliders(page, address)
    kitchen(page)
    page.get_by_role("button", name="Edit this program").click()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("Every figure is the same as the lesson’s.")).to_be_visible()
    assert set(asked) <= {urlsplit(address).netloc, ""}
    assert page.evaluate(STORED) == " 0 0 0 0 0"


def host_of(request: Request) -> str:
    """Whom a request goes to; "" for what the page holds itself."""
    return urlsplit(request.url).netloc if request.url.startswith("http") else ""


# ---- Tied together -----------------------------------------------------------------------------------------


def test_the_editor_is_fetched_only_when_it_is_asked_for(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    come_to_the_sliders(page, address)
    assert not [url for url in asked if "/editor-" in url]
    page.get_by_role("button", name="Edit this program").click()
    expect(page.get_by_role("textbox", name="Your tiny_server.py")).to_be_visible()
    assert [url for url in asked if "/editor-" in url]


def test_a_part_pointed_at_in_the_kitchen_lights_up_its_lines(page: Page, address: str) -> None:
    come_to_the_sliders(page, address)
    kitchen(page)
    for row in page.locator(".parts tr[data-part]").all():
        part, link = row.get_attribute("data-part"), row.get_by_role("link")
        first, last = (int(link.get_attribute(f"data-{end}-line") or "") for end in ("from", "to"))
        page.locator(f"#kitchen-live [data-part='{part}']").focus()
        assert lit_lines(page) == list(range(first, last + 1))
        beside = page.get_by_role("region", name="The code of a part")
        assert numbers_of(beside) == list(range(first, last + 1))


def test_a_part_chosen_by_its_link_stays_lit(page: Page, address: str) -> None:
    page.goto(f"{address}/{LESSON}")
    rows = page.locator(".parts tr[data-part]")
    chosen, other = rows.nth(1), rows.nth(3)
    chosen.get_by_role("link").click()
    lines = lit_lines(page)
    other.hover()
    assert lit_lines(page) != lines
    page.get_by_role("heading", name="The six parts in the code").hover()
    assert lit_lines(page) == lines
    expect(chosen).to_have_class(re.compile("lit"))


def test_a_lock_keeps_what_the_text_would_set_and_says_so(page: Page, address: str) -> None:
    page.goto(f"{address}/{LESSON}?lock=rate")
    page.locator("#try").get_by_role("button", name="10 chats a second").click()
    expect(page.get_by_text("Chats a second: locked in this page; it stays at 40.")).to_be_visible()


def test_the_kitchens_moment_is_marked_in_the_chart_of_the_cache(page: Page, address: str) -> None:
    come_to_the_sliders(page, address)
    bar = kitchen(page).get_by_role("slider", name="Step of the run")
    expect(bar).to_have_value(str(FULL + 1))
    line = page.locator("#cache-fill .cursor line").first
    before = line.evaluate("(node) => node.getBoundingClientRect().x")
    bar.press("ArrowRight")
    assert line.evaluate("(node) => node.getBoundingClientRect().x") > before


def test_the_kitchen_follows_the_sliders(page: Page, address: str) -> None:
    widget = come_to_the_sliders(page, address)
    kitchen(page)
    widget.answer_to({**START, "pages": MORE_PAGES})
    steps = load_test(chats(), RATE_HEAVY, MORE_PAGES, LIMIT)["steps"]
    bar = page.get_by_role("slider", name="Step of the run")
    expect(bar).to_have_attribute("max", str(steps))
    expect(page.locator("#kitchen-live")).to_contain_text(f"{MORE_PAGES} pages")


HELD_BACK = """(() => {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (request, ...rest) {
    const isLate = window.holdsBack && request.kind === "ask" && request.task.kind === "intervals";
    setTimeout(() => postMessage.call(this, request, ...rest), isLate ? 1000 : 0);
  };
})()"""


def test_whoever_was_chosen_last_is_shown_in_the_kitchen(page: Page, address: str) -> None:
    page.add_init_script(HELD_BACK)
    come_to_the_sliders(page, address)
    live = kitchen(page)
    page.get_by_role("button", name="Edit this program").click()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(live).to_contain_text("Your server", timeout=30_000)
    page.evaluate("window.holdsBack = true")
    page.get_by_role("radio", name="the lesson’s program’s").check()
    page.wait_for_timeout(500)  # the lesson's run is asked for
    page.get_by_role("radio", name="my program’s").check()
    page.wait_for_timeout(1500)  # by now it has come
    expect(live).to_contain_text("Your server")


def test_an_edit_that_changes_python_itself_leaves_the_lessons_answers_as_they_are(
    page: Page, address: str
) -> None:
    widget = come_to_the_sliders(page, address)
    before = widget.clipboard()
    page.get_by_role("button", name="Edit this program").click()
    editor = page.get_by_role("textbox", name="Your tiny_server.py")
    editor.press("Control+Home")
    page.keyboard.type("import math, tinyserve.workload\nmath.exp = lambda power: 40.0\n")
    page.keyboard.press("Control+Enter")
    yours = page.get_by_text("It first holds a chat out").or_(page.get_by_text("No wall."))
    expect(yours.first).to_be_visible()
    expect(page.get_by_text("Ran in the page").first).to_be_visible()
    widget.answer_to({**START, "pages": MORE_PAGES})
    widget.answer_to(START)
    assert widget.clipboard() == before
