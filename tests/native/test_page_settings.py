"""The page starts from the lesson's settings; its modules import one way and touch the page in few places."""

import re
from pathlib import Path

import pytest

from tinyserve import lesson
from tinyserve.workload import ORDERS

WEB = Path(__file__).resolve().parents[2] / "web"
MODULES = {path.relative_to(WEB).as_posix(): path.read_text("utf-8") for path in WEB.rglob("*.js")}
# A module may import only from those of a lower rank.
RANK = {
    "messages.js": 0,
    "settings.js": 0,
    "format.js": 0,
    "axis-ends.js": 0,
    "charts/step-line.js": 0,
    "changed.js": 0,
    "charts/put.js": 0,
    "charts/draw-axis.js": 1,
    "words.js": 1,
    "state.js": 1,
    "python.js": 1,
    "worker.js": 1,
    "charts/cache-fill.js": 2,
    "charts/two-waits.js": 2,
    "charts/draw-cache-fill.js": 3,
    "charts/draw-two-waits.js": 3,
    "main.js": 4,
}


def setting(key: str) -> dict[str, int]:
    """One setting of settings.js: min, max, step, start."""
    (fields,) = re.findall(rf'\{{ key: "{key}", ([^}}]*)\}}', MODULES["settings.js"])
    return {name: int(value) for name, value in re.findall(r"(\w+): (\d+)", fields)}


@pytest.mark.parametrize(
    ("key", "value"), [("rate", lesson.RATE_HEAVY), ("pages", lesson.PAGES), ("limit", lesson.LIMIT)]
)
def test_the_page_starts_where_the_lesson_does(key: str, value: int) -> None:
    assert setting(key)["start"] == value


def test_the_page_offers_the_packages_orders_and_starts_with_the_first() -> None:
    assert (setting("shuffle")["min"], setting("shuffle")["max"]) == (ORDERS[0], ORDERS[-1])
    assert setting("shuffle")["start"] == ORDERS[0]


def test_the_light_load_is_the_same_on_both_sides() -> None:
    (rate,) = re.findall(r"LIGHT_RATE = (\d+);", MODULES["settings.js"])
    assert int(rate) == lesson.RATE_LIGHT


def test_every_module_of_the_page_has_a_rank() -> None:
    assert set(MODULES) == set(RANK)


@pytest.mark.parametrize("module", RANK)
def test_imports_go_one_way(module: str) -> None:
    for target in re.findall(r'^import .*? from "(\.[^"]+)";$', MODULES[module], re.MULTILINE | re.DOTALL):
        imported = (WEB / module).parent.joinpath(target).resolve().relative_to(WEB).as_posix()
        assert RANK[imported] < RANK[module], f"{module} imports {imported}"


@pytest.mark.parametrize("module", sorted(set(RANK) - {"main.js"}))
def test_no_other_module_than_main_reaches_for_the_document(module: str) -> None:
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", MODULES[module], flags=re.DOTALL)
    assert not re.search(r"\b(document|window)\b", code)


@pytest.mark.parametrize("module", RANK)
def test_every_export_is_imported_somewhere(module: str) -> None:
    for name in re.findall(
        r"^export (?:function|const|class|async function) (\w+)", MODULES[module], re.MULTILINE
    ):
        users = [
            other
            for other, text in MODULES.items()
            if other != module and re.search(rf"\b(words\.)?{name}\b", text)
        ]
        assert users, f"nobody imports {name} of {module}"
