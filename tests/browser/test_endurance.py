"""Two thousand changes of the sliders: the last answer is always right, and nothing is kept that grows."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page

from tests.browser.test_answers import RANGES, expected, expected_clipboard, same_bits
from tests.browser.widget import START, Settings, Widget

pytestmark = pytest.mark.browser

CHANGES = 2000
CHANGES_A_ROUND = 25
PACES = ("all at once", "task by task", "frame by frame")
MOST_GROWTH_BYTES = 20_000_000

# The run with the most steps, which takes the most memory, and a common one.
MOST_STEPS = {"rate": 1, "pages": 960, "limit": 1, "shuffle": 0}

NOTE_THE_LAST_ANSWER = """() => document.addEventListener("tinyserve:answer", ({ detail }) => {
  window.lastAnswer = detail;
})"""

WASM_PAGE_BYTES = 65_536
# Pyodide asks for more memory with WebAssembly.Memory.grow, whose calls are counted from the first time on.
GROWN_PAGES = """(() => {
  if (self.grownPages === undefined) {
    const { grow } = WebAssembly.Memory.prototype;
    self.grownPages = 0;
    WebAssembly.Memory.prototype.grow = function countAndGrow(pages) {
      self.grownPages += pages;
      return grow.call(this, pages);
    };
  }
  return self.grownPages;
})()"""

# Moves one slider after the other at some pace, and gives the answer that the page comes to rest with.
MOVE = """async ({ moves, pace, last }) => {
  const wait = {
    "all at once": () => null,
    "task by task": () => new Promise((resolve) => setTimeout(resolve)),
    "frame by frame": () => new Promise((resolve) => requestAnimationFrame(resolve)),
  }[pace];
  for (const [key, value] of moves) {
    const slider = document.querySelector(`input[type=range][name=${key}]`);
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await wait();
  }
  document.querySelector("input[type=range]").dispatchEvent(new Event("change", { bubbles: true }));
  const isLast = () => Object.keys(last).every((key) => window.lastAnswer?.settings[key] === last[key]);
  for (const start_ms = performance.now(); !isLast(); ) {
    if (performance.now() - start_ms > 20_000) {
      throw new Error(`no answer to ${JSON.stringify(last)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return JSON.stringify(window.lastAnswer);
}"""


class Memory:
    """What page and worker keep, read over Chromium's debugging protocol after a collection of garbage."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.replies: dict[int, dict[str, Any]] = {}
        self.newest_id = 0
        self.worker = ""
        self.session.on("Target.attachedToTarget", self.attach)
        self.session.on("Target.receivedMessageFromTarget", self.receive)
        # Not "flatten": messages to the worker are wrapped, since Playwright has no session for one.
        watch = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": False}
        self.session.send("Target.setAutoAttach", watch)
        assert self.worker, "the debugger does not see the page's worker"

    def attach(self, event: dict[str, Any]) -> None:
        """Notes the worker."""
        if event["targetInfo"]["type"] == "worker":
            self.worker = event["sessionId"]

    def receive(self, event: dict[str, Any]) -> None:
        """Keeps a reply of the worker."""
        reply = json.loads(event["message"])
        if "id" in reply:
            self.replies[reply["id"]] = reply

    def ask_worker(self, method: str, **params: Any) -> dict[str, Any]:
        """Sends the worker one message of the protocol and waits for the result."""
        self.newest_id += 1
        message = json.dumps({"id": self.newest_id, "method": method, "params": params})
        self.session.send("Target.sendMessageToTarget", {"sessionId": self.worker, "message": message})
        for _ in range(1000):
            if self.newest_id in self.replies:
                break
            self.page.wait_for_timeout(10)
        reply = self.replies.pop(self.newest_id)
        assert "error" not in reply, f"{method}: {reply['error']}"
        result: dict[str, Any] = reply["result"]
        return result

    def page_bytes(self) -> int:
        """Objects and arrays of the page."""
        self.session.send("HeapProfiler.collectGarbage")
        return heap_bytes(self.session.send("Runtime.getHeapUsage"))

    def worker_bytes(self) -> int:
        """Objects of the worker and its arrays, but for the memory that Python lives in."""
        self.ask_worker("HeapProfiler.collectGarbage")
        return heap_bytes(self.ask_worker("Runtime.getHeapUsage"))

    def python_grown_bytes(self) -> int:
        """Growth of the memory that Python lives in, since this was first asked; it never shrinks."""
        done = self.ask_worker("Runtime.evaluate", expression=GROWN_PAGES)
        return int(done["result"]["value"]) * WASM_PAGE_BYTES

    def all_bytes(self) -> dict[str, int]:
        """Everything that can be read."""
        return {
            "page": self.page_bytes(),
            "worker": self.worker_bytes(),
            "Python": self.python_grown_bytes(),
        }


def heap_bytes(usage: dict[str, Any]) -> int:
    """What is used of a heap, with the arrays that lie beside it."""
    return int(usage["usedSize"] + usage["backingStorageSize"])


def rounds(draw: random.Random) -> Iterator[tuple[list[tuple[str, int]], Settings]]:
    """Moves of single sliders, and where the sliders stand after some of them: elsewhere than before."""
    settings = dict(START)
    for _ in range(CHANGES // CHANGES_A_ROUND):
        before = dict(settings)
        moves: list[tuple[str, int]] = []
        while len(moves) < CHANGES_A_ROUND or settings == before:
            key = draw.choice(list(RANGES))
            value = draw.choice([other for other in RANGES[key] if other != settings[key]])
            settings[key] = value
            moves.append((key, value))
        yield moves, dict(settings)


def test_after_any_number_of_changes_the_answer_is_right_and_no_memory_has_grown(
    new_widget: Widget, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = random.SystemRandom().randrange(2**32)
    page = new_widget.page
    page.evaluate(NOTE_THE_LAST_ANSWER)
    new_widget.answer_to(MOST_STEPS)
    new_widget.answer_to(START)
    memory = Memory(page)
    before = memory.all_bytes()

    settings: Settings = {}
    for number, (moves, settings) in enumerate(rounds(random.Random(seed))):
        pace = PACES[number % len(PACES)]
        answer = json.loads(page.evaluate(MOVE, {"moves": moves, "pace": pace, "last": settings}))
        assert same_bits(answer["report"], expected(settings)), f"{settings}, {pace}, seed {seed}"
    assert new_widget.settings() == settings
    assert new_widget.clipboard() == expected_clipboard(expected(settings))

    after = memory.all_bytes()
    growth = {what: after[what] - before[what] for what in before}
    with capsys.disabled():
        print(f"\n{CHANGES} changes drawn with random.Random({seed}): bytes before {before}, growth {growth}")
    assert growth["page"] <= MOST_GROWTH_BYTES
    assert growth["worker"] <= MOST_GROWTH_BYTES
    assert growth["Python"] == 0
