"""Takes the README's picture of the lesson: `python tests/picture.py`, after `python3 build.py test`."""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import build  # noqa: E402  (a script: its path has to be set first)
from tests.conftest import CHROMIUM_ARGUMENTS, serving  # noqa: E402
from tests.find_browsers import find_chromium  # noqa: E402

PICTURE = ROOT / "web" / "picture.png"
SIZE = {"width": 1280, "height": 1000}


def main() -> None:
    """Opens the lesson and takes the picture of its head, which needs no script."""
    with serving(build.DIST) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGUMENTS)
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(f"{address}/index.html")
        page.screenshot(path=PICTURE)
        browser.close()
    print(f"took {PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
