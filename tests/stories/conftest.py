"""Runs each story in three engines, and sees to it that all three ran the same stories."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.browser.widget import START
from tests.find_browsers import find_firefox, find_webkit, hint, must_have_all
from tests.stories.chromium import Chromium
from tests.stories.driver import Engine, Page
from tests.stories.firefox import Firefox
from tests.stories.reader import PAGE, Reader
from tests.stories.webkit import WebKitGtk

ENGINES = ("chromium", "firefox", "webkit")
STORY_OF = "story of"  # the key under which a test's report says in which engine it ran

stories_run: Counter[str] = Counter()


def start(name: str, request: pytest.FixtureRequest) -> Engine | None:
    """The engine of this name, running; None if this machine lacks it."""
    if name == "chromium":
        return Chromium(request.getfixturevalue("chromium"))
    if name == "firefox":
        firefox = find_firefox()
        return None if firefox is None else Firefox(firefox)
    webkit = find_webkit()
    return None if webkit is None else WebKitGtk(webkit)


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Each engine, started once; a missing one skips its stories by name, or fails them where CI is set."""
    started = start(request.param, request)
    if started is None:
        leave_out = pytest.fail if must_have_all() else pytest.skip
        leave_out(hint(request.param))
    yield started
    started.quit()


@pytest.fixture
def browser(engine: Engine, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of a new visitor, which fails its story on any error that the story did not announce."""
    request.node.user_properties.append((STORY_OF, engine.name))
    page = Page(engine.new_tab())
    yield page
    try:
        page.check_errors()
    finally:
        page.close()


@pytest.fixture
def reader(browser: Page, address: str) -> Reader:
    """A reader before the built page, with its first answer."""
    reader = Reader.at(browser, f"{address}/{PAGE}")
    reader.answer_to(START)
    return reader


# ---- Counting ----------------------------------------------------------------------------------------------


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Counts a story that has run to its end, well or not."""
    engine = dict(report.user_properties).get(STORY_OF)
    if engine is not None and report.when == "call":
        stories_run[str(engine)] += 1


def ran_alike() -> bool:
    """Whether every engine ran as many stories."""
    return len({stories_run[name] for name in ENGINES}) == 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where no engine may be left out, a run in which they differ has failed."""
    if must_have_all() and not ran_alike() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints how many stories each engine ran."""
    if stories_run.total() > 0:
        counts = ", ".join(f"{name} {stories_run[name]}" for name in ENGINES)
        difference = "" if ran_alike() else " (not the same stories)"
        terminalreporter.write_line(f"stories: {counts}{difference}")
