"""Finds the three browsers that the tests drive, or gets them: `python -m tests.find_browsers`.

Chromium must be there. The tests of Firefox or WebKit are skipped by name on a machine without it, but not in
continuous integration, which is where the environment variable CI is set. Finding downloads nothing: only the
command does, which `build.py test` runs before pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright

from build import BuildError, find_program, run

CHROMIUM_VARIABLE = "TINYSERVE_CHROMIUM"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FIREFOX_NAMES = ("firefox-esr", "firefox")
DOWNLOAD_TIMEOUT_S = 900  # a line too slow for 180 MB in this time is better served by another way
START_TIMEOUT_S = 60

# Debian's packages of each engine.
DEBIAN_PACKAGES = {
    "chromium": ("chromium",),
    "firefox": ("firefox-esr",),
    "webkit": ("webkit2gtk-driver", "xvfb"),
}
NO_CHROMIUM = (
    "The tests need a Chromium and none was found or could be installed: install Chromium or Google Chrome, "
    f"or put the path of one into the environment variable {CHROMIUM_VARIABLE}."
)


@dataclass(frozen=True)
class WebKit:
    """What drives WebKitGTK: its driver, which knows its own browser, and a screen that nobody sees."""

    driver: Path
    screen: Path


def say(text: str) -> None:
    """Prints one line at once, so that it stands in order with the lines of the programs we run."""
    print(f"browsers: {text}", flush=True)


def must_have_all(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether a missing engine is a failure, as it is in continuous integration, and no reason to skip."""
    return environ.get("CI", "") not in ("", "0", "false")


def hint(engine: str) -> str:
    """Why the tests of an engine are skipped and what helps."""
    packages = " ".join(DEBIAN_PACKAGES[engine])
    return f"{engine} is not on this machine; on Debian, as root: apt-get install {packages}"


# ---- Finding -----------------------------------------------------------------------------------------------


def starts(path: Path) -> bool:
    """Whether the program runs at all: one without its system libraries, or an empty stand-in, does not."""
    if os.name == "nt":
        # There, asking for the version would open a window.
        return path.is_file()
    try:
        command = [str(path), "--version"]
        done = subprocess.run(command, capture_output=True, timeout=START_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def usual_places(platform: str, environ: Mapping[str, str]) -> list[Path]:
    """Where installers put a Chromium that is not on the PATH."""
    if platform == "darwin":
        bundles = ("Chromium", "Google Chrome", "Microsoft Edge")
        folders = (Path("/Applications"), Path.home() / "Applications")
        return [folder / f"{name}.app/Contents/MacOS/{name}" for name in bundles for folder in folders]
    if platform == "win32":
        variables = ("ProgramFiles", "ProgramFiles(x86)", "LocalAppData")
        installed = [Path(environ[name]) for name in variables if name in environ]
        programs = ("Chromium/Application/chrome.exe", "Google/Chrome/Application/chrome.exe")
        edge = "Microsoft/Edge/Application/msedge.exe"
        return [folder / program for program in (*programs, edge) for folder in installed]
    return []


def chromium_named(environ: Mapping[str, str]) -> Path | None:
    """The Chromium that the user named, if any."""
    named = environ.get(CHROMIUM_VARIABLE)
    if not named:
        return None
    if not Path(named).is_file():
        raise BuildError(f"{CHROMIUM_VARIABLE} names {named}, where there is no file: correct or unset it.")
    return Path(named)


def chromium_on_machine(platform: str, environ: Mapping[str, str]) -> Path | None:
    """A Chromium on the PATH, or where installers put one."""
    on_path = (find_program(name) for name in CHROMIUM_NAMES)
    found = [Path(path) for path in on_path if path is not None]
    found += [path for path in usual_places(platform, environ) if path.is_file()]
    return next((path for path in found if starts(path)), None)


def place_of_playwrights() -> Path:
    """Where Playwright's own Chromium lies, or would lie."""
    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


def chromium_of_playwright() -> Path | None:
    """Playwright's own Chromium, if it has been downloaded and starts here."""
    path = place_of_playwrights()
    return path if path.is_file() and starts(path) else None


def find_chromium(platform: str = sys.platform, environ: Mapping[str, str] = os.environ) -> Path | None:
    """A Chromium: the one named by the user, one on the machine, or Playwright's, in this order."""
    return chromium_named(environ) or chromium_on_machine(platform, environ) or chromium_of_playwright()


def find_firefox() -> Path | None:
    """A Firefox on the PATH that starts."""
    found = (find_program(name) for name in FIREFOX_NAMES)
    return next((Path(path) for path in found if path is not None and starts(Path(path))), None)


def find_webkit() -> WebKit | None:
    """WebKitGTK's driver and a screen for it, if both are there."""
    driver, screen = find_program("WebKitWebDriver"), find_program("Xvfb")
    return None if driver is None or screen is None else WebKit(Path(driver), Path(screen))


def missing_engines() -> list[str]:
    """The engines that cannot be had."""
    found = {"chromium": find_chromium(), "firefox": find_firefox(), "webkit": find_webkit()}
    return [engine for engine, program in found.items() if program is None]


# ---- Getting -----------------------------------------------------------------------------------------------


def download_chromium() -> None:
    """Asks Playwright for its own Chromium; that it cannot come is said and is no error."""
    say("no Chromium on this machine; asking Playwright to download its own")
    command = [sys.executable, "-m", "playwright", "install", "--no-shell", "chromium"]
    try:
        subprocess.run(command, capture_output=True, timeout=DOWNLOAD_TIMEOUT_S, check=True)
    except subprocess.SubprocessError:
        say("Playwright could not download one here")


def install_debian_packages(engines: list[str]) -> None:
    """Debian's packages of these engines, where we are root with an apt-get; failing is said, no error."""
    apt = find_program("apt-get")
    is_root = getattr(os, "geteuid", lambda: -1)() == 0
    if apt is None or not is_root:
        return
    packages = [package for engine in engines for package in DEBIAN_PACKAGES[engine]]
    say(f"installing with apt-get, as root: {' '.join(packages)}")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = [apt, "install", "-y", "-qq", "--no-install-recommends", *packages]
    try:
        run([apt, "update", "-qq"], "apt-get update failed", env=env)
        run(install, "apt-get could not install them", env=env)
    except BuildError as error:
        say(str(error))


def get_browsers() -> None:
    """Gets what is missing and can be had; raises if what must be there is not."""
    missing = missing_engines()
    if missing:
        install_debian_packages(missing)
        missing = missing_engines()
    if "chromium" in missing:
        download_chromium()
        missing = missing_engines()
    if "chromium" in missing:
        raise BuildError(NO_CHROMIUM)
    if missing and must_have_all():
        raise BuildError(f"CI is set, so no engine may be left out: {'; '.join(map(hint, missing))}.")
    for engine in missing:
        say(f"{hint(engine)} (its tests will be skipped)")


def main() -> int:
    """Gets the browsers and says which are used; returns the exit code."""
    try:
        get_browsers()
    except BuildError as error:
        print(f"browsers: {error}", file=sys.stderr, flush=True)
        return error.code
    webkit = find_webkit()
    found = {"Chromium": find_chromium(), "Firefox": find_firefox(), "WebKit": webkit and webkit.driver}
    say(", ".join(f"{name}: {path}" for name, path in found.items() if path is not None))
    return 0


if __name__ == "__main__":
    sys.exit(main())
