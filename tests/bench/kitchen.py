"""How closely the kitchen follows its time bar: `python tests/bench/kitchen.py`.

Steps are jumped to at random, as by a fast hand. It reports and judges nothing: the exit code is 0, or 1
where there is no Chromium.
"""

import random
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.drag import percentile  # noqa: E402  (a script: its path has to be set first)
from tests.bench.table import Row, print_machine, print_table  # noqa: E402
from tests.browser.kitchen_page import make_kitchen_page, recorded  # noqa: E402
from tests.conftest import CHROMIUM_ARGUMENTS, serving  # noqa: E402
from tests.find_browsers import NO_CHROMIUM, find_chromium  # noqa: E402

SETTINGS = [(40, 240, 16), (40, 960, 40)]
MOVES = 200
FRAMES_TARGET = 2
FRAME_MS = 1000 / 60

# Moves the bar to each step in a task of its own, and notes the milliseconds until it is drawn and painted.
SCRUB = """async (steps) => {
  const bar = document.querySelector(".time-bar");
  const noted = [];
  for (const step of steps) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const began_ms = performance.now();
    bar.value = String(step);
    bar.dispatchEvent(new Event("input"));
    const drawn_ms = performance.now() - began_ms;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    noted.push([drawn_ms, performance.now() - began_ms]);
  }
  return noted;
}"""


def rows_of(page: Page, setting: tuple[int, int, int]) -> list[Row]:
    """What it takes in one run."""
    run = recorded(*setting)
    page.evaluate("(run) => window.kitchen.show(run, '')", run)
    choose = random.Random(1)
    steps = [choose.randint(1, len(run["columns"]["start_s"])) for _ in range(MOVES)]
    noted = page.evaluate(SCRUB, steps)
    drawn_ms = statistics.median(each for each, _ in noted)
    frames = sorted(painted_ms / FRAME_MS for _, painted_ms in noted)
    name = "/".join(map(str, setting))
    return [
        Row(f"{name}: drawing one step, median", None, drawn_ms, "ms"),
        Row(
            f"{name}: from the time bar to the painted step, median",
            FRAMES_TARGET,
            statistics.median(frames),
            "frames",
        ),
        Row(f"{name}: the same, 95th percentile", None, percentile(frames, 95), "frames"),
    ]


def main() -> None:
    """Measures and prints the table."""
    chromium_path = find_chromium()
    if chromium_path is None:
        sys.exit(NO_CHROMIUM)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        make_kitchen_page(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium_path, args=CHROMIUM_ARGUMENTS)
        with serving(Path(folder)) as address:
            page = browser.new_page(viewport={"width": 1140, "height": 900})
            page.goto(address)
            rows = [row for setting in SETTINGS for row in rows_of(page, setting)]
        print_table(rows)
        print_machine(browser.version)
        browser.close()


if __name__ == "__main__":
    main()
