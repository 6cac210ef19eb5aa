"""The promises about the code itself: how long it is, how it reads, and which way the imports go."""

import ast
import doctest
import importlib
import io
import os
import re
import subprocess
import sys
import tokenize
from importlib.resources import files
from itertools import groupby
from pathlib import Path

import pytest

import tinyserve

MOST_LINES = 150
MOST_COLUMNS = 110
PACKAGE = Path(str(files("tinyserve")))
SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.glob("*.py"))}
# A module may import only from modules of a lower rank; `from tinyserve import ...` imports __init__.
RANK = {
    "lesson": 0,
    "step_time": 0,
    "workload": 0,
    "tiny_server": 1,
    "__init__": 2,
    "drawable": 2,
    "print_trace": 3,
    "view": 3,
    "figures": 4,
    "edited": 4,
    "__main__": 5,
}
PARTS = ["1 QUEUE", "2 ADMIT", "3 STEP", "4 CACHE", "5 METRICS", "6 LOAD"]
every_module = pytest.mark.parametrize("module", SOURCES)


def imports_of(module: str) -> list[tuple[str, str]]:
    """All imports of a module of the package, as (where from, what); what is "" for `import x`."""
    found = []
    for node in ast.walk(ast.parse(SOURCES[module])):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import"
            assert node.module is not None
            found += [(node.module, alias.name) for alias in node.names]
    return found


def imported_modules(module: str) -> set[str]:
    """The modules of the package that a module imports."""
    found = set()
    for where, what in imports_of(module):
        if where == "tinyserve":
            found.add(what if what in SOURCES else "__init__")
        elif where.startswith("tinyserve."):
            found.add(where.removeprefix("tinyserve."))
    return found


# The program to read


def test_the_program_to_read_is_short() -> None:
    assert len(SOURCES["tiny_server"].splitlines()) <= MOST_LINES


def test_the_six_parts_of_the_lesson_are_marked_in_it_in_order() -> None:
    marks = re.findall(r"\b([1-9] [A-Z]{4,})\b", SOURCES["tiny_server"])
    assert [mark for mark, _ in groupby(marks)] == PARTS


def test_it_takes_from_the_package_only_sending_times_percentile_and_step_seconds() -> None:
    taken = {what for where, what in imports_of("tiny_server") if where.startswith("tinyserve")}
    assert taken == {"sending_times", "percentile", "step_seconds"}


# All modules


@every_module
def test_no_line_is_long(module: str) -> None:
    for line in SOURCES[module].splitlines():
        assert len(line) <= MOST_COLUMNS, line


@every_module
def test_a_line_holds_one_statement(module: str) -> None:
    lines = SOURCES[module].splitlines()
    for node in ast.walk(ast.parse(SOURCES[module])):
        if isinstance(node, ast.stmt):
            before = lines[node.lineno - 1].encode()[: node.col_offset]
            assert before.strip() == b"", f"line {node.lineno}"
    for token in tokenize.generate_tokens(io.StringIO(SOURCES[module]).readline):
        assert token.string != ";" or token.type != tokenize.OP, f"line {token.start[0]}"


@every_module
def test_imports_go_one_way(module: str) -> None:
    for other in imported_modules(module):
        assert RANK[other] < RANK[module], f"{module} imports {other}"


@every_module
def test_imports_stand_at_the_top_and_not_inside_functions(module: str) -> None:
    tree = ast.parse(SOURCES[module])
    everywhere = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)] == everywhere


@every_module
def test_only_the_standard_library_is_imported(module: str) -> None:
    roots = {where.partition(".")[0] for where, _ in imports_of(module)}
    assert roots - {"tinyserve"} <= sys.stdlib_module_names


@every_module
def test_every_module_class_and_function_says_what_it_means(module: str) -> None:
    tree = ast.parse(SOURCES[module])
    assert ast.get_docstring(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("__"):
            assert ast.get_docstring(node), node.name


def module_name(stem: str) -> str:
    """The name under which a file of the package is imported."""
    return "tinyserve" if stem == "__init__" else f"tinyserve.{stem}"


def test_the_examples_in_the_docstrings_are_true() -> None:
    examples = 0
    for stem in SOURCES:
        result = doctest.testmod(importlib.import_module(module_name(stem)))
        assert result.failed == 0, stem
        examples += result.attempted
    assert examples > 0


def test_the_program_runs_without_a_warning(tmp_path: Path) -> None:
    """Compiled anew, since a warning of the compiler is given once and not from a cached file."""
    script = "\n".join([f"import {module_name(stem)}" for stem in SOURCES])
    script += "\ntinyserve.load_test(tinyserve.chats(), 40, 240, 16)"
    command = [sys.executable, "-W", "error", "-X", f"pycache_prefix={tmp_path}", "-c", script]
    path = os.pathsep.join([str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# The public names


def test_all_public_names_can_be_imported_from_the_package() -> None:
    promised = {"serve", "report", "bottleneck", "load_test", "chats", "Workload", "Run"}
    assert promised <= set(tinyserve.__all__)
    for name in tinyserve.__all__:
        assert getattr(tinyserve, name).__doc__


# The tests


def test_all_that_is_in_the_folders_of_browser_tests_is_left_out_without_a_browser() -> None:
    tests = Path(__file__).parents[1]
    found = [path for folder in ("browser", "stories") for path in sorted((tests / folder).glob("test_*.py"))]
    assert found != []
    for path in found:
        assert "\npytestmark = pytest.mark.browser\n" in path.read_text(encoding="utf-8"), path.name
