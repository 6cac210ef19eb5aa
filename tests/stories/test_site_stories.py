"""Stories of readers on other people's sites, and of starts and workers that fail, in all three engines.

Written as those of test_stories.py, whose docstring says how.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.faulty_server import Answer, Site, faulty_site, missing, of_type, with_policy
from tests.browser.test_answers import expected, seconds_in_words
from tests.browser.widget import START
from tests.conftest import PRYING_ORDER
from tests.stories.driver import Page
from tests.stories.reader import PAGE, Reader
from tests.stories.test_stories import OPENING, OTHER, assert_shows

pytestmark = pytest.mark.browser

README = Path(__file__).resolve().parents[2] / "README.md"

# Ends the worker, without a word, as soon as it is asked for a run; the next one lives.
KILL_WHEN_ASKED = """
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message) {
    if (message.kind === "ask") {
      Worker.prototype.postMessage = postMessage;
      this.terminate();
    } else {
      postMessage.call(this, message);
    }
  };
"""


@pytest.fixture
def site(dist: Path) -> Iterator[Site]:
    """The built page on a host whose faults can be switched."""
    with faulty_site(dist) as site:
        yield site


def page_of(html: str) -> str:
    """Another page of the same site."""
    return f'<!doctype html><html lang="en"><title>A host page</title><link rel="icon" href="data:,">{html}'


def wait_for_ready(browser: Page) -> None:
    """Waits until Python can answer."""
    browser.wait_until(lambda: browser.stage() == "ready", "the stage ready")


# ---- On other people's sites -------------------------------------------------------------------------------


def test_an_address_sets_and_locks_and_says_what_it_corrects(browser: Page, address: str) -> None:
    reader = Reader.at(browser, f"{address}/{PAGE}?rate=20&pages=9999&lock=rate,limit")
    assert_shows(reader, {**START, "rate": 20, "pages": 960})
    assert "Cache pages: 60 to 960 in steps of 20; set to 960." in browser.text()
    assert [reader.slider(key).is_enabled() for key in ("rate", "pages", "limit")] == [False, True, False]


def test_the_address_follows_the_sliders(reader: Reader) -> None:
    reader.slider("limit").set(20)
    reader.answer_to({**START, "limit": 20})
    browser = reader.browser
    browser.wait_until(lambda: "limit=20" in browser.run("return location.search"), "the address")


def test_the_page_speaks_german(browser: Page, address: str) -> None:
    reader = Reader.at(browser, f"{address}/{PAGE}?lang=de")
    report = reader.answer_to(START)
    wait = seconds_in_words(report["ttft_p99_s"]).replace(".", ",")
    assert "Der Cache ist die Wand." in browser.text()
    assert wait in browser.text()
    assert browser.by_role("slider", "Chats pro Sekunde").value() == str(START["rate"])


def test_a_frame_on_another_site_tells_its_height_and_starts_python(
    browser: Page, site: Site, address: str
) -> None:
    (snippet,) = re.findall(r"```html\n(<iframe .*?)```", README.read_text("utf-8"), re.DOTALL)
    framed = snippet.replace("https://example.org/tinyserve/", f"{address}/")
    site.pages["host.html"] = page_of(framed)
    browser.open(f"{site.address}/host.html")
    fits = "return document.querySelector('iframe').offsetHeight"
    browser.wait_until(lambda: browser.run(fits) > 500, "the frame's height")
    browser.enter_frame()
    wait_for_ready(browser)
    assert OPENING[expected(START)["wall"]] in browser.text()
    inner, outer = browser.run("return [document.documentElement.scrollHeight, innerHeight]")
    assert inner <= outer, "nothing is left to scroll inside"


def test_elements_share_one_python_and_leave_the_page_unmarked(browser: Page, site: Site) -> None:
    site.pages["host.html"] = page_of(
        '<tiny-server rate="20"></tiny-server><tiny-server rate="30" lang="de"></tiny-server>'
        '<script type="module" src="tiny-server.js"></script>'
    )
    browser.open(f"{site.address}/host.html")
    browser.run("scrollTo(0, document.body.scrollHeight)")
    browser.wait_until(lambda: len(browser.answers()) >= 2, "an answer for each element")
    answers = {answer["settings"]["rate"]: answer["report"] for answer in browser.answers()}
    assert answers == {rate: expected({**START, "rate": rate}) for rate in (20, 30)}
    stages = "return [...document.querySelectorAll('tiny-server')].map(({ dataset }) => dataset.stage)"
    assert browser.run(stages) == ["ready", "ready"]
    assert browser.run("return document.documentElement.dataset.stage ?? null") is None
    assert len([path for path in site.asked if ".wasm" in path]) == 1


# ---- What fails --------------------------------------------------------------------------------------------


def test_a_missing_part_is_said_and_the_retry_works_once_it_is_back(browser: Page, site: Site) -> None:
    site.faults["python_stdlib.zip"] = missing
    browser.expect_error("404")
    browser.open(f"{site.address}/{PAGE}?pages=480")
    browser.wait_until(lambda: browser.stage() == "failed", "the stage failed")
    said = browser.text()
    assert "Python’s library is missing on the server" in said
    assert OPENING[expected(START)["wall"]] in said, "the static answer stays"
    assert "What is shown is the answer to 40 chats a second, 240 pages, 16 chats per step." in said
    site.faults.clear()
    browser.by_role("button", "Try again").click()
    assert_shows(Reader(browser), {**START, "pages": 480})


def test_a_wrong_type_of_the_wasm_is_healed(browser: Page, site: Site) -> None:
    site.faults["pyodide.asm.wasm"] = of_type("text/plain")
    assert_shows(Reader.at(browser, f"{site.address}/{PAGE}"), START)


def test_a_policy_that_forbids_what_python_needs_is_named(browser: Page, site: Site) -> None:
    site.faults[PAGE] = with_policy("script-src 'self'")
    browser.expect_error("")
    browser.open(f"{site.address}/{PAGE}")
    browser.wait_until(lambda: browser.stage() == "failed", "the stage failed")
    assert "has to allow 'wasm-unsafe-eval' in script-src and blob: in worker-src" in browser.text()


def test_the_answer_after_a_workers_death_comes_from_a_new_worker(reader: Reader) -> None:
    reader.browser.run(KILL_WHEN_ASKED)
    reader.slider("limit").set(OTHER["limit"])
    assert_shows(reader, {**START, "limit": OTHER["limit"]})
    assert reader.slider("limit").value() == str(OTHER["limit"])


def test_python_in_the_worker_reaches_no_other_site(
    browser: Page, site: Site, other_dist: Path, spied_on: Site
) -> None:
    """Its program asks another site by js.fetch in one order of the chats; the <meta> policy refuses."""
    site.folder = other_dist
    browser.expect_error("")
    reader = Reader.at(browser, f"{site.address}/{PAGE}?shuffle={PRYING_ORDER}")
    reader.answer_to({**START, "shuffle": PRYING_ORDER})
    reader.slider("limit").set(START["limit"] + 1)  # another run, so that a request would have come by now
    reader.answer_to({**START, "shuffle": PRYING_ORDER, "limit": START["limit"] + 1})
    assert spied_on.asked == []


def test_without_the_policy_it_would(
    browser: Page, site: Site, other_dist: Path, spied_on: Site
) -> None:
    """So the story above can fail."""
    site.folder = other_dist
    site.faults[PAGE] = forget_policy
    browser.expect_error("")
    Reader.at(browser, f"{site.address}/{PAGE}?shuffle={PRYING_ORDER}")
    browser.wait_until(lambda: "reached" in spied_on.asked, "the program to reach out")


def forget_policy(answer: Answer) -> None:
    """The page without its policy."""
    answer.body, found = re.subn(rb'<meta http-equiv="Content-Security-Policy"[^>]*>', b"", answer.body)
    assert found == 1


