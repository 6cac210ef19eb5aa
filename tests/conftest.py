"""What all tests of the built page share: a server of dist/, and one Chromium."""

import contextlib
import shutil
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

import build
from tests.browser.faulty_server import Site, faulty_site
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


@contextlib.contextmanager
def running(command: Sequence[str], folder: Path, stderr: int) -> Iterator[subprocess.Popen[str]]:
    """A program whose output can be read while the block runs, and that ends with it, however it ends."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=stderr, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture(scope="session")
def dist() -> Path:
    """The built page, and what was computed for it, as the sources are now."""
    if not build.is_dist_current():
        pytest.fail("dist/ is missing or older than its sources: run python3 build.py", pytrace=False)
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
def other_origin(dist: Path) -> Iterator[Site]:
    """Another origin, which the other build's program knows."""
    with faulty_site(dist) as site:
        yield site


@pytest.fixture
def spied_on(other_origin: Site) -> Site:
    """The same, which nobody has asked for anything before this test."""
    other_origin.asked.clear()
    return other_origin


@pytest.fixture(scope="session")
def other_dist(other_origin: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of another program under the same version: it answers the same, and pries in one order."""
    folder = tmp_path_factory.mktemp("other")
    sources = build.copy_wheel_sources(build.ROOT, folder / "sources")
    shutil.copytree(build.ROOT / "web", sources / "web")
    view = sources / "py" / "tinyserve" / "view.py"
    prying = PRYING.format(order=PRYING_ORDER, address=other_origin.address)
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
    """One Chromium for all tests: Playwright runs once in a process."""
    executable = find_chromium()
    if executable is None:
        pytest.fail(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()
