"""A reader's own program in the page's Python: limits of time, memory and reach, and what lives on."""

import json
import re
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import build
from tests.browser.conftest import Errors
from tests.conftest import serving

pytestmark = pytest.mark.browser

ENTRY = Path(__file__).with_name("edited_page.js")
PAGE = "edited.html"
SETTINGS = {"rate": 40, "pages": 240, "limit": 16, "shuffle": 0}
LESSON = (files("tinyserve") / "tiny_server.py").read_text("utf-8")
LOOP_LINE = "    while arrived < len(sent_s) or queue or running:\n"
SLACK_S = 1.5  # for a busy machine; the second stage comes later than this
SECOND_STAGE_S = 3  # after the first


@pytest.fixture(scope="module")
def engine_address(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page of the site that has nothing but the two Pythons, under the widget's policy."""
    folder = tmp_path_factory.mktemp("engine")
    site = shutil.copytree(dist, folder / "dist")
    defines = {"TINYSERVE_VERSION": build.package_version(), "TINYSERVE_PARTS": build.parts_of(site)}
    build.bundle_script(ENTRY, site / "edited.js", folder / "meta.json", defines)
    widget = (site / "widget.html").read_text("utf-8")
    policy = re.search(r"<meta[^>]*Content-Security-Policy[^>]*>", widget)
    assert policy is not None
    (icon,) = site.glob("icon-*.svg")
    links = f'<link rel="icon" href="{icon.name}"><script type="module" src="edited.js"></script>'
    html = (
        f'<!doctype html><html lang="en"><head>{policy[0]}<title>Python, twice</title>{links}</head></html>'
    )
    (site / PAGE).write_text(html, "utf-8")
    with serving(site) as url:
        yield f"{url}/{PAGE}"


class Engine:
    """The page's two Pythons, "lesson" and "yours"."""

    def __init__(self, page: Page, address: str) -> None:
        page.goto(address)
        page.wait_for_function("() => globalThis.engine !== undefined")
        self._page = page
        self.limits: dict[str, int] = page.evaluate("() => engine.READER_LIMITS")

    @property
    def limit_s(self) -> float:
        """Seconds that a reader's program may run."""
        return self.limits["run_ms"] / 1000

    def ask(self, whose: str, **task: Any) -> dict[str, Any]:
        """What came of a task, or how it failed, and after how long."""
        question = [whose, {"settings": SETTINGS, **task}]
        fared: dict[str, Any] = json.loads(
            self._page.evaluate("([whose, task]) => engine.ask(whose, task)", question)
        )
        return fared

    def stop(self, whose: str) -> None:
        """Ends one of the two; it starts anew when it is asked."""
        self._page.evaluate("(whose) => engine.stop(whose)", whose)


@pytest.fixture(scope="module")
def engine(chromium: Browser, engine_address: str) -> Iterator[Engine]:
    """One page for all tests after which its Python, or a new one, answers on."""
    errors = Errors()
    context = chromium.new_context()
    errors.watch(context)
    yield Engine(context.new_page(), engine_address)
    context.close()
    errors.check()


def edited(engine: Engine, source: str) -> dict[str, Any]:
    """How a reader's program fared."""
    fared = engine.ask("yours", kind="edited", source=source)
    assert "result" in fared, fared
    result: dict[str, Any] = fared["result"]
    return result


def trouble_of(engine: Engine, source: str) -> dict[str, Any]:
    """What went wrong in it."""
    trouble: dict[str, Any] = edited(engine, source)["trouble"]
    assert trouble is not None
    return trouble


def assert_answers_as_the_lesson(engine: Engine) -> None:
    """The unchanged program gives the lesson's answer, to the last bit."""
    yours = edited(engine, LESSON)
    lesson = engine.ask("lesson", kind="answer")["result"]
    assert yours["trouble"] is None
    assert json.dumps(yours["run"]["report"]) == json.dumps(lesson["report"])
    assert yours["run"]["columns"] == lesson["columns"]
    assert yours["run"]["intervals"] == engine.ask("lesson", kind="intervals")["result"]


def line_of(source: str, line: str) -> int:
    """The number of the one line that is so."""
    (found,) = (at for at, text in enumerate(source.splitlines(), 1) if text == line)
    return found


def test_the_unchanged_program_gives_the_lessons_answer_to_the_last_bit(engine: Engine) -> None:
    assert_answers_as_the_lesson(engine)


def test_an_endless_loop_is_stopped_after_the_stated_time_in_its_line_and_python_answers_on(
    engine: Engine,
) -> None:
    source = LESSON.replace(LOOP_LINE, LOOP_LINE + "        while True:\n            arrived += 0\n")
    fared = engine.ask("yours", kind="edited", source=source)
    assert engine.limit_s <= fared["took_s"] <= engine.limit_s + SLACK_S
    trouble = fared["result"]["trouble"]
    assert trouble["kind"] == "endless"
    first = line_of(source, "        while True:")
    assert trouble["line"] in (first, first + 1)
    assert f"{engine.limit_s:g} s" in trouble["message"]
    assert_answers_as_the_lesson(engine)


def test_an_endless_loop_that_swallows_the_interrupt_is_ended_and_a_new_worker_answers(
    engine: Engine,
) -> None:
    source = "while True:\n    try:\n        while True: pass\n    except: pass\n"
    fared = engine.ask("yours", kind="edited", source=source)
    assert fared["failure"]["kind"] == "silent"
    assert (
        engine.limit_s < fared["took_s"] < 2 * engine.limit_s + SECOND_STAGE_S
    )  # it is not tried a second time
    assert_answers_as_the_lesson(engine)


@pytest.mark.parametrize(
    "source",
    [
        "hog = []\nwhile True:\n    hog.append('x' * 1_000_000)",
        "hog = [0]\nwhile True:\n    hog += hog",
        "[0] * 10**9",
        "bytearray(270 * 2**20)",  # and not only beyond what WebAssembly can hold
    ],
)
def test_too_much_memory_ends_in_a_clear_message_and_python_lives(engine: Engine, source: str) -> None:
    trouble = trouble_of(engine, source)
    assert trouble["kind"] == "memory", trouble
    assert trouble["line"] == len(source.splitlines())
    assert f"{engine.limits['heap_bytes'] // 2**20} MiB" in trouble["message"]
    assert_answers_as_the_lesson(engine)


@pytest.mark.parametrize(
    "source",
    [
        "def f(n): return f(n + 1)\nf(0)",
        "class A:\n    def __getattr__(self, name): return getattr(self, name + 'x')\nA().x",
        "def f(x): return sorted([1, 2], key=f)\nf(1)",
        "class A:\n    def __eq__(self, other): return [self] == [other]\nA() == A()",
    ],
)
def test_a_recursion_without_end_is_told_and_python_lives(engine: Engine, source: str) -> None:
    trouble = trouble_of(engine, source)
    assert trouble["kind"] == "exception"
    assert trouble["message"].startswith("RecursionError: ")
    assert_answers_as_the_lesson(engine)


def test_data_nested_deeper_than_the_stack_kills_python_which_is_said_and_another_starts(
    page: Page, errors: Errors, engine_address: str
) -> None:
    errors.announce("Maximum call stack size exceeded")
    errors.allow()  # Pyodide logs all that it knows
    engine = Engine(page, engine_address)
    fared = engine.ask("yours", kind="edited", source="x = []\nfor _ in range(100_000): x = [x]\nrepr(x)")
    assert fared["failure"]["kind"] == "crashed"
    assert "nested deeper than this browser's stack" in fared["failure"]["detail"]
    assert_answers_as_the_lesson(engine)


def test_a_traceback_has_the_readers_frames_alone(engine: Engine) -> None:
    source = LESSON.replace("    run = Run()\n", "    run = Rum()\n")
    trouble = trouble_of(engine, source)
    assert trouble["line"] == line_of(source, "    run = Rum()")
    assert trouble["message"] == "NameError: name 'Rum' is not defined. Did you mean: 'Run'?"
    assert re.findall(r'File "([^"]*)"', trouble["traceback"]) == ["tiny_server.py"]
    assert "    run = Rum()\n          ^^^\n" in trouble["traceback"]


def test_all_modules_that_are_promised_are_there_and_another_is_named(engine: Engine) -> None:
    message = trouble_of(engine, LESSON + "\nimport numpy\n")["message"]
    assert message.startswith("ModuleNotFoundError: there is no module numpy here; there are bisect, ")
    promised = message.partition("there are ")[2]
    run = edited(engine, LESSON + f"\nimport {promised}\nprint(statistics.mean([1, 2]))\n")
    assert run["trouble"] is None
    assert run["printed"] == "1.5\n"


def test_input_is_not_waited_for(engine: Engine) -> None:
    trouble = trouble_of(engine, "input()")
    assert (trouble["kind"], trouble["line"]) == ("exception", 1)
    assert trouble["message"].startswith("EOFError: ")


@pytest.mark.parametrize(
    "damage",
    [
        "import math\nmath.exp = lambda x: 1.0\n",
        "import math\nmath.log = None\n",
        "import random\nrandom.Random.random = lambda self: 0.5\n",
        "import tinyserve.step_time\ntinyserve.step_time.step_seconds = None\n",
        "import tinyserve.tiny_server\ntinyserve.tiny_server.serve = None\n",
        "import builtins\nbuiltins.len = lambda x: 1\n",
    ],
)
def test_what_a_reader_breaks_in_python_leaves_the_lessons_answers_as_they_are(
    engine: Engine, damage: str
) -> None:
    before = engine.ask("lesson", kind="answer")["result"]
    engine.ask("yours", kind="edited", source=LESSON + damage)
    sorting = "    object.__setattr__(workload, 'prompts', sorted(prompts))\n    run = Run()\n"
    engine.ask("yours", kind="edited", source=LESSON.replace("    run = Run()\n", sorting))
    engine.stop("yours")  # as the page does for another program
    assert engine.ask("lesson", kind="answer")["result"] == before


@pytest.mark.parametrize(
    "source",
    [
        "import js",
        "from js import fetch",
        "import pyodide_js",
        "from pyodide.code import run_js",
        "import _pyodide_core",
    ],
)
def test_the_browser_is_not_there_for_a_readers_program(engine: Engine, source: str) -> None:
    trouble = trouble_of(engine, source)
    assert trouble["message"].startswith("ModuleNotFoundError: there is no module "), trouble
    assert trouble["line"] == 1


def test_no_import_hook_leads_to_it_either(engine: Engine) -> None:
    hooks = "\nimport sys\nprint([hook for hook in sys.meta_path if getattr(hook, 'jsproxies', None)])\n"
    assert edited(engine, LESSON + hooks)["printed"] == "[]\n"
