"""What a story can do with a page and see of it, in whichever engine.

`Tab` and `Engine` are all that an adapter gives (chromium.py, firefox.py, webkit.py); `Page` and `Element`,
which the stories use, are written once on top of them. A story never names a CSS class, an id or an engine.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

PATIENCE_S = 120  # how long is waited for what must come; Python's start is by far the longest
LOOK_EVERY_S = 0.05

Handle = Any  # an adapter's own reference to an element
T = TypeVar("T")

# Keys beside those that write a character, by their code in the WebDriver standard.
KEYS = {
    "Backspace": "\ue003",
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Space": " ",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "Delete": "\ue017",
}

# Runs in a new window before any script of the page: keeps what the page announces, for who asks later.
NOTE_ANSWERS = """(window) => {
  window.notedAnswers = [];
  window.addEventListener("tinyserve:answer", ({ detail }) => window.notedAnswers.push(detail), true);
}"""


class Tab(Protocol):
    """What an adapter gives of one tab of a visitor; nobody else calls these."""

    def open(self, url: str) -> None:
        """Goes there and waits until the document is loaded; `NOTE_ANSWERS` runs first."""

    def close(self) -> None:
        """Ends the visit."""

    def enter_frame(self) -> None:
        """From here on the first frame inside the document is meant."""

    def find(self, role: str, name: str | None) -> list[Handle]:
        """The elements with this role and, if given, exactly this name that a person can now meet."""

    def find_path(self, xpath: str) -> list[Handle]:
        """The elements that an XPath leads to."""

    def call(self, function: str, this: Handle | None, text: str) -> str | None:
        """Calls a JavaScript function of one string, on an element or on none; it gives a string or null."""

    def click(self, element: Handle) -> None:
        """Clicks in the middle of an element that is in view."""

    def type(self, keys: Sequence[str]) -> None:
        """Presses and releases one key after the other: characters, or names from `KEYS`."""

    def resize(self, width: int, height: int) -> None:
        """Gives the document this many CSS pixels."""

    def screenshot(self, path: Path) -> None:
        """Writes what is seen as a PNG."""

    def console_errors(self) -> list[str]:
        """Errors on the console and uncaught exceptions so far; an adapter says what its engine hides."""


class Engine(Protocol):
    """A running browser."""

    name: str

    def new_tab(self) -> Tab:
        """A tab of a visitor."""

    def quit(self) -> None:
        """Ends the browser."""


class Element:
    """An element as it was found; a page that replaces it has to be asked for the new one."""

    def __init__(self, tab: Tab, handle: Handle) -> None:
        self._tab = tab
        self._handle = handle

    def run(self, script: str, *arguments: object) -> Any:
        """Runs the body of a JavaScript function in which `this` is the element."""
        return run(self._tab, script, arguments, self._handle)

    def text(self) -> str:
        """Its text as it is seen, with plain spaces."""
        return plain(self.run("return this.innerText ?? this.textContent"))

    def value(self) -> str:
        """What stands in the field."""
        return str(self.run("return this.value"))

    def attribute(self, name: str) -> str | None:
        """An attribute as the document has it; None without it."""
        found: str | None = self.run("return this.getAttribute(arguments[0])", name)
        return found

    def is_enabled(self) -> bool:
        """Whether it can be used, with regard to the fieldsets around it."""
        return not self.run("return this.matches(':disabled')")

    def is_checked(self) -> bool:
        """Whether a radio button or a box is chosen."""
        return bool(self.run("return this.checked"))

    def table(self) -> list[list[str]]:
        """The cells of a table, row by row, read in one go: the page may draw it anew between two reads."""
        rows: list[list[str]] = self.run(
            "return [...this.rows].map((row) => [...row.cells].map((cell) => cell.innerText))"
        )
        return [[plain(cell) for cell in row] for row in rows]

    def click(self) -> None:
        """Clicks it, as with a mouse."""
        self.run("this.scrollIntoView({ block: 'center', behavior: 'instant' })")
        self._tab.click(self._handle)

    def press(self, *keys: str) -> None:
        """Presses keys with the focus on it."""
        self.run("this.focus()")
        self._tab.type(keys)

    def set(self, value: int | str) -> None:
        """Gives a field a value as a person does, so that all events are the browser's own.

        A slider is moved by arrow keys, the one way in which it goes exactly where it shall in every engine.
        In any other field all is marked and written over, and Tab leaves it.
        """
        if self.attribute("type") == "range":
            steps = round((float(value) - float(self.value())) / float(self.attribute("step") or 1))
            self.press(*["ArrowRight" if steps > 0 else "ArrowLeft"] * abs(steps))
        else:
            self.run("this.focus(); this.select()")
            self._tab.type([*str(value), "Tab"] if value != "" else ["Delete", "Tab"])


class Page:
    """A page, met for the first time by each story."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self.expected_errors: list[str] = []

    # ---- Going there ----

    def open(self, url: str) -> None:
        """Goes to an address and waits until the document is loaded."""
        self._tab.open(url)

    def close(self) -> None:
        """Ends the visit."""
        self._tab.close()

    def enter_frame(self) -> None:
        """From here on all that is found, read and run is inside the first frame of the document."""
        self.wait_until(lambda: self.run("return frames.length > 0"), "a frame in the document")
        self._tab.enter_frame()

    def type(self, *keys: str) -> None:
        """Presses keys wherever the focus is."""
        self._tab.type(keys)

    def resize(self, width: int, height: int) -> None:
        """Gives the document this many CSS pixels."""
        self._tab.resize(width, height)

    # ---- Finding and reading ----

    def by_role(self, role: str, name: str | None = None) -> Element:
        """The one element with this role and exactly this name, as the browser tells them to a screen reader.

        A space that does not break (\\u00a0) is written as such. It is waited for; more than one is an error.
        """
        found: list[Element] = self.wait_until(lambda: self.all_by_role(role, name), f"{role} {name!r}")
        if len(found) > 1:
            raise LookupError(f"{len(found)} elements are a {role} named {name!r}: which one is meant?")
        return found[0]

    def all_by_role(self, role: str, name: str | None = None) -> list[Element]:
        """All elements with this role and name at this moment; an empty list if there is none."""
        return [Element(self._tab, handle) for handle in self._tab.find(role, name)]

    def by_text(self, text: str) -> Element:
        """The innermost visible element with exactly this text, for what has no role in every engine."""
        if '"' in text:
            raise ValueError(f"XPath cannot quote {text!r}: find the element by its role")
        same = f'normalize-space(.)="{text}"'

        def visible() -> list[Element]:
            handles = self._tab.find_path(f"//*[{same} and not(.//*[{same}])]")
            found = [Element(self._tab, handle) for handle in handles]
            return [element for element in found if element.run("return this.checkVisibility()")]

        return self.wait_until(visible, f"the text {text!r}")[0]

    def text(self) -> str:
        """All text that is seen, with plain spaces."""
        return plain(self.run("return document.body.innerText"))

    def stage(self) -> str:
        """How far Python has come: idle, download, start, ready, failed."""
        return str(self.run("return document.documentElement.dataset.stage"))

    def answers(self) -> list[dict[str, Any]]:
        """The details {settings, report} of all answers that the page has announced."""
        answers: list[dict[str, Any]] = self.run("return window.notedAnswers")
        return answers

    def screenshot(self, path: Path) -> None:
        """Writes what is seen as a PNG."""
        self._tab.screenshot(path)

    # ---- What a person cannot do ----

    def run(self, script: str, *arguments: object) -> Any:
        """Runs the body of a JavaScript function (`arguments`, `return`); its result goes through JSON."""
        return run(self._tab, script, arguments, None)

    def wait_until(
        self, condition: Callable[[], T], what: str = "it", patience_s: float = PATIENCE_S
    ) -> T:
        """Waits until the condition is true and returns its value; `what` is waited for names the failure."""
        end_s = time.monotonic() + patience_s
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > end_s:
                raise TimeoutError(f"waited {patience_s} s for {what}; the page said: {self.text()[:400]}")
            time.sleep(LOOK_EVERY_S)

    # ---- Errors ----

    def expect_error(self, text: str) -> None:
        """A console error with this text in it is no failure: the story breaks something on purpose."""
        self.expected_errors.append(text)

    def check_errors(self) -> None:
        """Fails on any console error or uncaught exception that the story did not announce."""
        seen = self._tab.console_errors()
        unexpected = [error for error in seen if not any(text in error for text in self.expected_errors)]
        assert unexpected == [], f"the page logged errors: {unexpected}"


def run(tab: Tab, script: str, arguments: Sequence[object], this: Handle | None) -> Any:
    """Runs the body of a function in the tab; arguments and result go as JSON, alike in all engines."""
    function = (
        "function (text) { return JSON.stringify("
        f"(function () {{ {script} }}).apply(this, JSON.parse(text))) ?? null; }}"
    )
    answer = tab.call(function, this, json.dumps(arguments))
    return None if answer is None else json.loads(answer)


def plain(text: str) -> str:
    """Text with every white space a single plain space."""
    return " ".join(text.split())
