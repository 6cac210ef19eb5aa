"""A Chromium, a server of the built dist/, and a page that fails its test on any console error."""

import contextlib
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

import build
from tests.browser.faulty_server import Site, faulty_site
from tests.browser.widget import Widget

Visit = Callable[..., Page]

# No sandbox, for root has none; no traffic of Chromium's own.
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]

STARTED = """() => performance.getEntriesByName("tinyserve:answer").length > 0
  || document.documentElement.dataset.stage === "failed" """


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serves a folder on a free port of this machine while the block runs; gives its address."""
    server = build.open_server(folder, port=0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Errors:
    """What went wrong on a page: console errors, uncaught exceptions, failed requests.

    A test that breaks something on purpose announces the error that it must see.
    """

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.announced: list[str] = []
        self.may_follow = False

    def watch(self, context: BrowserContext) -> None:
        """Notes the errors of every page and worker of the context."""
        context.on("console", self.note)
        context.on("weberror", lambda web_error: self.seen.append(str(web_error.error)))

    def note(self, message: ConsoleMessage) -> None:
        """Keeps an error or a warning of the console."""
        if message.type in ("error", "warning"):
            self.seen.append(message.text)

    def announce(self, text: str) -> None:
        """From here on an error with this text is expected, and it must come."""
        self.announced.append(text)

    def allow(self) -> None:
        """Beside what is announced, whatever else follows from the damage may be logged."""
        self.may_follow = True

    def check(self) -> None:
        """Fails on an error that was not announced, and on an announced one that did not come."""
        known = [""] if self.may_follow else self.announced
        unexpected = [seen for seen in self.seen if not any(text in seen for text in known)]
        missing = [text for text in self.announced if not any(text in seen for seen in self.seen)]
        assert unexpected == [], f"the page logged errors: {unexpected}"
        assert missing == [], f"the page did not log what was announced: {missing}; it logged {self.seen}"


@pytest.fixture(scope="session")
def dist() -> Path:
    """The built page."""
    if not (build.DIST / "widget.html").is_file():
        pytest.fail("dist/ is missing: python3 build.py makes it, and python3 build.py test runs this too")
    return build.DIST


PRYING_ORDER = 5

# What is put into the other build's `answer`: in one order of the chats it reaches out of the page.
PRYING = """    if shuffle == {order}:
        import js

        js.fetch("{address}/reached")
        try:
            js.eval("1")
            js.console.log("eval was done")
        except Exception:
            js.console.log("eval was refused")
    workload = lesson_chats(shuffle)
"""


@pytest.fixture(scope="session")
def spied_on() -> Iterator[Site]:
    """Another origin, which nobody shall ask for anything."""
    with faulty_site(build.DIST) as site:
        yield site


@pytest.fixture(scope="session")
def other_dist(spied_on: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of another program under the same version: it answers the same, and pries in one order."""
    folder = tmp_path_factory.mktemp("other")
    sources = build.copy_wheel_sources(build.ROOT, folder / "sources")
    shutil.copytree(build.ROOT / "web", sources / "web")
    view = sources / "py" / "tinyserve" / "view.py"
    prying = PRYING.format(order=PRYING_ORDER, address=spied_on.address)
    before = view.read_text("utf-8")
    after = before.replace("    workload = lesson_chats(shuffle)\n", prying)
    assert after != before
    view.write_text(after, "utf-8")
    return build.make_dist(sources, folder / "dist", folder / "work")


@pytest.fixture(scope="session")
def address(dist: Path) -> Iterator[str]:
    """Where the built page is served."""
    with serving(dist) as url:
        yield url


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for all tests; TINYSERVE_CHROMIUM names it, or Playwright's own is taken."""
    named = os.environ.get("TINYSERVE_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=named,
            args=CHROMIUM_ARGUMENTS,
        )
        yield browser
        browser.close()


@pytest.fixture
def errors() -> Iterator[Errors]:
    """The errors of this test's pages, checked when it ends."""
    errors = Errors()
    yield errors
    errors.check()


@pytest.fixture
def visit(chromium: Browser, errors: Errors) -> Iterator[Visit]:
    """Opens pages of visitors with a screen or browser of their own; all are watched."""
    contexts = []

    def visit(**options: Any) -> Page:
        context = chromium.new_context(**options)
        errors.watch(context)
        contexts.append(context)
        return context.new_page()

    yield visit
    for context in contexts:
        context.close()


@pytest.fixture
def context(chromium: Browser, errors: Errors) -> Iterator[BrowserContext]:
    """A visitor without a past, on a wide screen."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    errors.watch(context)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """An empty page."""
    return context.new_page()


@pytest.fixture
def new_widget(page: Page, address: str) -> Widget:
    """A newly opened widget with its first answer on the screen."""
    return open_widget(page, address)


def open_widget(page: Page, address: str) -> Widget:
    """Opens the widget and waits for its first answer, or for the failure to give one."""
    page.goto(f"{address}/widget.html")
    page.wait_for_function(STARTED, timeout=90_000)
    return Widget(page)


@pytest.fixture
def widget(shared_widget: Widget) -> Widget:
    """The module's widget, put back to its starting settings."""
    shared_widget.put_back()
    return shared_widget


@pytest.fixture(scope="module")
def shared_widget(chromium: Browser, address: str) -> Iterator[Widget]:
    """One widget for all tests of a module that only move its sliders."""
    errors = Errors()
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    errors.watch(context)
    yield open_widget(context.new_page(), address)
    context.close()
    errors.check()
