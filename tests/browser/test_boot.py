"""The start fetches each part once, hands all over at once, and warms Python up while nobody asks."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Errors, open_widget
from tests.browser.faulty_server import Site, faulty_site
from tests.browser.weight import OWN, PYTHONS, files_like
from tests.browser.widget import wait_until

pytestmark = pytest.mark.browser

IDLE_RUNS = 20
OWN_RUNS = 2  # the chosen run and the light one beside it

# Hands what passes between the page and its worker to window.sent and window.received.
OVERHEAR = """
  window.sent = [];
  window.received = [];
  window.Worker = class extends window.Worker {
    constructor(...options) {
      super(...options);
      this.addEventListener("message", ({ data }) => window.received.push(data.kind));
    }
    postMessage(message) {
      window.sent.push(message.kind);
      super.postMessage(message);
    }
  };
"""

# Counts the runs of the worker's Python, on which it reports in the console.
COUNT_RUNS = """
  const Original = window.Blob;
  window.Blob = class extends Original {
    constructor([source], options) {
      const count = `{
        const { parse } = JSON;
        JSON.parse = (text) => {
          if (text.includes("ttft_p50_s")) {
            console.log("a run");
          }
          return parse(text);
        };
      }`;
      super([options.type === "text/javascript" ? count + source : source], options);
    }
  };
"""


@pytest.fixture
def site(dist: Path) -> Iterator[Site]:
    with faulty_site(dist) as site:
        yield site


def test_each_file_is_fetched_once_and_none_in_vain(page: Page, errors: Errors, site: Site) -> None:
    open_widget(page, site.address)
    assert set(Counter(site.asked).values()) == {1}
    needed = {path.relative_to(site.folder).as_posix() for path in files_like(site.folder, OWN + PYTHONS)}
    icon = {path.name for path in site.folder.glob("icon-*")}  # for which not every browser asks
    assert set(site.asked) - icon == needed


def test_what_passes_between_page_and_worker(page: Page, errors: Errors, site: Site) -> None:
    page.add_init_script(OVERHEAR)
    open_widget(page, site.address)
    wait_until(page, "() => window.received.length >= 3")
    assert page.evaluate("window.sent") == ["boot", "ask", "ask"]
    assert page.evaluate("window.received") == ["ready", "answer", "answer"]


def test_python_makes_some_runs_while_nobody_asks(page: Page, errors: Errors, site: Site) -> None:
    """Until the engine has compiled what a run uses; and no more, for a reader pays for them."""
    runs: list[str] = []
    page.context.on("console", lambda message: runs.append(message.text))
    page.add_init_script(COUNT_RUNS)
    open_widget(page, site.address)
    wanted = IDLE_RUNS + OWN_RUNS
    for _ in range(300):
        if len(runs) >= wanted:
            break
        page.wait_for_timeout(100)
    page.wait_for_timeout(1000)
    assert runs == ["a run"] * wanted
