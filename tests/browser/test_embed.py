"""In a frame of another origin and as an element: it fits in, costs nothing until it is seen, and ends."""

import base64
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.browser.conftest import Errors
from tests.browser.widget import START, Widget
from tests.conftest import serving

pytestmark = pytest.mark.browser

README = Path(__file__).resolve().parents[2] / "README.md"
HEAD = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>A host</title>'
    '<link rel="icon" href="data:,">'
)
HOST_COLOUR = (220, 230, 255)
FAR_BELOW_PX = 4000
BOOT_MS = 90_000

# Counts the workers that each page makes and ends. With window.hurried_ms set, half a minute passes in
# that time, and it is counted how many have begun.
COUNT_WORKERS = """
  window.made = window.ended = window.begun = 0;
  const Original = window.Worker;
  window.Worker = class extends Original {
    constructor(...options) {
      super(...options);
      window.made += 1;
    }
    terminate() {
      window.ended += 1;
      super.terminate();
    }
  };
  const later = window.setTimeout;
  window.setTimeout = (callback, ms, ...rest) => {
    const isHurried = window.hurried_ms && ms === 30_000;
    window.begun += isHurried ? 1 : 0;
    return later(callback, isHurried ? window.hurried_ms : ms, ...rest);
  };
"""
HURRIED_MS = 3000  # enough to come back in time on a busy machine


def snippet() -> str:
    """The frame and its script as the README gives them."""
    (html,) = re.findall(r"^```html\n(<iframe .*?)^```$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return str(html)


# The colour of a picture's first pixel.
FIRST_PIXEL = """async (png) => {
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}"""


def colour_at(page: Page, x: float, y: float) -> tuple[int, ...]:
    """The colour of a pixel of the host page, which has no policy that would forbid to look at it."""
    png = page.screenshot(clip={"x": x, "y": y, "width": 2, "height": 2})
    return tuple(page.evaluate(FIRST_PIXEL, base64.b64encode(png).decode("ascii")))


# ---- A frame -----------------------------------------------------------------------------------------------


@pytest.fixture
def host_address(tmp_path: Path, address: str) -> Iterator[str]:
    """A page of another origin that holds the frame below much else."""
    frame = snippet().replace("https://example.org/tinyserve/", f"{address}/")
    red, green, blue = HOST_COLOUR
    (tmp_path / "host.html").write_text(
        f"""{HEAD}
        <body style="margin: 0; background: rgb({red} {green} {blue})">
        <div id="above" style="height: {FAR_BELOW_PX}px"></div>{frame}
        <div style="height: {FAR_BELOW_PX}px"></div>""",
        "utf-8",
    )
    with serving(tmp_path) as url:
        yield f"{url}/host.html"


@pytest.fixture
def hosted(page: Page, host_address: str) -> Frame:
    """The frame in that page, still out of view."""
    page.add_init_script(COUNT_WORKERS)
    page.goto(host_address)
    frame = page.wait_for_selector("iframe").content_frame()
    assert frame is not None
    frame.wait_for_selector("html[data-stage]")
    frame.wait_for_selector(".widget .buttons")
    return frame


def show(page: Page) -> None:
    """Scrolls the frame into view."""
    page.locator("iframe").scroll_into_view_if_needed()


def hide(page: Page) -> None:
    """Scrolls it far out of view."""
    page.evaluate("scrollTo(0, 0)")


def heights(frame: Frame) -> dict[str, int]:
    """What the content needs, and what the frame gives it."""
    sizes: dict[str, int] = frame.evaluate(
        """() => ({
          scroll: document.documentElement.scrollHeight,
          client: document.documentElement.clientHeight,
          content: document.documentElement.offsetHeight,
        })"""
    )
    return sizes


def wait_for_fit(frame: Frame) -> int:
    """Waits until the frame is exactly as high as its content; gives that height."""
    frame.wait_for_function(
        """() => innerHeight === document.documentElement.offsetHeight
          && document.documentElement.scrollHeight <= document.documentElement.clientHeight"""
    )
    return heights(frame)["client"]


def test_the_snippet_has_at_most_ten_lines() -> None:
    assert len(snippet().strip().splitlines()) <= 10


def test_the_frame_is_as_high_as_its_content_already_before_it_is_seen(hosted: Frame) -> None:
    hosted.wait_for_function("() => innerHeight === document.documentElement.offsetHeight")
    assert heights(hosted)["client"] > 500


def test_the_frame_grows_and_shrinks_with_its_content_and_never_scrolls(page: Page, hosted: Frame) -> None:
    show(page)
    first = wait_for_fit(hosted)
    hosted.get_by_text("The charts as tables").click()
    hosted.wait_for_function(f"() => innerHeight > {first + 100}")
    unfolded = wait_for_fit(hosted)
    hosted.get_by_text("The charts as tables").click()
    hosted.wait_for_function(f"() => innerHeight === {first}")
    assert unfolded > first
    page.set_viewport_size({"width": 420, "height": 800})
    hosted.wait_for_function(f"() => innerHeight > {first + 100}")
    wait_for_fit(hosted)
    assert hosted.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_page_behind_the_frame_shows_through(page: Page, hosted: Frame) -> None:
    wait_for_fit(hosted)
    page.evaluate(f"scrollTo(0, {FAR_BELOW_PX - 100})")
    place = page.locator("iframe").bounding_box()
    assert place is not None
    assert colour_at(page, place["x"] + 3, place["y"] + 3) == HOST_COLOUR


def test_python_starts_when_the_frame_comes_into_view_and_not_before(page: Page, hosted: Frame) -> None:
    page.wait_for_timeout(1000)
    assert hosted.evaluate("document.documentElement.dataset.stage") == "idle"
    assert hosted.evaluate("window.made") == 0
    show(page)
    hosted.wait_for_selector("html[data-stage=ready]", timeout=BOOT_MS)
    assert hosted.evaluate("window.made") == 1


def test_python_starts_when_the_frame_is_touched(hosted: Frame) -> None:
    hosted.locator("input[type=range]").first.dispatch_event("pointerdown")
    hosted.wait_for_selector("html[data-stage=ready]", timeout=BOOT_MS)


def test_out_of_view_python_ends_after_a_while_and_it_returns_with_the_settings(
    page: Page, hosted: Frame
) -> None:
    show(page)
    hosted.wait_for_selector("html[data-stage=ready]", timeout=BOOT_MS)
    hosted.locator("input[type=number][name=rate]").fill("25")
    hosted.get_by_text("25 chats/s").first.wait_for(state="attached")
    hosted.evaluate(f"window.hurried_ms = {HURRIED_MS}")
    hide(page)
    hosted.wait_for_selector("html[data-stage=idle]")
    assert hosted.evaluate("window.ended") == 1
    hosted.evaluate("window.hurried_ms = 0")
    show(page)
    hosted.wait_for_selector("html[data-stage=ready]", timeout=BOOT_MS)
    assert hosted.locator("input[type=range][name=rate]").input_value() == "25"
    hosted.locator("input[type=number][name=rate]").fill("26")
    hosted.get_by_text("26 chats/s").first.wait_for(state="attached")
    assert hosted.evaluate("window.made") == 2


def test_a_failure_is_still_said_after_a_look_away(page: Page, errors: Errors, hosted: Frame) -> None:
    errors.announce("404")
    page.route("**/*.whl", lambda route: route.fulfill(status=404))
    show(page)
    failure = hosted.locator("#failure").get_by_text("is missing on the server")
    failure.wait_for(timeout=BOOT_MS)
    hosted.evaluate("window.isHurried = true")
    hide(page)
    page.wait_for_timeout(1500)
    show(page)
    page.wait_for_timeout(500)
    assert hosted.evaluate("document.documentElement.dataset.stage") == "failed"
    assert failure.is_visible()


def test_a_short_look_away_does_not_end_python(page: Page, hosted: Frame) -> None:
    show(page)
    hosted.wait_for_selector("html[data-stage=ready]", timeout=BOOT_MS)
    hosted.evaluate(f"window.hurried_ms = {HURRIED_MS}")
    hide(page)
    hosted.wait_for_function("() => window.begun > 0", polling=50)  # there are no frames out of view
    show(page)
    page.wait_for_timeout(2 * HURRIED_MS)
    assert hosted.evaluate("document.documentElement.dataset.stage") == "ready"
    assert hosted.evaluate("window.ended") == 0


# ---- An element --------------------------------------------------------------------------------------------

NOTE_EVENTS = """
  window.seen = [];
  document.addEventListener("tinyserve:answer", (event) => {
    const { target, detail, bubbles, composed } = event;
    window.seen.push({ id: target.id, rate: detail.settings.rate, bubbles, composed });
  });
"""


class HostPage:
    """A page of the widget's own origin, with elements in it."""

    def __init__(self, page: Page, address: str, script: str) -> None:
        self.page = page
        self.address = address
        self.script = script
        page.add_init_script(COUNT_WORKERS)
        page.add_init_script(NOTE_EVENTS)

    def open(self, body: str, style: str = "") -> None:
        """Opens a page with this body."""
        html = (
            f'{HEAD}<style>{style}</style><body>{body}<script type="module" src="{self.script}"></script>'
        )
        self.page.route("**/host.html", lambda route: route.fulfill(body=html, content_type="text/html"))
        self.page.goto(f"{self.address}/host.html")

    def wait_for_answer(self, element: str, rate: int) -> None:
        """Waits until an element has announced an answer at a rate."""
        self.page.wait_for_function(
            "([id, rate]) => window.seen.some((event) => event.id === id && event.rate === rate)",
            arg=[element, rate],
            timeout=BOOT_MS,
        )


@pytest.fixture
def host(page: Page, address: str, dist: Path) -> HostPage:
    """A page that can hold elements."""
    (script,) = dist.glob("tiny-server.js")
    return HostPage(page, address, script.name)


TWO = '<tiny-server id="one" rate="10"></tiny-server><tiny-server id="two" rate="50" lang="de"></tiny-server>'


def test_an_element_has_its_own_stage_and_event_and_does_not_mark_the_page(host: HostPage) -> None:
    host.open('<tiny-server id="one" rate="12" pages="480" lock="pages"></tiny-server>')
    host.wait_for_answer("one", 12)
    (event,) = host.page.evaluate("window.seen")
    assert event == {"id": "one", "rate": 12, "bubbles": True, "composed": True}
    expect(host.page.locator("#one")).to_have_attribute("data-stage", "ready")
    assert host.page.evaluate("document.documentElement.dataset.stage") is None
    assert host.page.evaluate("performance.getEntriesByType('mark').map(({ name }) => name)") == []
    assert host.page.url.endswith("/host.html")
    widget = Widget(host.page)  # Playwright looks into open shadow roots
    assert widget.settings() == {**START, "rate": 12, "pages": 480}
    expect(widget.slider("pages")).to_be_disabled()
    expect(host.page.get_by_role("button", name="Copy link")).to_have_count(0)


def test_two_elements_of_a_page_share_one_python_and_keep_their_own_settings(host: HostPage) -> None:
    host.open(TWO)
    host.wait_for_answer("one", 10)
    host.wait_for_answer("two", 50)
    assert host.page.evaluate("window.made") == 1
    for element, said in (("#one", "No wall."), ("#two", "Der Cache ist die Wand.")):
        expect(host.page.locator(f"{element} .sentence")).to_contain_text(said)
    host.page.locator("#one input[type=number][name=rate]").fill("30")
    host.wait_for_answer("one", 30)
    assert host.page.locator("#two input[type=range][name=rate]").input_value() == "50"


def test_python_ends_with_the_last_element(host: HostPage) -> None:
    host.open(TWO)
    host.wait_for_answer("one", 10)
    host.wait_for_answer("two", 50)
    host.page.evaluate("document.getElementById('one').remove()")
    assert host.page.evaluate("window.ended") == 0
    host.page.evaluate("document.getElementById('two').remove()")
    assert host.page.evaluate("window.ended") == 1


def test_a_changed_attribute_is_followed(host: HostPage) -> None:
    host.open('<tiny-server id="one" rate="12"></tiny-server>')
    host.wait_for_answer("one", 12)
    host.page.evaluate("document.getElementById('one').setAttribute('rate', '20')")
    host.wait_for_answer("one", 20)
    assert host.page.evaluate("[window.made, window.ended]") == [1, 0], "the same Python answers"
    host.page.evaluate("document.getElementById('one').setAttribute('lang', 'de')")
    expect(host.page.locator("#one .widget")).to_have_attribute("lang", "de")
    host.page.evaluate("document.getElementById('one').setAttribute('theme', 'dark')")
    assert host.page.locator("#one").evaluate("(node) => getComputedStyle(node).colorScheme") == "dark"


def test_an_attribute_set_to_what_it_is_leaves_the_readers_settings(host: HostPage) -> None:
    host.open('<tiny-server id="one" rate="12"></tiny-server>')
    host.wait_for_answer("one", 12)
    widget = Widget(host.page)
    widget.slider("rate").fill("25")
    host.wait_for_answer("one", 25)
    host.page.evaluate("document.getElementById('one').setAttribute('rate', '12')")
    assert widget.settings() == {**START, "rate": 25}


def test_an_element_that_is_hidden_is_drawn_once_it_is_shown(host: HostPage) -> None:
    host.open('<div id="fold" hidden><tiny-server id="one" rate="12"></tiny-server></div>')
    expect(host.page.locator("#one")).to_have_attribute("data-stage", "idle")
    assert host.page.locator("#one #cache-fill path").count() == 0
    host.page.evaluate("document.getElementById('fold').hidden = false")
    host.wait_for_answer("one", 12)
    expect(host.page.locator("#one #cache-fill .lane .paths path").first).to_be_visible()


def test_an_element_far_below_waits_until_it_comes_near(host: HostPage) -> None:
    host.open(f'<div style="height: {FAR_BELOW_PX}px"></div><tiny-server id="one" rate="12"></tiny-server>')
    expect(host.page.locator("#one")).to_have_attribute("data-stage", "idle")
    host.page.wait_for_timeout(500)
    assert host.page.evaluate("window.made") == 0
    host.page.locator("#one").scroll_into_view_if_needed()
    host.wait_for_answer("one", 12)


LOOKS = """(element) => {
  const root = element.shadowRoot.querySelector(".widget");
  const from = root.getBoundingClientRect();
  return [root, ...root.querySelectorAll("*")].map((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const { color, fontSize, fontFamily, textAlign, display } = getComputedStyle(node);
    const place = [left - from.left, top - from.top, width, height].map((pixels) => pixels.toFixed(1));
    return [node.localName, ...place, color, fontSize, fontFamily, textAlign, display].join(" ");
  });
}"""

RULES = """
  html { font-size: 62.5%; }
  body { font: italic bold 30px/3 monospace; color: red; text-align: center; text-transform: uppercase;
    letter-spacing: 0.3em; white-space: pre; cursor: wait; }
  * { color: red; font-size: 40px; line-height: 3; text-indent: 2em; box-sizing: content-box; }
  div, section, p, h2, table, td, input { margin: 30px; padding: 40px; border: 5px solid red; float: left; }
"""


@pytest.mark.parametrize("width", [360, 700, 1200])
def test_a_pages_own_rules_do_not_reach_into_an_element(host: HostPage, width: int) -> None:
    body = f'<tiny-server id="one" style="width: {width}px"></tiny-server>'
    host.page.set_viewport_size({"width": 1280, "height": 900})
    looks = []
    for style in ("", RULES):
        host.page.unroute("**/host.html")
        host.open(body, style)
        host.wait_for_answer("one", 40)
        expect(host.page.locator("#one .bar.dimmed")).to_have_count(0)
        looks.append(host.page.locator("#one").evaluate(LOOKS))
    assert looks[0] == looks[1]


def test_the_folder_works_when_copied_below_another_ones(page: Page, dist: Path, tmp_path: Path) -> None:
    """The element's script finds its worker beside itself, wherever the page is."""
    shutil.copytree(dist, tmp_path / "some" / "folder")
    (script,) = dist.glob("tiny-server.js")
    (tmp_path / "index.html").write_text(
        f'{HEAD}<tiny-server id="one"></tiny-server>'
        f'<script type="module" src="some/folder/{script.name}"></script>',
        "utf-8",
    )
    page.add_init_script(NOTE_EVENTS)
    with serving(tmp_path) as url:
        page.goto(f"{url}/index.html")
        page.wait_for_function("() => window.seen.length > 0", timeout=BOOT_MS)
