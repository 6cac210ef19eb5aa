"""The page's answers are CPython's, bit for bit, and what it prints is what Python prints of them."""

import itertools
import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import build
from tests.browser.conftest import open_widget
from tests.browser.widget import START, Settings, Widget, wait_until
from tests.conftest import serving
from tinyserve import Workload, chats, load_test
from tinyserve.figures import published

pytestmark = pytest.mark.browser

GRID = published()["grid"]
ORDERS: dict[int, Workload] = {order: chats(order) for order in range(GRID["orders"])}
RANGES = {"rate": range(1, 61), "pages": range(60, 961, 20), "limit": range(1, 41), "shuffle": range(6)}
OFF_GRID = 40  # settings drawn at random


def expected(settings: Settings) -> dict[str, Any]:
    """CPython's report."""
    return load_test(ORDERS[settings["shuffle"]], settings["rate"], settings["pages"], settings["limit"])


def report_of(package_folder: Path) -> dict[str, Any]:
    """The report of the start settings by the package in another folder."""
    setting = START["rate"], START["pages"], START["limit"]
    code = f"import json, tinyserve as t; print(json.dumps(t.load_test(t.chats(), *{setting})))"
    environment = os.environ | {"PYTHONPATH": str(package_folder)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def bits(report: dict[str, Any]) -> dict[str, str]:
    """Every value so that one bit more or less shows."""
    return {key: value.hex() if isinstance(value, float) else repr(value) for key, value in report.items()}


def same_bits(page_report: dict[str, Any], python_report: dict[str, Any]) -> bool:
    """Whether two reports are alike to the last bit.

    JSON has one kind of number, so a float that is whole comes back as an int: it is made a float again.
    """
    alike = {
        key: float(value) if isinstance(python_report[key], float) else value
        for key, value in page_report.items()
    }
    return bits(alike) == bits(python_report)


def grid_settings() -> list[Settings]:
    """All settings of the grid."""
    product = itertools.product(GRID["rates"], GRID["pages"], GRID["limits"], range(GRID["orders"]))
    return [dict(zip(START, values, strict=True)) for values in product]


def test_the_grid_is_the_published_one() -> None:
    assert len(grid_settings()) == GRID["runs"]


@pytest.mark.parametrize("order", range(GRID["orders"]))
def test_every_report_of_the_grid_equals_pythons_bit_for_bit(shared_widget: Widget, order: int) -> None:
    for settings in grid_settings():
        if settings["shuffle"] == order and settings != shared_widget.settings():
            detail = shared_widget.answer_to(settings)
            assert detail["settings"] == settings
            assert same_bits(detail["report"], expected(settings)), settings


def test_reports_off_the_grid_equal_pythons_bit_for_bit(
    shared_widget: Widget, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = random.SystemRandom().randrange(2**32)
    with capsys.disabled():
        print(f"\nsettings off the grid are drawn with random.Random({seed})")
    draw = random.Random(seed)
    for _ in range(OFF_GRID):
        settings = {key: draw.choice(values) for key, values in RANGES.items()}
        if settings != shared_widget.settings():
            report = shared_widget.answer_to(settings)["report"]
            assert same_bits(report, expected(settings)), f"{settings}, drawn with seed {seed}"


def test_the_first_answer_is_announced_whole(page: Page, address: str) -> None:
    page.add_init_script(
        """document.addEventListener("tinyserve:answer", ({ detail }) => {
          window.first ??= JSON.stringify(detail);
        })"""
    )
    open_widget(page, address)
    wait_until(page, "window.first !== undefined")
    detail = json.loads(page.evaluate("window.first"))
    assert detail["settings"] == START
    assert same_bits(detail["report"], expected(START))


# ---- What is printed ---------------------------------------------------------------------------------------


def seconds_in_words(seconds: float) -> str:
    """Hundredths, but thousandths below a tenth."""
    return f"{seconds:.3f} s" if seconds < 0.1 else f"{seconds:.2f} s"


def milliseconds(seconds: float | None) -> str:
    return "–" if seconds is None else f"{seconds * 1000:.1f}"


def expected_clipboard(report: dict[str, Any]) -> dict[str, list[str]]:
    """The table as Python prints the report."""
    full_s = report["cache_full_s"]
    walls = {"none": "none", "cache": "the cache", "batch": "the batch limit", "both": "both"}
    return {
        "First word TTFT": [f"{report['ttft_p50_s']:.3f}", f"{report['ttft_p99_s']:.3f}"],
        "Gap between words TBT": [milliseconds(report["tbt_p50_s"]), milliseconds(report["tbt_p99_s"])],
        "A chat’s mean gap TPOT": [milliseconds(report["tpot_p50_s"]), milliseconds(report["tpot_p99_s"])],
        "Longest queue": [f"{report['queue_max']:,}"],
        "Most pages held": [f"{report['pages_max']:,}"],
        "Cache first holds out": ["–" if full_s is None else f"{full_s:.3f}"],
        "Held out by the cache": [f"{report['cache_steps']:,}"],
        "Held out by the batch": [f"{report['batch_steps']:,}"],
        "Steps in all": [f"{report['steps']:,}"],
        "Chats finished": [f"{report['chats_per_s']:.1f}"],
        "The wall": [walls[report["wall"]]],
    }


# One setting for every wall, one without a wall in which chats were held out, and one at which nobody waits.
WALLS = {
    "cache": {"rate": 40, "pages": 240, "limit": 16, "shuffle": 0},
    "batch": {"rate": 40, "pages": 480, "limit": 16, "shuffle": 0},
    "both": {"rate": 40, "pages": 480, "limit": 24, "shuffle": 0},
    "none": {"rate": 10, "pages": 240, "limit": 16, "shuffle": 0},
}
HELD_OUT_WITHOUT_A_WALL = {"rate": 1, "pages": 60, "limit": 2, "shuffle": 0}


@pytest.mark.parametrize("settings", [*WALLS.values(), HELD_OUT_WITHOUT_A_WALL])
def test_table_and_sentence_print_what_python_prints(shared_widget: Widget, settings: Settings) -> None:
    shared_widget.show(settings)
    report = expected(settings)
    assert shared_widget.clipboard() == expected_clipboard(report)
    sentence = shared_widget.sentence()
    assert f"the slowest 1 in 100 chats wait {seconds_in_words(report['ttft_p99_s'])} or longer" in sentence
    if report["cache_full_s"] is not None:
        assert f"{report['cache_full_s']:.3f} s" in sentence


@pytest.mark.parametrize("wall", WALLS)
def test_the_sentence_names_every_wall(shared_widget: Widget, wall: str) -> None:
    settings = WALLS[wall]
    shared_widget.show(settings)
    assert expected(settings)["wall"] == wall, "the setting no longer shows this wall"
    opening = {
        "cache": "The cache is the wall. It first holds a chat out at",
        "batch": "The batch limit is the wall.",
        "both": "Cache and batch limit are both the wall.",
        "none": "No wall. No chat is ever held out;",
    }
    assert shared_widget.sentence().startswith(opening[wall])


def test_without_a_wall_the_sentence_says_who_was_held_out_and_how_many_waited(shared_widget: Widget) -> None:
    shared_widget.show(HELD_OUT_WITHOUT_A_WALL)
    report = expected(HELD_OUT_WITHOUT_A_WALL)
    sentence = shared_widget.sentence()
    assert report["wall"] == "none"
    assert sentence.startswith("No wall. Yet the cache held a chat out in")
    assert f"in {report['cache_steps']:,} steps, first at {report['cache_full_s']:.3f} s" in sentence
    assert f"the batch limit did in {report['batch_steps']:,} steps" in sentence
    assert f"at most {report['queue_max']} chats waited" in sentence


# ---- The wheel that runs is the wheel that was built -------------------------------------------------------


def test_a_page_rebuilt_with_another_constant_changes_the_answers(page: Page, tmp_path: Path) -> None:
    source = build.copy_wheel_sources(build.ROOT, tmp_path / "source")
    shutil.copytree(build.ROOT / "web", source / "web")
    constants = source / "py" / "tinyserve" / "step_time.py"
    text = constants.read_text("utf-8")
    # A small change: after a greater one the lesson's words no longer hold, and the build stops there.
    assert text.count("BYTES_PER_S = 2.039e12") == 1
    constants.write_text(text.replace("BYTES_PER_S = 2.039e12", "BYTES_PER_S = 2.1e12"), "utf-8")
    changed = build.make_dist(source, tmp_path / "dist", tmp_path / "work")

    with serving(changed) as address:
        clipboard = open_widget(page, address).clipboard()
    assert clipboard == expected_clipboard(report_of(source / "py"))
    assert clipboard["First word TTFT"] != expected_clipboard(expected(START))["First word TTFT"]
