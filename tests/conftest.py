"""What all tests of the built page share: a server of dist/, and one Chromium."""

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

import build
from tests.find_browsers import NO_CHROMIUM, find_chromium

# No sandbox, for root has none; no traffic of Chromium's own.
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]


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


@pytest.fixture(scope="session")
def dist() -> Path:
    """The built page."""
    if not (build.DIST / "widget.html").is_file():
        pytest.fail("dist/ is missing: python3 build.py makes it, and python3 build.py test runs this too")
    return build.DIST


@pytest.fixture(scope="session")
def address(dist: Path) -> Iterator[str]:
    """Where the built page is served."""
    with serving(dist) as url:
        yield url


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for all tests: Playwright runs once in a process."""
    executable = find_chromium()
    if executable is None:
        pytest.fail(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()
