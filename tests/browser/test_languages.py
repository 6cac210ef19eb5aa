"""The widget in German is German throughout; numbers are rounded as Python does in any language."""

import json
import random
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import build
from tests.browser.conftest import Visit
from tests.browser.widget import Widget, wait_until

pytestmark = pytest.mark.browser

DRAWN = 4000

# All that a person reads or hears: texts, names and values.
ALL_WORDS = """() => {
  document.querySelectorAll("details").forEach((node) => (node.open = true));
  const words = [document.title];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    words.push(walker.currentNode.textContent);
  }
  for (const node of document.querySelectorAll("[aria-label], [aria-valuetext]")) {
    words.push(node.getAttribute("aria-label") ?? "", node.getAttribute("aria-valuetext") ?? "");
  }
  return words.map((text) => text.trim()).filter((text) => /[A-Za-z]{2}/.test(text));
}"""
# Alike in both languages: the field's own names and units.
ALIKE = {"p50", "p99", "TTFT", "TBT", "TPOT", "ms", "100 ms", "Batch", "Chats"}


def words(page: Page, url: str) -> set[str]:
    """Everything that the widget says at its start."""
    page.goto(url)
    wait_until(page, "() => performance.getEntriesByName('tinyserve:answer').length > 0")
    page.get_by_text("p50").wait_for()
    found: list[str] = page.evaluate(ALL_WORDS)
    return set(found)


def test_nothing_english_is_left_in_german(page: Page, address: str) -> None:
    english = words(page, f"{address}/widget.html")
    german = words(page, f"{address}/widget.html?lang=de-AT")
    assert len(german) > 40
    assert (english & german) - ALIKE == set()
    assert page.locator("html").get_attribute("lang") == "de"
    assert "3,492" in page.get_by_role("table").last.inner_text()


def test_an_unknown_language_gives_english(page: Page, address: str) -> None:
    page.goto(f"{address}/widget.html?lang=xx")
    assert page.locator("html").get_attribute("lang") == "en"
    assert Widget(page).sentence().startswith("The cache is the wall.")


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_german_fits(visit: Visit, address: str, width: int) -> None:
    page = visit(viewport={"width": width, "height": 844})
    page.goto(f"{address}/widget.html?lang=de")
    wait_until(page, "() => performance.getEntriesByName('tinyserve:answer').length > 0")
    page.evaluate("() => document.querySelectorAll('details').forEach((node) => (node.open = true))")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for table in page.get_by_role("table").all():
        inner, outer = table.evaluate("(node) => [node.scrollWidth, node.parentElement.clientWidth]")
        assert inner <= outer


# ---- Numbers -----------------------------------------------------------------------------------------------

FORMAT_ALL = """
import { numbersOf } from %r;
import { readFileSync } from "node:fs";
const { fixed, grouped } = numbersOf("en");
const cases = JSON.parse(readFileSync(0, "utf-8"));
const texts = cases.map(({ value, decimals }) => decimals === null ? grouped(value) : fixed(value, decimals));
console.log(JSON.stringify(texts));
"""


def formatted(cases: list[dict[str, Any]]) -> list[str]:
    """The numbers as web/format.js writes them in English, under Node.js."""
    module = Path(build.ROOT, "web", "format.js").as_uri()
    command = ["node", "--input-type=module", "--eval", FORMAT_ALL % module]
    done = subprocess.run(command, input=json.dumps(cases), capture_output=True, text=True, check=True)
    texts: list[str] = json.loads(done.stdout)
    return texts


def as_python(value: float, decimals: int | None) -> str:
    """What Python prints; a whole number has its thousands set apart."""
    if decimals is None:
        return f"{value:,}"
    return f"{value:,.0f}" if decimals == 0 else f"{value:.{decimals}f}"


def test_english_numbers_are_those_of_python_to_the_last_digit_ties_too() -> None:
    seed = random.SystemRandom().randrange(2**32)
    draw = random.Random(seed)
    cases: list[dict[str, Any]] = []
    for _ in range(DRAWN):
        decimals = draw.randrange(4)
        tie = (draw.randrange(20_000) + 0.5) / 10**decimals  # exact only where a double can hold it
        binary_tie = draw.randrange(1, 2**20, 2) / 2 ** draw.randrange(1, 6)
        near = struct.unpack("d", struct.pack("q", struct.unpack("q", struct.pack("d", tie))[0] + 1))[0]
        plain = draw.choice([draw.random(), draw.uniform(0, 100), draw.uniform(0, 1e6)])
        cases.extend({"value": value, "decimals": decimals} for value in (tie, binary_tie, near, plain))
        cases.append({"value": draw.randrange(10**9), "decimals": None})
    expected = [as_python(**case) for case in cases]
    assert formatted(cases) == expected, f"drawn with seed {seed}"
