"""README and CHANGELOG are kept true: code and commands run, the tree holds the files, the version agrees."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import tinyserve
from tests.find_browsers import must_have_all
from tinyserve.lesson import LIMIT, MORE_PAGES, PAGES, RATE_HEAVY

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    """The fenced blocks of the README in one language."""
    return [text for fence, text in BLOCK.findall(README) if fence == language]


def run(*arguments: str) -> str:
    """What a Python process prints, in which the package is importable; it must end well."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT / "py",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_python_of_the_readme_prints_what_stands_below_it() -> None:
    (code,) = blocks("python")
    (printed,) = blocks("text")
    assert run("-c", code) == printed


def test_the_python_of_the_readme_has_at_most_six_lines() -> None:
    (code,) = blocks("python")
    assert len(code.strip().splitlines()) <= 6


def test_the_commands_of_the_readme_print_what_stands_below_them() -> None:
    (console,) = blocks("console")
    first, *printed = console.splitlines(keepends=True)
    program, *arguments = first.removeprefix("$ ").split()
    assert program == "tinyserve"
    assert run("-m", "tinyserve", *arguments) == "".join(printed)


def test_the_two_commands_are_build_pys() -> None:
    (shell,) = blocks("sh")
    commands = [line.split("#")[0].split() for line in shell.splitlines()]
    assert commands == [["python3", "build.py", "serve"], ["python3", "build.py", "test"]]


def test_the_table_of_commands_names_each_option_with_its_default() -> None:
    for option in (
        f"--rate {RATE_HEAVY}",
        f"--pages {PAGES}",
        f"--limit {LIMIT}",
        "--shuffle 0",
        "--json",
        f"--more-pages {MORE_PAGES}",
    ):
        assert f"[{option}]" in README


def test_the_readme_names_every_public_name_and_every_key_of_a_report() -> None:
    report = tinyserve.load_test(tinyserve.chats(), rate=10, pages=240, limit=16)
    for name in [*tinyserve.__all__, *report]:
        assert re.search(rf"\b{name}\b", README), name


# ---- The file tree ---------------------------------------------------------------------------------------


def tree_entries() -> list[str]:
    """Paths in the README's tree; those of folders end in a slash."""
    (tree,) = blocks("tree")
    folder = ""
    entries = []
    for line in tree.splitlines():
        name = line.split()[0]
        if line.startswith("  "):
            entries.append(folder + name)
        else:
            folder = name if name.endswith("/") else ""
            entries.append(name)
    return entries


def tracked_files() -> list[str]:
    """The project's files: those git tracks or would track."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        leave_out = pytest.fail if must_have_all() else pytest.skip
        leave_out(f"git gives no list of the project's files: {error}")
    return [name for name in listed.splitlines() if (ROOT / name).exists()]


def test_everything_in_the_readmes_tree_exists() -> None:
    assert [entry for entry in tree_entries() if not (ROOT / entry).exists()] == []


def test_every_file_of_the_project_stands_in_the_tree_or_in_a_folder_that_does() -> None:
    entries = tree_entries()
    # A folder whose files are listed one by one does not stand for the others in it.
    listed_one_by_one = {"py/tinyserve/", "tests/", "web/"}
    folders = tuple(entry for entry in entries if entry.endswith("/") and entry not in listed_one_by_one)
    missing = [name for name in tracked_files() if name not in entries and not name.startswith(folders)]
    assert missing == []


# ---- Versions --------------------------------------------------------------------------------------------


def test_the_newest_entry_of_the_changelog_is_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = re.search(r"^## (\S+)", changelog, re.MULTILINE)
    assert newest is not None
    assert newest.group(1) == tinyserve.__version__


def test_the_readme_asks_for_the_python_that_the_package_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
    assert f"Python {oldest} or later" in README


def test_the_pages_carry_the_policy_that_the_readme_names() -> None:
    (header,) = blocks("http")
    named = header.removeprefix("Content-Security-Policy: ").strip()
    pages = sorted((ROOT / "web").glob("*.html"))
    assert len(pages) > 1
    for page in pages:
        html = page.read_text("utf-8")
        (carried,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)
        assert carried == named, page.name
