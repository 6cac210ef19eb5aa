"""How well the built page follows a slider: `python tests/bench/drag.py [FOLDER]`, after a build.

FOLDER is the built page, dist/ if none is named. What is measured:

- Input to paint. A slider is set and its "input" dispatched at a moment chosen at random within a frame.
  The time from just before that to the event `tinyserve:answer` with these settings is taken: the page
  announces an answer in the task after the frame that painted it, so style, layout and paint of this frame
  are in it. It is given in frames of 1/60 s, whatever the real frames were. "To its frame" ends at the
  timestamp of the animation frame that painted it. Settings follow one another so that one slider moves at
  a time, over the whole grid of the published figures, and over settings drawn at random from all that the
  sliders have. A hand at rest waits until the light run beside the last answer is done, as the targets mean
  it; a hasty one moves within 150 ms after the last answer, so that the light run may be under way.
- Drag. One slider moves to the next grid value in each frame, there and back, without being let go. In each
  frame the age of what is shown is the count of frames since the slider stood at the setting whose answer
  is shown.
- Long tasks. All tasks over 50 ms on the main thread during the above, from a PerformanceObserver.
- Python. `serve` and `report` of one run in a worker with the same Pyodide, and in the CPython that runs
  this file: the same code timed by `time.perf_counter`, in turns, medians compared.

All of it is measured warm: the page gives 30 answers before. It reports and judges nothing: the exit code
is 0, or 1 where there is no Chromium.
"""

import argparse
import contextlib
import itertools
import random
import shutil
import statistics
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import build  # noqa: E402  (a script: its path has to be set first)
from tests.bench.serve_and_report import run_seconds  # noqa: E402
from tests.bench.table import Row, print_machine, print_table  # noqa: E402
from tests.conftest import CHROMIUM_ARGUMENTS, serving  # noqa: E402
from tests.find_browsers import NO_CHROMIUM, find_chromium  # noqa: E402
from tinyserve.figures import published  # noqa: E402
from tinyserve.lesson import LIMIT, PAGES, RATE_HEAVY, RATE_LIGHT  # noqa: E402

HERE = Path(__file__).resolve().parent
SIZE: ViewportSize = {"width": 1280, "height": 1000}
FRAME_MS = 1000 / 60
PATIENCE_MS = 120_000

WARM_UP_ANSWERS = 30
ANYWHERE_MOVES = 200
DRAG_S = 4  # of each slider
PAUSE_MS = {"at rest": 50, "hasty": 150}
OLD_FRAMES = 3  # a frame that shows a setting older than this lags

MEDIAN_FRAMES = 2
P95_FRAMES = 3
MOST_FRAMES = 8
LAGGING_PERCENT = 5
PYTHON_RATIO = 2.5

PYTHON_ROUNDS = 15
RUNS_A_ROUND = 5
WARM_UP_RUNS = 40

Settings = dict[str, int]


# ---- The page ----------------------------------------------------------------------------------------------


def grid() -> dict[str, list[int]]:
    """The values of the published grid, by slider."""
    printed = published()["grid"]
    of_run = {"rate": printed["rates"], "pages": printed["pages"], "limit": printed["limits"]}
    return {**of_run, "shuffle": list(range(printed["orders"]))}


def grid_walk() -> list[Settings]:
    """Every setting of the grid once, each one slider away from the one before.

    Each slider goes to and fro: it turns round whenever one that stands before it has moved.

    >>> len(grid_walk())
    384
    """
    walk: list[list[int]] = [[]]
    for values in grid().values():
        walk = [
            [*before, value]
            for at, before in enumerate(walk)
            for value in (values if at % 2 == 0 else reversed(values))
        ]
    return [dict(zip(grid(), values, strict=True)) for values in walk]


def ranges(page: Page) -> dict[str, range]:
    """All values of each slider."""
    limits: dict[str, list[int]] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("input[type=range]")].map(
          ({ name, min, max, step }) => [name, [Number(min), Number(max), Number(step)]]))"""
    )
    return {key: range(low, high + 1, step) for key, (low, high, step) in limits.items()}


def random_walk(values: dict[str, range], moves: int, draw: random.Random) -> list[Settings]:
    """Settings from anywhere on the sliders, each one slider away from the one before."""
    walk = [{key: draw.choice(every) for key, every in values.items()}]
    for _ in range(moves):
        key = draw.choice(list(values))
        other = draw.choice([value for value in values[key] if value != walk[-1][key]])
        walk.append({**walk[-1], key: other})
    return walk


@contextlib.contextmanager
def open_page(address: str, chromium_path: str) -> Iterator[Page]:
    """The page with drag.js in it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=CHROMIUM_ARGUMENTS)
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(PATIENCE_MS)
        page.add_init_script(path=HERE / "drag.js")
        page.goto(address)
        yield page
        browser.close()


def take_walk(page: Page, walk: list[Settings], manner: str) -> list[dict[str, float]]:
    """Milliseconds of each move of a walk."""
    page.evaluate("(settings) => bench.goTo(settings)", walk[0])
    how = {"settings": walk, "pause_ms": PAUSE_MS[manner], "isAtRest": manner == "at rest"}
    taken: list[dict[str, float]] = page.evaluate("(how) => bench.walk(how)", how)
    return taken


def frames(taken: list[dict[str, float]], end: str) -> list[float]:
    """Frames of 1/60 s to the given end of each move, ascending."""
    return sorted(each[end] / FRAME_MS for each in taken)


def percentile(ascending: Sequence[float], percent: int) -> float:
    """The smallest value that so many percent do not exceed."""
    return ascending[-(-len(ascending) * percent // 100) - 1]


def walk_rows(page: Page, draw: random.Random) -> list[Row]:
    """From input to paint."""
    taken = take_walk(page, grid_walk(), "at rest")
    to_paint = frames(taken, "toTask_ms")
    to_frame = frames(taken, "toFrame_ms")
    what = "grid: input to paint"
    rows = [
        Row(f"{what}, median", MEDIAN_FRAMES, percentile(to_paint, 50), "frames"),
        Row(f"{what}, p95", P95_FRAMES, percentile(to_paint, 95), "frames"),
        Row("grid: input to its frame, median", None, percentile(to_frame, 50), "frames"),
        Row("grid: input to its frame, p95", None, percentile(to_frame, 95), "frames"),
    ]
    for manner, target in (("at rest", MOST_FRAMES), ("hasty", None)):
        taken = take_walk(page, random_walk(ranges(page), ANYWHERE_MOVES, draw), manner)
        ascending = frames(taken, "toTask_ms")
        what = f"anywhere, hand {manner}: input to paint"
        rows += [
            Row(f"{what}, median", None, percentile(ascending, 50), "frames"),
            Row(f"{what}, longest of {ANYWHERE_MOVES}", target, ascending[-1], "frames"),
        ]
    return rows


def drag_rows(page: Page) -> list[Row]:
    """While a slider moves."""
    ages: dict[str, list[int]] = {}
    start = {"rate": RATE_HEAVY, "pages": PAGES, "limit": LIMIT, "shuffle": 0}
    for key, values in grid().items():
        page.evaluate("(settings) => bench.goTo(settings)", {**start, key: values[0]})
        how = {"key": key, "values": values, "frames": round(DRAG_S * 1000 / FRAME_MS)}
        ages[key] = page.evaluate("(how) => bench.drag(how)", how)
    pooled = list(itertools.chain.from_iterable(ages.values()))
    what = f"frames that show a setting older than {OLD_FRAMES} frames"
    rows = [Row(f"drag: {what}", LAGGING_PERCENT, lagging_percent(pooled), "%")]
    rows += [Row(f"drag of {key}: {what}", None, lagging_percent(each), "%") for key, each in ages.items()]
    rows.append(Row("drag: age of what is shown, median", None, statistics.median(pooled), "frames"))
    return rows


def lagging_percent(ages: list[int]) -> float:
    """Share of frames that show something old."""
    return 100 * sum(age > OLD_FRAMES for age in ages) / len(ages)


def page_rows(page_address: str, chromium_path: str) -> tuple[list[Row], str]:
    """All that is measured in the page, and the version of the Chromium."""
    draw = random.Random()
    with open_page(page_address, chromium_path) as page:
        page.wait_for_function("() => document.documentElement.dataset.stage === 'ready'")
        page.wait_for_function("() => performance.getEntriesByName('tinyserve:answer').length > 0")
        take_walk(page, random_walk(ranges(page), WARM_UP_ANSWERS, draw), "at rest")
        page.evaluate("() => { bench.longTasks_ms.length = 0; }")
        rows = walk_rows(page, draw) + drag_rows(page)
        long_ms: list[float] = page.evaluate("() => bench.longTasks_ms")
        rows.append(Row("tasks over 50 ms on the main thread in all of this", 0, len(long_ms), "tasks"))
        if long_ms:
            rows.append(Row("the longest of them", None, max(long_ms), "ms"))
        version = page.context.browser.version if page.context.browser is not None else "unknown"
        return rows, version


# ---- Python ------------------------------------------------------------------------------------------------


PYTHON_PAGE = '<!doctype html><link rel="icon" href="data:,">'


def make_python_page(folder: Path) -> None:
    """A page with the same Pyodide as the built one, for a worker that times the program."""
    shutil.copytree(build.NODE_MODULES / "pyodide", folder / "pyodide")
    (folder / "index.html").write_text(PYTHON_PAGE, "utf-8")
    shutil.copyfile(HERE / "python-worker.js", folder / "worker.js")
    with zipfile.ZipFile(folder / "sources.zip", "w") as archive:
        archive.write(HERE / "serve_and_report.py", "serve_and_report.py")
        for path in sorted((ROOT / "py" / "tinyserve").glob("*.*")):
            archive.write(path, f"tinyserve/{path.name}")


START_WORKER = """() => new Promise((resolve, reject) => {
  window.worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = resolve;
  worker.onerror = reject;
})"""
RUN_IN_WORKER = """(runs) => new Promise((resolve) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.postMessage(runs);
})"""


def python_rows(chromium_path: str) -> list[Row]:
    """How much slower the page's Python is than this one."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        make_python_page(Path(folder))
        with serving(Path(folder)) as address:
            browser = playwright.chromium.launch(executable_path=chromium_path, args=CHROMIUM_ARGUMENTS)
            page = browser.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.goto(f"{address}/index.html")
            page.evaluate(START_WORKER)
            rows = []
            for name, rate, target in (("heavy", RATE_HEAVY, PYTHON_RATIO), ("light", RATE_LIGHT, None)):
                here_s, page_s = median_seconds(page, {"rate": rate, "pages": PAGES, "limit": LIMIT})
                what = f"serve + report, {name} run"
                rows += [
                    Row(f"{what}, CPython", None, here_s * 1000, "ms"),
                    Row(f"{what}, in the page", None, page_s * 1000, "ms"),
                    Row(f"{what}, in the page: times CPython's", target, page_s / here_s, "times"),
                ]
            browser.close()
            return rows


def median_seconds(page: Page, settings: Settings) -> tuple[float, float]:
    """Median seconds of a run in this Python and in the page's, measured in turns."""

    def in_page(runs: int) -> list[float]:
        seconds: list[float] = page.evaluate(RUN_IN_WORKER, {**settings, "runs": runs})
        return seconds

    in_page(WARM_UP_RUNS)
    run_seconds(**settings, runs=WARM_UP_RUNS)
    here_s: list[float] = []
    page_s: list[float] = []
    for _ in range(PYTHON_ROUNDS):
        here_s += run_seconds(**settings, runs=RUNS_A_ROUND)
        page_s += in_page(RUNS_A_ROUND)
    return statistics.median(here_s), statistics.median(page_s)


def main() -> None:
    """Measures a built folder and prints one table."""
    parser = argparse.ArgumentParser(description="Measures how well the built page follows a slider.")
    parser.add_argument("folder", nargs="?", type=Path, default=build.DIST, help="the built page (dist/)")
    folder: Path = parser.parse_args().folder
    chromium = find_chromium()
    if chromium is None:
        sys.exit(NO_CHROMIUM)
    chromium_path = str(chromium)
    with serving(folder) as address:
        measured, version = page_rows(f"{address}/widget.html", chromium_path)
    print_table(measured + python_rows(chromium_path))
    print_machine(version)


if __name__ == "__main__":
    main()
