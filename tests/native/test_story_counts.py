"""The user stories: a missing engine is skipped by name but fails in CI, and so do counts that differ."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Three stories that need no browser, counted by the hooks of the real ones.
CONFTEST = """
from tests.stories.conftest import (
    pytest_runtest_logreport, pytest_sessionfinish, pytest_terminal_summary
)
"""
STORIES = """
import pytest
from tests.stories.conftest import ENGINES, STORY_OF

@pytest.mark.parametrize("engine", ENGINES)
def test_story(request, engine):
    request.node.user_properties.append((STORY_OF, engine))
"""


def run_pytest(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Runs pytest as a process of its own."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "py")])
    env = {**os.environ, "PYTHONPATH": path, "CI": "", **environ}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


@pytest.fixture
def stories(tmp_path: Path) -> str:
    (tmp_path / "conftest.py").write_text(CONFTEST, "utf-8")
    (tmp_path / "test_stories_without_browser.py").write_text(STORIES, "utf-8")
    return str(tmp_path)


@pytest.mark.parametrize("ci", ["", "true"])
def test_the_counts_are_printed_and_equal_ones_are_well(stories: str, ci: str) -> None:
    done = run_pytest("--rootdir", stories, stories, CI=ci)
    assert "\nstories: chromium 1, firefox 1, webkit 1\n" in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_counts_that_differ_fail_the_run_in_ci(stories: str, ci: str, code: int) -> None:
    done = run_pytest("--rootdir", stories, stories, "-k", "not webkit", CI=ci)
    assert "\nstories: chromium 1, firefox 1, webkit 0 (not the same stories)\n" in done.stdout
    assert done.returncode == code


@pytest.mark.parametrize("engine", ["firefox", "webkit"])
@pytest.mark.parametrize(("ci", "outcome"), [("", "SKIPPED"), ("true", "ERROR")])
def test_a_missing_engine_is_named_and_skipped_but_fails_in_ci(
    tmp_path: Path, engine: str, ci: str, outcome: str
) -> None:
    one_story = ["tests/stories", "-k", f"{engine} and another_host"]
    done = run_pytest(*one_story, CI=ci, PATH=str(tmp_path))
    (line,) = [line for line in done.stdout.splitlines() if line.startswith(outcome)]
    assert f"{engine} is not on this machine; on Debian, as root: apt-get install" in line
    assert done.returncode == (1 if ci else 0)
