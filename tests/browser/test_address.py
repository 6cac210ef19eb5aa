"""The address sets, locks and follows the sliders."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import STARTED, Visit
from tests.browser.widget import NAMES, START, Widget
from tinyserve import chats, load_test

pytestmark = pytest.mark.browser

ADDRESS_MS = 500  # between two changes of the address


def open_with(page: Page, address: str, query: str) -> Widget:
    """Opens the page with a query and waits for its first answer."""
    page.goto(f"{address}/widget.html{query}")
    page.wait_for_function(STARTED, timeout=90_000)
    return Widget(page)


def asked(page: Page) -> dict[str, str]:
    """What the page's address asks for."""
    return {name: value for name, (value,) in parse_qs(urlsplit(page.url).query).items()}


def as_asked(settings: dict[str, int]) -> dict[str, str]:
    return {key: str(value) for key, value in settings.items()}


# ---- What the address says ---------------------------------------------------------------------------------


def test_the_address_sets_what_is_run(page: Page, address: str) -> None:
    settings = {"rate": 12, "pages": 480, "limit": 8, "shuffle": 3}
    query = "?rate=12&pages=480&limit=8&shuffle=3"
    widget = open_with(page, address, query)
    assert widget.settings() == settings
    report = load_test(chats(3), 12, 480, 8)
    assert widget.clipboard()["Longest queue"] == [f"{report['queue_max']:,}"]
    assert widget.clipboard()["Steps in all"] == [f"{report['steps']:,}"]
    expect(page.locator("#note")).to_have_text("")


def test_a_locked_setting_cannot_be_moved_and_the_others_can(page: Page, address: str) -> None:
    widget = open_with(page, address, "?rate=20&lock=rate,limit")
    widget.open_more_settings()
    for key in NAMES:
        for field in (widget.slider(key), widget.box(key)):
            expect(field).to_be_disabled() if key in ("rate", "limit") else expect(field).to_be_enabled()
    assert widget.settings() == {**START, "rate": 20}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?lock=page", "lock: only rate, pages, limit or shuffle; anything else is ignored."),
        ("?lock=rate,price", "lock: only rate, pages, limit or shuffle; anything else is ignored."),
        ("?theme=blue", "theme: only light or dark; anything else is ignored."),
        ("?lang=xx", "lang: only en or de; anything else is ignored."),
        ("?lang=de&theme=blue", "theme: nur light oder dark; alles andere wird übergangen."),
        ("?lock=&lang=de-AT", ""),
    ],
)
def test_a_name_that_is_not_known_is_said_to_be_ignored(
    page: Page, address: str, query: str, said: str
) -> None:
    page.goto(f"{address}/widget.html{query}")
    expect(page.locator("html")).to_have_attribute("data-stage", re.compile("."))
    expect(page.locator("#note")).to_have_text(said)


@pytest.mark.parametrize(("theme", "scheme"), [("dark", "light"), ("light", "dark")])
def test_the_address_sets_the_colours_against_the_browsers_wish(
    visit: Visit, address: str, theme: str, scheme: str
) -> None:
    page = visit(color_scheme=scheme)
    page.goto(f"{address}/widget.html?theme={theme}")
    expect(page.locator("html")).to_have_attribute("data-theme", theme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    brightness = sum(int(part) for part in paper.removeprefix("rgb(").rstrip(")").split(",")) / 3
    assert (brightness < 128) == (theme == "dark"), paper


@pytest.mark.parametrize("query", ["", "?theme=blue"])
def test_without_a_theme_the_browsers_wish_is_followed(visit: Visit, address: str, query: str) -> None:
    page = visit(color_scheme="dark")
    page.goto(f"{address}/widget.html{query}")
    expect(page.get_by_role("button", name="Reset")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 21, 19)"


@pytest.mark.parametrize(
    ("key", "text", "taken", "allowed"),
    [
        ("rate", "0", 1, "1 to 60"),
        ("rate", "9999", 60, "1 to 60"),
        ("pages", "-5", 60, "60 to 960 in steps of 20"),
        ("pages", "251", 260, "60 to 960 in steps of 20"),
        ("limit", "2.5", 3, "1 to 40"),
        ("shuffle", "6", 5, "0 to 5"),
    ],
)
def test_what_is_out_of_range_becomes_the_nearest_that_can_be_and_is_said(
    page: Page, address: str, key: str, text: str, taken: int, allowed: str
) -> None:
    page.goto(f"{address}/widget.html?{key}={text}")
    expect(page.locator("#note")).to_have_text(f"{NAMES[key]}: {allowed}; set to {taken}.")
    assert Widget(page).settings() == {**START, key: taken}


@pytest.mark.parametrize(
    "text", ["abc", "1e9", "0x10", "NaN", "Infinity", "", "%20", "4,5", "1_000", "5&rate=6"]
)
def test_what_is_no_number_leaves_the_lessons_and_is_said(page: Page, address: str, text: str) -> None:
    page.goto(f"{address}/widget.html?rate={text}")
    expect(page.locator("#note")).to_have_text("Chats a second: not a number; it stays at 40.")
    assert Widget(page).settings() == START


def test_all_that_is_wrong_in_an_address_is_said(page: Page, address: str) -> None:
    page.goto(f"{address}/widget.html?rate=99&pages=abc")
    note = page.locator("#note")
    expect(note).to_have_text(
        "Chats a second: 1 to 60; set to 60. Cache pages: not a number; it stays at 240."
    )


# ---- The address follows -----------------------------------------------------------------------------------


def test_the_address_follows_the_sliders_and_keeps_what_else_it_says(page: Page, address: str) -> None:
    widget = open_with(page, address, "?theme=dark&lang=en&lock=limit&from=blog")
    others = {"theme": "dark", "lang": "en", "lock": "limit", "from": "blog"}
    length = page.evaluate("history.length")
    widget.answer_to({**START, "rate": 25, "pages": 480})
    page.wait_for_url("**rate=25**")
    assert asked(page) == {**others, **as_asked({**START, "rate": 25, "pages": 480})}
    assert page.evaluate("history.length") == length, "going back leaves the page"

    page.reload()
    page.wait_for_function(STARTED, timeout=90_000)
    assert widget.settings() == {**START, "rate": 25, "pages": 480}


def test_the_lessons_own_settings_need_no_words_in_the_address(page: Page, address: str) -> None:
    widget = open_with(page, address, "?rate=12")
    widget.answer_to(START)
    page.wait_for_url(f"{address}/widget.html")


def test_the_address_changes_at_most_twice_a_second_while_a_slider_is_dragged(
    page: Page, address: str
) -> None:
    """A browser refuses what changes too often: Safari throws after a hundred times in half a minute."""
    page.add_init_script(
        """window.changes = [];
        const original = history.replaceState;
        history.replaceState = function replaceState(...options) {
          window.changes.push(performance.now());
          return original.apply(this, options);
        };"""
    )
    widget = open_with(page, address, "")
    page.evaluate(
        """() => new Promise((resolve) => {
          const slider = document.querySelector("input[type=range][name=rate]");
          let moves = 0;
          const timer = setInterval(() => {
            moves += 1;
            slider.value = 1 + (moves % 60);
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            if (moves === 200) {
              clearInterval(timer);
              resolve();
            }
          }, 10);
        })"""
    )
    rate = widget.settings()["rate"]
    page.wait_for_url(f"**rate={rate}**")
    changes = page.evaluate("window.changes")
    assert len(changes) >= 2, "it follows during the drag"
    gaps = [later - earlier for earlier, later in zip(changes, changes[1:], strict=False)]
    assert min(gaps) >= ADDRESS_MS - 5


def test_a_browser_that_refuses_to_change_the_address_disturbs_nothing(page: Page, address: str) -> None:
    page.add_init_script(
        "history.replaceState = () => { throw new DOMException('too often', 'SecurityError'); }"
    )
    widget = open_with(page, address, "")
    widget.answer_to({**START, "rate": 25})
    page.wait_for_timeout(2 * ADDRESS_MS)  # the errors fixture sees an exception
    assert asked(page) == {}


# ---- Reset and the link ------------------------------------------------------------------------------------


def test_reset_goes_back_to_the_lesson(page: Page, address: str) -> None:
    widget = open_with(page, address, "?rate=12&pages=480&theme=dark")
    widget.note_answers()
    page.get_by_role("button", name="Reset").click()
    widget.wait_for_answer(START)
    assert widget.settings() == START
    page.wait_for_url(f"{address}/widget.html?theme=dark")


def test_reset_leaves_what_is_locked(page: Page, address: str) -> None:
    widget = open_with(page, address, "?rate=12&pages=480&lock=rate")
    widget.note_answers()
    page.get_by_role("button", name="Reset").click()
    widget.wait_for_answer({**START, "rate": 12})
    assert widget.settings() == {**START, "rate": 12}


def test_the_link_is_copied(visit: Visit, address: str) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    widget = open_with(page, address, "?theme=dark")
    widget.box("rate").fill("25")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#note")).to_have_text("The link is on your clipboard.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{address}/widget.html?theme=dark&rate=25&pages=240&limit=16&shuffle=0"
    expect(page.get_by_role("textbox", name="The link to copy:")).to_have_count(0)


def test_where_the_clipboard_is_refused_the_link_stands_selected(page: Page, address: str) -> None:
    page.add_init_script(
        "navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))"
    )
    widget = open_with(page, address, "?rate=25")
    page.get_by_role("button", name="Copy link").click()
    field = page.get_by_role("textbox", name="The link to copy:")
    expect(field).to_be_focused()
    link = f"{address}/widget.html?rate=25&pages=240&limit=16&shuffle=0"
    expect(field).to_have_value(link)
    assert not field.is_editable()
    assert field.evaluate("(node) => node.value.slice(node.selectionStart, node.selectionEnd)") == link
    # It is the link of what was shown then: once that has changed, it is gone.
    widget.answer_to({**START, "rate": 26})
    expect(field).to_be_hidden()
