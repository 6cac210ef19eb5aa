"""find_browsers.py: the user's choice comes first, and what is missing is said plainly."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import build
from tests import find_browsers


class Machine:
    """A machine without browsers, on which programs can be put and packages installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs: dict[str, Path] = {}
        self.broken: set[Path] = set()
        self.commands: list[list[str]] = []
        self.of_packages: dict[str, str] = {}  # a package -> the program that it brings

    def put(self, name: str) -> Path:
        """An executable on the PATH."""
        path = self.folder / name
        path.write_text("", "utf-8")
        self.programs[name] = path
        return path

    def find_program(self, name: str) -> str | None:
        return str(self.programs[name]) if name in self.programs else None

    def run(self, command: list[str], _what_failed: str, **_options: object) -> None:
        """What apt-get would do."""
        self.commands.append(command)
        for package in command:
            if package in self.of_packages and "install" in command:
                self.put(self.of_packages[package])


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    monkeypatch.setattr(find_browsers, "find_program", machine.find_program)
    monkeypatch.setattr(find_browsers, "run", machine.run)
    monkeypatch.setattr(find_browsers, "usual_places", lambda _platform, _environ: [])
    monkeypatch.setattr(find_browsers, "place_of_playwrights", lambda: tmp_path / "of-playwright")
    monkeypatch.setattr(find_browsers, "download_chromium", lambda: None)
    monkeypatch.setattr(find_browsers, "starts", lambda path: path.is_file() and path not in machine.broken)
    monkeypatch.setattr(find_browsers.os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.delenv(find_browsers.CHROMIUM_VARIABLE, raising=False)
    monkeypatch.delenv("CI", raising=False)
    return machine


def become_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_browsers.os, "geteuid", lambda: 0, raising=False)


def error_of(call: Callable[[], object]) -> str:
    """The one line that a call fails with."""
    with pytest.raises(build.BuildError) as caught:
        call()
    text = str(caught.value)
    assert re.fullmatch(r".*\.", text)
    return text


# ---- Finding ---------------------------------------------------------------------------------------------


def test_the_chromium_named_by_the_user_comes_first(machine: Machine) -> None:
    named = machine.put("my-own")
    machine.put("chromium")
    assert find_browsers.find_chromium(environ={"TINYSERVE_CHROMIUM": str(named)}) == named


@pytest.mark.usefixtures("machine")
def test_a_named_chromium_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    environ = {"TINYSERVE_CHROMIUM": str(tmp_path / "gone")}
    text = error_of(lambda: find_browsers.find_chromium(environ=environ))
    assert "where there is no file: correct or unset it" in text


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_a_chromium_on_the_path_is_found(machine: Machine, name: str) -> None:
    assert find_browsers.find_chromium(environ={}) is None
    assert machine.put(name) == find_browsers.find_chromium(environ={})


def test_one_that_does_not_start_is_passed_over_for_playwrights(machine: Machine) -> None:
    machine.broken.add(machine.put("chromium"))
    own = machine.put("of-playwright")
    assert find_browsers.find_chromium(environ={}) == own


@pytest.mark.parametrize("name", ["firefox-esr", "firefox"])
def test_a_firefox_on_the_path_is_found_if_it_starts(machine: Machine, name: str) -> None:
    assert find_browsers.find_firefox() is None
    path = machine.put(name)
    assert find_browsers.find_firefox() == path
    machine.broken.add(path)
    assert find_browsers.find_firefox() is None


def test_webkit_needs_its_driver_and_a_screen(machine: Machine) -> None:
    driver = machine.put("WebKitWebDriver")
    assert find_browsers.find_webkit() is None
    screen = machine.put("Xvfb")
    assert find_browsers.find_webkit() == find_browsers.WebKit(driver, screen)


def test_usual_places_of_macos_and_windows() -> None:
    mac = [path.as_posix() for path in find_browsers.usual_places("darwin", {})]
    assert "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" in mac
    environ = {"ProgramFiles": "C:/Program Files"}
    windows = [path.as_posix() for path in find_browsers.usual_places("win32", environ)]
    assert "C:/Program Files/Google/Chrome/Application/chrome.exe" in windows
    assert windows[-1].endswith("msedge.exe")
    assert find_browsers.usual_places("linux", {}) == []


# ---- Getting ---------------------------------------------------------------------------------------------


def test_no_chromium_at_all_says_what_to_do(machine: Machine) -> None:
    text = error_of(find_browsers.get_browsers)
    assert "install Chromium or Google Chrome" in text
    assert "TINYSERVE_CHROMIUM" in text
    assert machine.commands == []


def test_debians_packages_are_installed_by_root_alone_and_announced(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.put("apt-get")
    machine.put("firefox-esr")
    machine.of_packages = {
        "chromium": "chromium",
        "webkit2gtk-driver": "WebKitWebDriver",
        "xvfb": "Xvfb",
    }
    error_of(find_browsers.get_browsers)
    assert machine.commands == []

    become_root(monkeypatch)
    find_browsers.get_browsers()
    assert machine.commands[-1][-3:] == ["chromium", "webkit2gtk-driver", "xvfb"]
    assert find_browsers.missing_engines() == []
    said = capsys.readouterr().out
    assert said == "browsers: installing with apt-get, as root: chromium webkit2gtk-driver xvfb\n"


def test_where_apt_get_fails_the_tests_are_skipped_all_the_same(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_command: list[str], what_failed: str, **_options: object) -> None:
        raise build.BuildError(what_failed)

    machine.put("apt-get")
    machine.put("chromium")
    become_root(monkeypatch)
    monkeypatch.setattr(find_browsers, "run", fail)
    find_browsers.get_browsers()
    said = capsys.readouterr().out.splitlines()
    assert said[1] == "browsers: apt-get update failed"
    assert said[-1].endswith("(its tests will be skipped)")


def test_what_is_there_is_not_installed_again(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("apt-get", "chromium", "firefox", "WebKitWebDriver", "Xvfb"):
        machine.put(name)
    become_root(monkeypatch)
    find_browsers.get_browsers()
    assert machine.commands == []


def test_a_chromium_is_downloaded_where_there_is_no_debian(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_browsers, "download_chromium", lambda: machine.put("of-playwright"))
    find_browsers.get_browsers()
    assert find_browsers.find_chromium(environ={}) == machine.programs["of-playwright"]


def test_a_missing_firefox_or_webkit_is_named_with_what_helps(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.put("chromium")
    find_browsers.get_browsers()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == ["firefox", "webkit"]
    assert "as root: apt-get install webkit2gtk-driver xvfb (its tests will be skipped)" in lines[1]


@pytest.mark.parametrize(("value", "is_ci"), [("true", True), ("1", True), ("", False), ("false", False)])
def test_in_continuous_integration_no_engine_may_be_left_out(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, value: str, is_ci: bool
) -> None:
    machine.put("chromium")
    monkeypatch.setenv("CI", value)
    if is_ci:
        text = error_of(find_browsers.get_browsers)
        assert "apt-get install firefox-esr; webkit is not on this machine" in text
    else:
        find_browsers.get_browsers()


def test_the_command_ends_with_the_errors_code_and_its_one_line(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert find_browsers.main() == 1
    assert capsys.readouterr().err == f"browsers: {find_browsers.NO_CHROMIUM}\n"
    path = machine.put("chromium")
    assert find_browsers.main() == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"browsers: Chromium: {path}"
