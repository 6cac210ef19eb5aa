"""The driver itself, on small pages: every engine lets a story do and see the same."""

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import serving
from tests.stories.driver import Engine, Page

pytestmark = pytest.mark.browser

Show = Callable[..., Page]


@pytest.fixture
def show(browser: Page, tmp_path: Path) -> Iterator[Show]:
    """Opens a page with this head and body."""
    with serving(tmp_path) as address:

        def show(body: str, head: str = "") -> Page:
            # Without an icon of its own, a page makes the browser ask the server for one.
            start = '<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">'
            (tmp_path / "page.html").write_text(f"{start}{head}<body>{body}</body></html>", "utf-8")
            browser.open(f"{address}/page.html")
            return browser

        yield show


# ---- Errors ------------------------------------------------------------------------------------------------

ERRORS = {
    "logged by the first script": "console.error('it broke')",
    "thrown by the first script": "throw new Error('it broke')",
    "thrown later": "setTimeout(() => { throw new Error('it broke'); })",
    "a promise that nobody awaits": "Promise.reject(new Error('it broke'))",
}


@pytest.mark.parametrize("script", ERRORS.values(), ids=ERRORS)
def test_an_error_fails_a_story_unless_it_was_announced(show: Show, script: str) -> None:
    page = show("", f"<script>{script}</script>")

    def is_noticed() -> bool:
        try:
            page.check_errors()
        except AssertionError as error:
            return "it broke" in str(error)
        return False

    page.wait_until(is_noticed, "the error", patience_s=10)
    page.expect_error("another error")
    assert is_noticed()
    page.expect_error("it broke")
    page.check_errors()


def test_a_page_without_errors_fails_no_story(show: Show) -> None:
    show("", "<script>console.log('all is well')</script>").check_errors()


# ---- The hand ----------------------------------------------------------------------------------------------

NOTE_EVENTS = """<script>
  window.seen = [];
  for (const type of ["input", "change", "click"]) {
    document.addEventListener(type, ({ isTrusted, target }) => {
      window.seen.push([type, target.value, isTrusted]);
    }, true);
  }
</script>"""


def test_a_slider_is_moved_step_by_step_with_the_browsers_own_events(show: Show) -> None:
    page = show("<input type=range min=10 max=90 step=10 value=40 aria-label=Rate>", NOTE_EVENTS)
    slider = page.by_role("slider", "Rate")
    slider.set(60)
    assert slider.value() == "60"
    assert page.run("return seen.filter(([type]) => type === 'input')") == [
        ["input", "50", True],
        ["input", "60", True],
    ]
    assert ["change", "60", True] in page.run("return seen")
    slider.set(20)
    assert slider.value() == "20"


def test_a_number_is_typed_over_the_old_one_and_left(show: Show) -> None:
    page = show("<input type=number value=40 aria-label=Rate><input aria-label=Next>", NOTE_EVENTS)
    box = page.by_role("spinbutton", "Rate")
    box.set("-12")
    assert box.value() == "-12"
    assert page.run("return seen").count(["change", "-12", True]) == 1
    assert page.run("return document.activeElement.ariaLabel") == "Next"
    box.set("")
    assert box.value() == ""


def test_a_click_is_the_browsers_own_and_reaches_what_is_out_of_view(show: Show) -> None:
    page = show("<p style='height: 3000px'>Long</p><button value=b>Go on</button>", NOTE_EVENTS)
    page.by_text("Go on").click()
    assert page.run("return seen") == [["click", "b", True]]


# ---- The eye -----------------------------------------------------------------------------------------------


def test_elements_are_found_by_the_role_and_name_that_the_browser_works_out(show: Show) -> None:
    page = show(
        "<h2 id=a>The cache</h2><fieldset disabled><button aria-labelledby=a>x</button></fieldset>"
        "<button hidden>Hidden</button><p role=status>Two  words</p>"
    )
    assert page.by_role("heading", "The cache").text() == "The cache"
    button = page.by_role("button", "The cache")
    assert not button.is_enabled()
    assert button.attribute("aria-labelledby") == "a"
    assert button.attribute("title") is None
    assert page.all_by_role("button", "Hidden") == []
    assert page.all_by_role("button", "The") == []
    assert page.by_role("status").text() == "Two words"


def test_a_role_and_name_that_two_elements_have_are_refused(show: Show) -> None:
    page = show("<button>Go</button><button>Go</button>")
    with pytest.raises(LookupError, match="2 elements are a button named 'Go'"):
        page.by_role("button", "Go")


def test_what_does_not_come_is_named(show: Show) -> None:
    page = show("<p>Only this")
    with pytest.raises(TimeoutError, match="waited 0.2 s for a miracle; the page said: Only this"):
        page.wait_until(lambda: False, "a miracle", patience_s=0.2)


def test_a_frame_can_be_entered(show: Show) -> None:
    page = show("<h1>Outside</h1><iframe srcdoc='<h1>Inside</h1><button>Go</button>'></iframe>")
    page.enter_frame()
    assert page.by_role("heading").text() == "Inside"
    page.by_role("button", "Go").click()
    assert page.text() == "Inside Go"


def test_a_strict_policy_keeps_no_story_from_running_scripts(show: Show) -> None:
    policy = "default-src 'none'; script-src 'self'; img-src data:"
    page = show("<h1>Strict</h1>", f'<meta http-equiv="Content-Security-Policy" content="{policy}">')
    assert page.run("return arguments[0] + 1", 41) == 42
    assert page.by_role("heading").run("return this.textContent") == "Strict"


def test_the_window_gets_the_size_that_is_asked_for(show: Show, tmp_path: Path) -> None:
    page = show("<p>Small")
    page.resize(320, 640)
    assert page.run("return [innerWidth, innerHeight]") == [320, 640]
    picture = tmp_path / "page.png"
    page.screenshot(picture)
    assert struct.unpack(">II", picture.read_bytes()[16:24]) == (320, 640)


def test_what_the_page_announces_from_its_first_script_on_is_kept(show: Show) -> None:
    event = "new CustomEvent('tinyserve:answer', { detail: { report: 0.1 + 0.2 } })"
    page = show("", f"<script>document.dispatchEvent({event})</script>")
    assert page.answers() == [{"report": 0.1 + 0.2}]


def test_each_story_meets_the_page_for_the_first_time(engine: Engine, address: str) -> None:
    licence = f"{address}/licences/tinyserve.txt"
    earlier = Page(engine.new_tab())
    earlier.open(licence)
    earlier.run("localStorage.setItem('met', 'yes')")
    earlier.open(licence)
    assert earlier.run("return localStorage.getItem('met')") == "yes"
    earlier.close()

    later = Page(engine.new_tab())
    later.open(licence)
    assert later.run("return [localStorage.getItem('met'), window.opener]") == [None, None]
    later.close()
