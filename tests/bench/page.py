"""How fast the built page is: `python tests/bench/page.py`, after `python3 build.py test`.

Everything is measured in one run in one Chromium, ours and what it is compared with in turns, so that a
busy machine slows both; medians are compared. It reports and judges nothing: the exit code is 0, or 1 where
there is no Chromium.
"""

import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, Playwright, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import build  # noqa: E402  (a script: its path has to be set first)
from tests.bench import drag  # noqa: E402
from tests.bench.table import Row, print_machine, print_table  # noqa: E402
from tests.browser.weight import MOST_KB, MOST_OWN_KB, OWN, PYTHONS, gzip_kb  # noqa: E402
from tests.conftest import CHROMIUM_ARGUMENTS, serving  # noqa: E402
from tests.find_browsers import NO_CHROMIUM, find_chromium  # noqa: E402

COLD_ROUNDS = 3  # new profiles
WARM_ROUNDS = 2  # further visits with each of them
VISIT_S = 5  # Chromium writes its compiled code some seconds into a visit
BOOT_TARGET = 0.35  # of the stock start
PATIENCE_MS = 120_000
READY = "tinyserve:ready"  # the mark that says that Python can answer

STOCK_PAGE = """<!doctype html>
<script type="module">
  const worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = () => performance.mark("%s");
</script>
"""
STOCK_WORKER = """import { loadPyodide } from "./pyodide/pyodide.mjs";
await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
postMessage("ready");
"""


def make_stock_page(folder: Path) -> None:
    """A page that starts the same Pyodide as its documentation says, in a worker as ours."""
    (folder / "pyodide").mkdir(parents=True)
    for name in build.PYODIDE_FILES:
        shutil.copyfile(build.NODE_MODULES / "pyodide" / name, folder / "pyodide" / name)
    (folder / "widget.html").write_text(STOCK_PAGE % READY, "utf-8")
    (folder / "worker.js").write_text(STOCK_WORKER, "utf-8")


@contextmanager
def new_profile(playwright: Playwright, chromium_path: str) -> Iterator[BrowserContext]:
    """A Chromium that has never been anywhere, and keeps what it caches while the block runs."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        context = playwright.chromium.launch_persistent_context(
            folder,
            executable_path=chromium_path,
            args=CHROMIUM_ARGUMENTS,
        )
        yield context
        context.close()


def seconds_to_ready(context: BrowserContext, address: str) -> float:
    """Seconds from the start of a visit until Python can answer."""
    page = context.new_page()
    page.goto(f"{address}/widget.html")
    get_mark = f"() => performance.getEntriesByName('{READY}')[0]?.startTime"
    ready_ms = page.wait_for_function(get_mark, timeout=PATIENCE_MS).json_value()
    page.wait_for_timeout(VISIT_S * 1000)
    page.close()
    return float(ready_ms) / 1000


def measure_boot(playwright: Playwright, chromium_path: str) -> list[Row]:
    """Seconds until Python can answer, ours and the stock `loadPyodide()`, with and without a past."""
    seconds: dict[tuple[str, str], list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        make_stock_page(Path(folder))
        with serving(Path(folder)) as stock, serving(build.DIST) as ours:
            for _ in range(COLD_ROUNDS):
                with new_profile(playwright, chromium_path) as context:
                    for visit in ["cold", *["warm"] * WARM_ROUNDS]:
                        for who, address in (("stock", stock), ("ours", ours)):
                            taken_s = seconds_to_ready(context, address)
                            seconds.setdefault((visit, who), []).append(taken_s)
    rows = []
    for visit in ("cold", "warm"):
        stock_s, ours_s = (statistics.median(seconds[visit, who]) for who in ("stock", "ours"))
        rows += [
            Row(f"until Python can answer, {visit}: stock loadPyodide()", None, stock_s, "s"),
            Row(f"until Python can answer, {visit}: this page", None, ours_s, "s"),
            Row(f"until Python can answer, {visit}: ours", BOOT_TARGET, ours_s / stock_s, "of stock"),
        ]
    return rows


def size_rows(dist: Path) -> list[Row]:
    """What is fetched before the first answer."""
    all_kb = gzip_kb(dist, OWN + PYTHONS)
    return [
        Row("fetched before the first answer, gzip", MOST_KB / 1e3, all_kb / 1e3, "MB"),
        Row("the page's own HTML, CSS and JS of it, gzip", MOST_OWN_KB, gzip_kb(dist, OWN), "KB"),
    ]


def main() -> None:
    """Measures all and prints the table."""
    chromium_path = find_chromium()
    if chromium_path is None:
        sys.exit(NO_CHROMIUM)
    with sync_playwright() as playwright:
        measured = size_rows(build.DIST) + measure_boot(playwright, str(chromium_path))
    with serving(build.DIST) as address:
        dragged, version = drag.page_rows(f"{address}/widget.html", str(chromium_path))
    print_table(measured + dragged + drag.python_rows(str(chromium_path)))
    print_machine(version)


if __name__ == "__main__":
    main()
