"""The page's life can be observed in standard ways; every request settles; nothing leaves the page."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Visit, open_widget
from tests.browser.widget import START, Widget
from tests.conftest import running, serving
from tinyserve import chats, load_test

pytestmark = pytest.mark.browser

BOOT_MS = 90_000

def test_the_stages_come_in_order(page: Page, address: str) -> None:
    page.add_init_script(
        """window.stages = [];
        new MutationObserver(() => {
          const stage = document.documentElement?.dataset.stage;
          if (stage && stage !== window.stages.at(-1)) {
            window.stages.push(stage);
          }
        }).observe(document, { attributes: true, childList: true, subtree: true });"""
    )
    open_widget(page, address)
    assert page.evaluate("window.stages") == ["idle", "download", "start", "ready"]


def test_user_timing_marks_when_python_can_answer_and_when_an_answer_is_painted(new_widget: Widget) -> None:
    times = new_widget.page.evaluate(
        """["tinyserve:ready", "tinyserve:answer"].map(
          (name) => performance.getEntriesByName(name)[0].startTime,
        )"""
    )
    ready, answer = times
    assert 0 < ready < answer


def test_nothing_is_asked_of_another_host_and_nothing_is_stored(
    context: BrowserContext, page: Page, address: str
) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    widget = open_widget(page, address)
    widget.answer_to({"rate": 10, "pages": 480, "limit": 8, "shuffle": 2})
    for part in ("worker-", "pyodide.asm.wasm", ".whl"):
        assert any(part in url for url in asked)
    assert [url for url in asked if not url.startswith((f"{address}/", f"blob:{address}/"))] == []
    assert context.cookies() == []
    stored = page.evaluate(
        """async () => [localStorage.length, sessionStorage.length,
          (await indexedDB.databases()).length, (await caches.keys()).length]"""
    )
    assert stored == [0, 0, 0, 0]


def test_the_page_works_from_pythons_own_server_and_with_its_cache_cleared_between_visits(
    page: Page, dist: Path
) -> None:
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with running(command, dist, subprocess.DEVNULL) as server:
        assert server.stdout is not None
        port = re.search(r"port (\d+)", server.stdout.readline())
        assert port is not None
        for _ in range(2):
            widget = open_widget(page, f"http://127.0.0.1:{port[1]}")
            assert widget.sentence().startswith("The cache is the wall.")
            page.context.new_cdp_session(page).send("Network.clearBrowserCache")


def test_the_page_works_below_any_folder(page: Page, dist: Path, tmp_path: Path) -> None:
    shutil.copytree(dist, tmp_path / "some" / "folder" / "tinyserve")
    with serving(tmp_path) as address:
        widget = open_widget(page, f"{address}/some/folder/tinyserve")
        assert widget.sentence().startswith("The cache is the wall.")


# Keeps the page's worker in window.worker and its newest request in window.request; while window.isCutOff is
# set, requests do not reach it.
HOLD_THE_WORKER = """
  const Original = window.Worker;
  window.Worker = class extends Original {
    constructor(...options) {
      super(...options);
      window.worker = this;
    }
    postMessage(request) {
      window.request = request;
      if (!window.isCutOff) {
        super.postMessage(request);
      }
    }
  };
  window.reply = (data) => window.worker.dispatchEvent(new MessageEvent("message", { data }));
"""


@pytest.fixture
def held(page: Page, address: str) -> Widget:
    """A widget whose worker the test can cut off and speak for."""
    page.add_init_script(HOLD_THE_WORKER)
    widget = open_widget(page, address)
    expect(widget.chart("The two waits").locator(".bar.dimmed")).to_have_count(0)
    return widget


def test_a_run_that_python_refuses_is_said_and_the_next_one_is_answered(held: Widget) -> None:
    held.page.evaluate("window.isCutOff = true")
    held.box("pages").fill("480")
    held.page.evaluate("window.reply({ kind: 'refused', id: window.request.id, reason: 'ValueError: no.' })")
    note = held.page.locator("#note")
    expect(note).to_contain_text(
        "ValueError: no. What is shown is the answer to 40 chats a second, 240 pages"
    )
    held.page.evaluate("window.isCutOff = false")
    held.answer_to({**START, "pages": 500})
    expect(note).to_have_text("")


def test_a_reply_to_another_request_changes_nothing(held: Widget) -> None:
    before = held.clipboard()
    held.page.evaluate("window.isCutOff = true")
    held.box("pages").fill("480")
    held.page.evaluate(
        """() => window.reply({ kind: "answer", id: window.request.id - 1, result: "of another time" })"""
    )
    assert held.clipboard() == before
    expect(held.page.locator("html")).to_have_attribute("data-stage", "ready")


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_is_wider_than_the_screen(visit: Visit, address: str, width: int) -> None:
    page = visit(viewport={"width": width, "height": 844})
    widget = open_widget(page, address)
    for settings in (START, {"rate": 60, "pages": 60, "limit": 1, "shuffle": 0}):  # the widest figures
        widget.show(settings)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        table = page.get_by_role("table").evaluate(
            "(node) => [node.scrollWidth, node.parentElement.clientWidth]"
        )
        assert table[0] <= table[1]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("width", [390, 1280])
def test_no_slider_moves_while_the_sentence_changes(
    visit: Visit, address: str, language: str, width: int
) -> None:
    """The longest sentence and the shortest take the same room, on a phone as well."""
    page = visit(viewport={"width": width, "height": 844})
    page.goto(f"{address}/widget.html?lang={language}")
    slider = page.locator("input[type=range][name=rate]")
    places = []
    for rate, pages, limit in ((40, 240, 16), (1, 60, 2), (10, 240, 16), (40, 340, 16)):
        for name, value in {"rate": rate, "pages": pages, "limit": limit}.items():
            page.locator(f"input[type=number][name={name}]").fill(str(value))
        report = load_test(chats(), rate, pages, limit)
        point = {"en": ".", "de": ","}[language]
        first_word = f"{report['ttft_p99_s']:.3f}".replace(".", point)
        expect(page.locator("#clipboard")).to_contain_text(first_word, timeout=BOOT_MS)
        places.append(slider.bounding_box())
    assert places == [places[0]] * len(places)
