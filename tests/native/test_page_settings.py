"""The page starts from the lesson's settings; its modules import one way and touch the page in few places."""

import re
from pathlib import Path

import pytest

from tests.native.built_lesson import lesson_figures
from tinyserve import edited, lesson
from tinyserve.workload import ORDERS

WEB = Path(__file__).resolve().parents[2] / "web"
MODULES = {path.relative_to(WEB).as_posix(): path.read_text("utf-8") for path in WEB.rglob("*.js")}
MOST_COLUMNS = 120
# A module may import only from those of a lower rank.
RANK = {
    "axis-ends.js": 0,
    "changed.js": 0,
    "charts/cache-table.js": 0,
    "charts/chat-story.js": 0,
    "charts/kitchen-plan.js": 0,
    "charts/moment.js": 0,
    "charts/put.js": 0,
    "charts/settings-bars.js": 0,
    "charts/step-line.js": 0,
    "editor.js": 0,
    "format.js": 0,
    "limits.js": 0,
    "make-element.js": 0,
    "messages.js": 0,
    "not-started.js": 0,
    "observed.js": 0,
    "settings.js": 0,
    "still-widths.js": 0,
    "telling.js": 0,
    "tips.js": 0,
    "bets.js": 1,
    "browser-check.js": 1,
    "chart-parts.js": 1,
    "charts/cache-fill.js": 1,
    "charts/draw-axis.js": 1,
    "charts/draw-kitchen.js": 1,
    "charts/draw-settings-bars.js": 1,
    "charts/kitchen.js": 1,
    "charts/two-waits.js": 1,
    "comparing.js": 1,
    "lesson-text.js": 1,
    "parts.js": 1,
    "state.js": 1,
    "tasks.js": 1,
    "telling-elements.js": 1,
    "words/de.js": 1,
    "words/en.js": 1,
    "words/kitchen.js": 1,
    "words/yours.js": 1,
    "worker.js": 1,
    "charts/draw-cache-fill.js": 2,
    "charts/draw-two-waits.js": 2,
    "kitchen-layout.js": 2,
    "layout.js": 2,
    "python.js": 2,
    "task-list.js": 2,
    "words/languages.js": 2,
    "yours-layout.js": 2,
    "address.js": 3,
    "draw-yours.js": 3,
    "draw.js": 3,
    "figures.js": 3,
    "kitchen-still.js": 3,
    "kitchen.js": 3,
    "reader-python.js": 3,
    "still.js": 4,
    "widget.js": 4,
    "yours.js": 4,
    "element.js": 5,
    "lesson.js": 5,
    "main.js": 5,
    "prerender.js": 5,
}
# What the browser or the build starts; all else works with what it is handed.
ENTRIES = {"editor.js", "element.js", "lesson.js", "main.js", "not-started.js", "prerender.js"}


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


def test_the_text_tells_of_the_seconds_that_the_chart_shows_at_first() -> None:
    (seconds,) = re.findall(r"FIRST_SECONDS = (\d+);", MODULES["charts/cache-fill.js"])
    assert int(seconds) == lesson_figures().EARLY_S


def test_the_fewest_pages_are_sought_among_those_of_the_sliders() -> None:
    figures = lesson_figures()
    pages, limit = setting("pages"), setting("limit")
    assert (pages["min"], pages["max"]) == (figures.LEAST_PAGES, figures.MOST_PAGES)
    assert pages["step"] == figures.PAGES_STEP
    assert list(figures.LIMITS) == list(range(limit["min"], limit["max"] + 1, limit["step"]))


def test_the_page_names_the_modules_that_a_readers_program_finds() -> None:
    (listed,) = re.findall(r"READER_MODULES = \[(.*?)\];", MODULES["limits.js"], re.DOTALL)
    assert tuple(re.findall(r'"(\w+)"', listed)) == edited.MODULES


def test_every_module_of_the_page_has_a_rank() -> None:
    assert set(MODULES) == set(RANK)


@pytest.mark.parametrize("module", RANK)
def test_imports_go_one_way(module: str) -> None:
    for target in re.findall(r'^import .*? from "(\.[^"]+)";$', MODULES[module], re.MULTILINE | re.DOTALL):
        imported = (WEB / module).parent.joinpath(target).resolve().relative_to(WEB).as_posix()
        assert RANK[imported] < RANK[module], f"{module} imports {imported}"


def without_comments(module: str) -> str:
    """The code of a module."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", MODULES[module], flags=re.DOTALL)


def functions(code: str) -> list[tuple[str, str]]:
    """The functions on the top level, each as its parameters and its body."""
    found = re.findall(r"^(?:export )?(?:async )?function \w+\((.*?)\) \{\n(.*?)^\}", code, re.M | re.DOTALL)
    return [(parameters, body) for parameters, body in found]


@pytest.mark.parametrize("module", sorted(set(RANK) - ENTRIES))
def test_no_module_reaches_for_a_document_that_it_was_not_handed(module: str) -> None:
    code = without_comments(module)
    assert not re.search(r"\b(window|location|history|customElements|localStorage|sessionStorage)\b", code)
    for parameters, body in functions(code):
        if re.search(r"\bdocument\b", parameters):
            code = code.replace(f"({parameters}) {{\n{body}", "")
    assert not re.search(r"\bdocument\b", code)


@pytest.mark.parametrize("module", sorted(set(RANK) - ENTRIES))
def test_every_export_is_imported_somewhere(module: str) -> None:
    imported = set()
    for importer, text in MODULES.items():
        for names, target in re.findall(r'^import \{([^}]*)\} from "(\.[^"]+)";$', text, re.MULTILINE):
            if (WEB / importer).parent.joinpath(target).resolve() == WEB / module:
                imported |= {name.split(" as ")[0].strip() for name in names.split(",")}
    exported = re.findall(
        r"^export (?:function|const|class|async function) (\w+)", MODULES[module], re.MULTILINE
    )
    assert set(exported) <= imported


@pytest.mark.parametrize("words", ["en", "kitchen", "yours"])
def test_every_word_is_said_somewhere(words: str) -> None:
    keys = re.findall(r"^  (\w+)[:,]", MODULES[f"words/{words}.js"], re.MULTILINE)
    code = "".join(without_comments(module) for module in MODULES if not module.startswith("words/"))
    said = set(re.findall(r"\b(?:words|kitchenWords|said)\.(\w+)", code))
    for names in re.findall(r"const \{ ([^}]*) \} = (?:host\.)?words\b", code):
        said.update(names.split(", "))
    assert len(keys) > 40
    assert [key for key in keys if key not in said] == []


def test_the_lines_are_not_long() -> None:
    # Sentences of the words are left whole.
    lines = [(module, line) for module in MODULES for line in MODULES[module].splitlines()]
    long = [each for each in lines if len(each[1]) > MOST_COLUMNS]
    assert [each for each in long if each[0] not in ("words/en.js", "words/de.js")] == []
