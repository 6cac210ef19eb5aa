"""The Python for a reader's program: fresh for each version, and there again whatever a program did to it."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import build
from tests.browser.conftest import Errors
from tests.browser.test_edited_program import LESSON, LOOP_LINE
from tests.browser.test_yours import POLICY
from tests.browser.widget import wait_until
from tests.conftest import serving

pytestmark = pytest.mark.browser

PAGE = "reader.html"
HTML = f"""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="{POLICY}">
    <title>A reader's Python</title>
    <link rel="icon" href="data:,">
    <script type="module" src="reader.js"></script>
  </head>
</html>
"""
UNINTERRUPTIBLE = LESSON.replace(LOOP_LINE, "    sum(range(10**12))\n" + LOOP_LINE)
NESTING = """    deep = []
    for _ in range(10**6):
        deep = [deep]
    repr(deep)
"""
TOO_DEEP = LESSON.replace(LOOP_LINE, NESTING + LOOP_LINE)
MARKING = f"""import bisect
print(hasattr(bisect, "mark"))
bisect.mark = 1
{LESSON}"""


@pytest.fixture(scope="module")
def reader_site(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The site with a page that has nothing but a reader's Python, and its address."""
    folder = tmp_path_factory.mktemp("reader")
    site = Path(shutil.copytree(dist, folder / "dist"))
    defines = {"TINYSERVE_VERSION": build.package_version(), "TINYSERVE_PARTS": build.parts_of(site)}
    entry = Path(__file__).with_name("reader_page.js")
    build.bundle_script(entry, site / "reader.js", folder / "meta.json", defines)
    (icon,) = site.glob("icon-*.svg")
    (site / PAGE).write_text(HTML.replace("data:,", icon.name), "utf-8")
    with serving(site) as url:
        yield site, f"{url}/{PAGE}"


@pytest.fixture
def reader(page: Page, reader_site: tuple[Path, str]) -> Page:
    """A newly opened page, in which no Python has been started."""
    page.goto(reader_site[1])
    wait_until(page, "() => window.reader !== undefined")
    return page


def fared(page: Page, source: str) -> dict[str, Any]:
    """How a program fared."""
    found: dict[str, Any] = page.evaluate("(source) => window.reader.run(source)", source)
    return found


WELL = {"printed": "", "trouble": None, "isDrawn": True}


def test_the_lessons_program_runs(reader: Page) -> None:
    assert fared(reader, LESSON) == WELL


def test_another_version_finds_nothing_that_the_one_before_left(reader: Page) -> None:
    assert fared(reader, MARKING)["printed"] == "False\n"
    assert fared(reader, f"{MARKING}\n# another")["printed"] == "False\n"


def test_it_can_be_made_ready_before_a_run(reader: Page) -> None:
    for source in (LESSON, f"{LESSON}\n# another"):
        reader.evaluate("window.reader.prepare()")
        wait_until(reader, "window.reader.stage() === 'ready'")
        assert fared(reader, source) == WELL


def test_a_run_that_is_stopped_makes_room_for_the_next_at_once(reader: Page) -> None:
    assert fared(reader, LESSON) == WELL
    endings = reader.evaluate(
        """async ([endless, source]) => {
          const ended = window.reader.run(endless);
          window.reader.stop();
          window.reader.prepare();
          return [await ended, window.reader.stage(), await window.reader.run(source)];
        }""",
        [UNINTERRUPTIBLE, LESSON],
    )
    stopped, stage, fared_next = endings
    assert "Python was stopped" in stopped["failure"]
    assert stage == "start", "the next interpreter is on its way already"
    assert fared_next == WELL


def test_what_cannot_be_interrupted_is_ended_and_the_next_run_is_well(reader: Page) -> None:
    trouble = fared(reader, UNINTERRUPTIBLE)["trouble"]
    assert trouble["kind"] == "endless"
    assert re.match(r"After \d+.s it could still not be interrupted", trouble["message"])
    assert fared(reader, LESSON) == WELL


def test_an_interpreter_that_breaks_down_is_said_and_the_next_run_is_well(
    reader: Page, errors: Errors
) -> None:
    errors.allow()  # Pyodide's own account of its end
    trouble = fared(reader, TOO_DEEP)["trouble"]
    assert trouble["kind"] == "exception"
    assert "nested too deep" in trouble["message"]
    assert fared(reader, LESSON) == WELL


def test_a_program_that_breaks_what_tells_of_it_is_told_so_each_time(reader: Page) -> None:
    source = f"import json\nprint(json.dumps is None)\njson.dumps = None\n{LESSON}"
    for _ in range(2):
        trouble = fared(reader, source)["trouble"]
        assert trouble["kind"] == "broken"
        assert trouble["message"].startswith("It changed something in Python that the page needs")
        assert "'NoneType' object is not callable" in trouble["message"]
    assert fared(reader, LESSON) == WELL


def test_no_python_is_a_failure_and_no_trouble_of_the_program(
    page: Page, errors: Errors, reader_site: tuple[Path, str]
) -> None:
    errors.announce("404")
    page.route("**/*.whl", lambda route: route.fulfill(status=404))
    page.goto(reader_site[1])
    wait_until(page, "() => window.reader !== undefined")
    assert fared(page, LESSON) == {"failure": "missing"}
    page.unroute("**/*.whl")
    assert fared(page, LESSON) == WELL
