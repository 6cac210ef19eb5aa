"""Chromium, driven by Playwright.

Roles and names are those that Playwright works out from the document by the standard.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, cast

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, ElementHandle, Frame

from tests.stories.driver import NOTE_ANSWERS, Tab


class ChromiumTab(Tab):
    """A tab in a context of its own, so that no visitor has a past."""

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._errors: list[str] = []
        context.on("console", self._note)
        context.on("weberror", lambda web_error: self._errors.append(str(web_error.error)))
        context.add_init_script(f"({NOTE_ANSWERS})(window)")
        self._page = context.new_page()
        self._frame: Frame = self._page.main_frame

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._errors.append(message.text)

    def open(self, url: str) -> None:
        self._frame = self._page.main_frame
        self._page.goto(url)

    def close(self) -> None:
        self._context.close()

    def enter_frame(self) -> None:
        self._frame = self._frame.child_frames[0]

    def find(self, role: str, name: str | None) -> list[ElementHandle]:
        # The role is checked by Playwright itself, which raises on one that does not exist.
        wanted = cast(Literal["button"], role)
        return self._frame.get_by_role(wanted, name=name, exact=True).element_handles()

    def find_path(self, xpath: str) -> list[ElementHandle]:
        return self._frame.query_selector_all(f"xpath={xpath}")

    def call(self, function: str, this: ElementHandle | None, text: str) -> str | None:
        script = f"(element, text) => ({function}).call(element, text)"
        answer: Any
        if this is None:
            answer = self._frame.evaluate(f"(text) => ({script})(undefined, text)", text)
        else:
            answer = this.evaluate(script, text)
        return cast("str | None", answer)

    def click(self, element: ElementHandle) -> None:
        element.click()

    def type(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._page.keyboard.press(key)

    def resize(self, width: int, height: int) -> None:
        self._page.set_viewport_size({"width": width, "height": height})

    def screenshot(self, path: Path) -> None:
        self._page.screenshot(path=path)

    def console_errors(self) -> list[str]:
        # Playwright hands over what has happened when it is called next.
        self._page.evaluate("0")
        return self._errors


class Chromium:
    """The Chromium that all tests share."""

    name = "chromium"

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def new_tab(self) -> ChromiumTab:
        return ChromiumTab(self._browser.new_context())

    def quit(self) -> None:
        """Nothing: it belongs to all tests."""
