"""The widget as a person meets it: found by role and label, read as text."""

import json
import re
import time
from typing import Any

from playwright.sync_api import Locator, Page

NAMES = {
    "rate": "Chats a second",
    "pages": "Cache pages",
    "limit": "Chats per step",
    "shuffle": "Shuffle the chats",
}
START = {"rate": 40, "pages": 240, "limit": 16, "shuffle": 0}

Settings = dict[str, int]

# Sets all sliders at once as a hand would, and gives the answer that the page announces for these settings.
ANSWER_TO = """(settings) => new Promise((resolve, reject) => {
  const timer = setTimeout(() => reject(new Error("no answer to " + JSON.stringify(settings))), 20000);
  const isSame = (other) => Object.keys(settings).every((key) => settings[key] === other[key]);
  document.addEventListener("tinyserve:answer", function listen({ detail }) {
    if (isSame(detail.settings)) {
      document.removeEventListener("tinyserve:answer", listen);
      clearTimeout(timer);
      resolve(JSON.stringify(detail));
    }
  });
  for (const [key, value] of Object.entries(settings)) {
    const slider = document.querySelector(`input[type=range][name=${key}]`);
    if (slider.valueAsNumber !== value) {
      slider.value = value;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  document.querySelector("input[type=range]").dispatchEvent(new Event("change", { bubbles: true }));
})"""


def wait_until(page: Page, condition: str, argument: object = None, timeout_s: float = 90) -> None:
    """Waits for a condition in the page. Playwright's own wait evaluates text there: the policy refuses."""
    end_s = time.monotonic() + timeout_s
    while not page.evaluate(condition, argument):
        if time.monotonic() > end_s:
            raise TimeoutError(f"not within {timeout_s} s: {condition}")
        page.wait_for_timeout(50)


class Widget:
    """What a person can do with the widget, and see of it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def slider(self, key: str) -> Locator:
        """The slider of a setting."""
        return self.page.get_by_role("slider", name=NAMES[key], exact=True)

    def box(self, key: str) -> Locator:
        """The number box beside it."""
        return self.page.get_by_role("spinbutton", name=NAMES[key], exact=True)

    def put_back(self) -> None:
        """Goes back to the starting settings, the folded details and the first seconds."""
        self.show(START)
        fold = "() => document.querySelectorAll('details').forEach((node) => (node.open = false))"
        self.page.evaluate(fold)
        self.page.get_by_role("radio", name="first 3 seconds").check()

    def open_more_settings(self) -> None:
        """Unfolds what is folded at first."""
        self.page.get_by_text("More settings").click()

    def settings(self) -> Settings:
        """What the sliders show."""
        return {key: int(self.page.locator(f"input[type=range][name={key}]").input_value()) for key in NAMES}

    def answer_to(self, settings: Settings) -> dict[str, Any]:
        """Moves the sliders and gives the detail of the event for these settings, which must differ."""
        before = self.settings()
        assert before != settings, f"the sliders stand at {settings} already, so no answer would come"
        detail: dict[str, Any] = json.loads(self.page.evaluate(ANSWER_TO, settings))
        return detail

    def show(self, settings: Settings) -> None:
        """Moves the sliders to these settings, if they do not stand there, and waits for the answer."""
        if self.settings() != settings:
            self.answer_to(settings)

    def room_of(self, chart: str) -> int:
        """Pixels that a chart may fill."""
        heading = self.page.get_by_role("heading", name=chart)
        return int(self.page.get_by_role("figure").filter(has=heading).evaluate("(node) => node.clientWidth"))

    def wait_for_answer(self, settings: Settings) -> None:
        """Waits until the answer to these settings has been announced, whoever asked for it."""
        wait_until(
            self.page, "(wanted) => JSON.stringify(window.lastSettings) === JSON.stringify(wanted)", settings
        )

    def note_answers(self) -> None:
        """From here on the page remembers the settings of the last announced answer."""
        self.page.evaluate(
            """() => document.addEventListener("tinyserve:answer", ({ detail }) => {
              window.lastSettings = detail.settings;
            })"""
        )

    def note(self) -> Locator:
        """What is said of the reader's last number."""
        return self.page.locator("#note")

    def sentence(self) -> str:
        """The sentence on top, with plain spaces."""
        return plain(self.page.locator("#sentence").inner_text())

    def clipboard(self) -> dict[str, list[str]]:
        """The table: what was measured -> its figures."""
        rows = self.page.locator("#clipboard").get_by_role("row").all()
        table = {}
        for row in rows:
            name = plain(row.get_by_role("rowheader").inner_text())
            cells = [plain(cell) for cell in row.get_by_role("cell").all_inner_texts()]
            table[name] = cells[:-1]  # the last one is the unit
        return table

    def chart(self, name: str) -> Locator:
        """The drawing under a heading: "How the cache fills" or "The two waits"."""
        heading = self.page.get_by_role("heading", name=name)
        return self.page.get_by_role("figure").filter(has=heading).locator("svg")

    def path(self, css: str) -> list[tuple[float, float]]:
        """The vertices of a path in the chart of the cache."""
        d = self.chart("How the cache fills").locator(css).get_attribute("d") or ""
        return [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+),(-?[\d.]+)", d)]

    def bar(self, panel: str, load: str) -> float:
        """Pixels of a bar: panel "first-word" or "gap", load "light" or "chosen"."""
        return float(self.bar_part(panel, load, ".length").get_attribute("width") or "nan")

    def bar_part(self, panel: str, load: str, part: str) -> Locator:
        """A piece of a bar."""
        return self.chart("The two waits").locator(f".panel.{panel} .bar.{load} {part}")

    def axis_end(self, panel: str) -> str:
        """The last word on an axis of the waits."""
        return self.chart("The two waits").locator(f".panel.{panel} .tick text").last.text_content() or ""


def plain(text: str) -> str:
    """Text with every white space a single plain space."""
    return " ".join(text.split())
