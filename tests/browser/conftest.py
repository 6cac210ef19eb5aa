"""Pages in Chromium that fail their test on any console error."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.browser.widget import Widget, wait_until

Visit = Callable[..., Page]

STARTED = """() => performance.getEntriesByName("tinyserve:answer").length > 0
  || document.documentElement.dataset.stage === "failed" """


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
    wait_until(page, STARTED)
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
