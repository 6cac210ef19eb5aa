"""What the tests of the lesson share: HTML taken apart, its placeholders, figures of a changed program."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import build

TEMPLATE = build.ROOT / "web" / "index.html"
TOOLS = build.ROOT / "web" / "tools"
PLACEHOLDER = re.compile(r"\{\{([^{}]+)\}\}")
VOID = {"br", "col", "hr", "img", "input", "link", "meta"}


class Element:
    """An element of HTML: its children are elements and text."""

    def __init__(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.tag = tag
        self.attributes = dict(attributes)
        self.children: list[Element | str] = []

    def all(self) -> Iterator["Element"]:
        """The element and all below it, in the order of the document."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.all()

    def find(self, tag: str = "", **attributes: str) -> list["Element"]:
        """Those of a tag (any if "") that have these attributes; `_` stands for `-`, `class_` for `class`."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            element
            for element in self.all()
            if tag in ("", element.tag) and wanted.items() <= element.attributes.items()
        ]

    def only(self, tag: str = "", **attributes: str) -> "Element":
        """The one element of this kind."""
        (element,) = self.find(tag, **attributes)
        return element

    def text(self) -> str:
        """All text in it."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


class TreeParser(HTMLParser):
    """Builds the tree."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop().tag == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(html: str) -> Element:
    """The tree of a page."""
    parser = TreeParser()
    parser.feed(html)
    parser.close()
    assert parser.open == [parser.root], f"<{parser.open[-1].tag}> is never closed"
    return parser.root


PLAIN = {"title", "pre", "option", "script", "style"}  # a figure in them is plain text


def placeholders_in_text(root: Element) -> Iterator[str]:
    """What stands in the placeholders that become elements, in the order of the document."""
    for child in root.children:
        if isinstance(child, Element):
            yield from placeholders_in_text(child)
        elif root.tag not in PLAIN:
            yield from PLACEHOLDER.findall(child)


def lesson_figures() -> ModuleType:
    """The build's script, as a module."""
    spec = importlib.util.spec_from_file_location("lesson_figures", TOOLS / "lesson_figures.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compute_figures(package_root: Path, groups: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What lesson_figures.py writes for a copy of py/; raises ValueError if it ends in an error."""
    out_file = package_root / "figures.json"
    done = subprocess.run(
        [sys.executable, TOOLS / "lesson_figures.py", out_file, *groups],
        env={**os.environ, "PYTHONPATH": str(package_root), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ValueError(done.stderr)
    figures: dict[str, dict[str, Any]] = json.loads(out_file.read_text("utf-8"))
    return figures


def copy_package(target: Path, module: str = "", old: str = "", new: str = "") -> Path:
    """A copy of py/ in which one text of a module is replaced, which must be there once."""
    shutil.copytree(build.ROOT / "py", target, ignore=shutil.ignore_patterns("__pycache__"))
    if module:
        file = target / "tinyserve" / f"{module}.py"
        source = file.read_text("utf-8")
        assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in {module}.py"
        file.write_text(source.replace(old, new), "utf-8")
    return target


class Prerender:
    """The build's own web/prerender.js, bundled once."""

    def __init__(self, dist: Path, folder: Path) -> None:
        self.computed = build.WORK / build.COMPUTED
        (style,) = dist.glob("style-*.css")
        modules = build.module_options(build.ROOT, self.computed, style)
        self.bundle = build.bundle_prerender(build.ROOT / "web", folder, modules)

    def figures(self) -> dict[str, dict[str, Any]]:
        """All figures, as the build computed them."""
        figures: dict[str, dict[str, Any]] = json.loads((self.computed / build.FIGURES).read_text("utf-8"))
        return figures

    def render(
        self, template: str, folder: Path, figures: Mapping[str, Any] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Makes folder/index.html from a template, and folder/figs/."""
        folder.mkdir(parents=True, exist_ok=True)
        sources = folder / "template"
        sources.mkdir(exist_ok=True)
        (sources / "index.html").write_text(template, "utf-8")
        (sources / "figures.json").write_text(
            json.dumps(self.figures() if figures is None else figures), "utf-8"
        )
        named = re.findall(r'(?:src|href)="([^"#:]+)"', template)
        names = json.dumps({name: name for name in named})
        script = TOOLS / "prerender.mjs"
        command = ["node", script, self.bundle, sources / "figures.json", names, folder]
        return subprocess.run(
            [*command, sources / "index.html"], capture_output=True, text=True, check=False
        )
