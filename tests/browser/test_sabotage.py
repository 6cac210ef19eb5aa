"""Whatever goes wrong in the start or in a run, the page says what it is, and comes back once it is right."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

import tinyserve
from tests.browser.conftest import STARTED, Errors
from tests.browser.faulty_server import (
    Answer,
    Fault,
    Site,
    cut_off,
    damaged,
    endless,
    faulty_site,
    missing,
    of_type,
    troubled,
    with_policy,
)
from tests.browser.test_answers import expected, same_bits
from tests.browser.widget import START, Widget, wait_until
from tests.conftest import PRYING_ORDER

pytestmark = pytest.mark.browser

# What the page says of each kind of failure: a piece of its sentence.
ADVICE = {
    "missing": "is missing on the server",
    "unreachable": "See whether you are online",
    "cut-off": "arrived only in part",
    "damaged": "arrived damaged",
    "updated": "has been updated since you opened it",
    "policy": "security policy keeps Python from running",
    "old-browser": "This browser is too old for Python. Update it or take another one.",
    "memory": "did not give this page the memory",
    "silent": "gave no sign of life",
    "crashed": "broke off",
    "mismatch": "are of different versions",
    "python": "broke off while it started",
}

# The kind, and a pattern of the detail that stands below that sentence. {file} is the part that is to blame.
TEXTS = {
    "missing": "missing: {file}: the host answers 404",
    "unreachable": "unreachable: {file}: the host answers 503",
    "no host": "unreachable: {file}: TypeError",
    "cut-off": "cut-off: {file} ended after [0-9]+ of [0-9]+ bytes",
    "damaged": "damaged: {file} has not the SHA-256 with which it was built",
    "longer": "damaged: {file} is longer than the [0-9]+ bytes it was built with",
    "updated": "updated: {file}: the host answers 404",
    "wasm policy": "policy: script-src does not allow 'wasm-unsafe-eval'",
    "worker policy": "policy: worker-src does not allow blob:",
    "old browser": "old-browser: this browser has no {file}",
    "memory": "memory: .*no memory for you",
    "silent download": "silent: no byte of {file} came for 30 s",
    "silent start": "silent: Python gave no sign for 60 s while starting",
    "silent run": "silent: Python gave no sign for 10 s in a run",
    "crashed": "crashed: .*gone",
    "mismatch": "mismatch: the wheel is of version [0-9.]+, the page of version 9.9.9",
    "python": "python: ModuleNotFoundError: No module named 'tinyserve.gone'",
}

# The part as the page calls it -> a piece of its path.
PARTS = {
    "worker": "worker-",
    "wasm": "pyodide.asm.wasm",
    "stdlib": "python_stdlib.zip",
    "wheel": ".whl",
}
every_part = pytest.mark.parametrize("piece", PARTS.values(), ids=PARTS)

# Lets waits be cut short: the next `times` of those of `wait_s` seconds.
HURRY = """
  window.hurry = { wait_s: 0, times: 0, to_ms: 0 };
  const original = window.setTimeout;
  window.setTimeout = (callback, ms, ...rest) => {
    const isHurried = ms === 1000 * window.hurry.wait_s && window.hurry.times > 0;
    window.hurry.times -= isHurried ? 1 : 0;
    return original(callback, isHurried ? window.hurry.to_ms : ms, ...rest);
  };
"""
DOWNLOAD_S, START_S, RUN_S = 30, 60, 10
DEAD_MS = 500  # what is left of a wait for something that is dead
BUSY_MS = 3000  # and of one in which other things have to come, on a busy machine too
EACH = "Infinity"  # times

# Keeps the page's workers in window.workers, each with its last result.
KEEP_WORKERS = """
  window.workers = [];
  window.Worker = class extends window.Worker {
    constructor(...options) {
      super(...options);
      window.workers.push(this);
      this.addEventListener("message", ({ data }) => {
        if (data.kind === "answer") {
          this.lastResult = data.result;
        }
      });
    }
  };
"""


def hurry(wait_s: int, times: int | str, to_ms: int = DEAD_MS) -> str:
    """A script that has the next waits of so many seconds cut short."""
    return f"window.hurry = {{ wait_s: {wait_s}, times: {times}, to_ms: {to_ms} }};"


def change_worker(change: str) -> str:
    """A script that changes the source of the page's worker after it has been checked."""
    return f"""
      const Original = window.Blob;
      window.Blob = class extends Original {{
        constructor([source], options) {{
          const change = {change};
          super([options.type === "text/javascript" ? change(source) : source], options);
        }}
      }};
    """


@pytest.fixture(scope="module")
def one_site(dist: Path) -> Iterator[Site]:
    with faulty_site(dist) as site:
        yield site


@pytest.fixture
def site(one_site: Site, dist: Path) -> Site:
    """The built page on a host without faults."""
    one_site.folder = dist
    one_site.faults.clear()
    one_site.asked.clear()
    return one_site


def pattern(detail: str, file: str = "") -> re.Pattern[str]:
    """The detail that the page must show; `file` is a piece of a path, or the name of a feature."""
    return re.compile(detail.replace("{file}", f"[^ ]*{re.escape(file)}[^ :]*"))


def expect_failure(page: Page, text: str, file: str = "") -> None:
    """Waits for the failure and compares what is said of it; the static answer stays readable."""
    kind, detail = TEXTS[text].split(": ", 1)
    expect(page.locator("html")).to_have_attribute("data-stage", "failed", timeout=60_000)
    expect(page.locator("#failure-reason")).to_have_text(pattern(detail, file))
    expect(page.locator("#failure")).to_contain_text(ADVICE[kind])
    assert Widget(page).sentence().startswith("The cache is the wall.")


def expect_answer(page: Page) -> Widget:
    """Waits for the first answer."""
    wait_until(page, STARTED)
    expect(page.locator("html")).to_have_attribute("data-stage", "ready")
    assert Widget(page).sentence().startswith("The cache is the wall.")
    return Widget(page)


def retry(page: Page) -> None:
    """Presses the button that stands beside a failure."""
    page.locator("#failure").get_by_role("button").click()


# ---- The host ----------------------------------------------------------------------------------------------


@every_part
def test_a_missing_part_is_named_and_a_retry_fetches_only_that(
    page: Page, errors: Errors, site: Site, piece: str
) -> None:
    site.faults[piece] = missing
    errors.announce("404")
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "missing", piece)
    for other in PARTS.values():
        if other != piece:
            expect_asked(site, other)
    site.faults.clear()
    site.asked.clear()
    retry(page)
    expect_answer(page)
    assert [path for path in site.asked if piece not in path] == []
    assert len(site.asked) == 1


def expect_asked(site: Site, piece: str) -> None:
    """The part was asked for exactly once."""
    assert len([path for path in site.asked if piece in path]) == 1


@every_part
@pytest.mark.parametrize(
    ("fault", "text"), [(damaged, "damaged"), (cut_off, "cut-off"), (troubled, "unreachable")]
)
def test_a_part_that_does_not_come_as_it_was_built_is_named(
    page: Page, errors: Errors, site: Site, piece: str, fault: Fault, text: str
) -> None:
    site.faults[piece] = fault
    errors.allow()
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, text, piece)


def test_a_part_that_is_another_file_is_damaged(page: Page, errors: Errors, site: Site) -> None:
    site.faults["worker-"] = lambda answer: setattr(answer, "body", answer.body + b" ")
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "longer", "worker-")


def test_a_damaged_part_in_the_browsers_cache_does_not_outlive_the_damage(
    page: Page, errors: Errors, site: Site
) -> None:
    """Hosts let hashed names be kept for ever, so a retry must go past the cache."""

    def damaged_for_ever(answer: Answer) -> None:
        damaged(answer)
        answer.headers["Cache-Control"] = "max-age=31536000, immutable"

    site.faults["python_stdlib.zip"] = damaged_for_ever
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "damaged", "python_stdlib.zip")
    site.faults.clear()
    retry(page)
    expect_answer(page)


def test_a_host_that_is_gone_is_named(page: Page, errors: Errors, site: Site) -> None:
    page.route("**/*.whl", lambda route: route.abort())
    errors.announce("ERR_FAILED")
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "no host", ".whl")


@every_part
def test_a_wrong_type_is_healed(page: Page, errors: Errors, site: Site, piece: str) -> None:
    site.faults[piece] = of_type("text/plain")
    page.goto(f"{site.address}/widget.html")
    expect_answer(page)


def test_the_pages_script_of_a_wrong_type_leaves_the_static_page(
    page: Page, errors: Errors, site: Site
) -> None:
    site.faults["widget-"] = of_type("text/plain")
    errors.announce("MIME type")
    page.goto(f"{site.address}/widget.html")
    expect(page.get_by_role("alert")).to_contain_text("the page’s script could not be started")
    assert Widget(page).sentence().startswith("The cache is the wall.")


def test_a_download_that_never_ends_is_given_up_and_can_be_retried(
    page: Page, errors: Errors, site: Site
) -> None:
    site.faults["pyodide.asm.wasm"] = endless
    page.add_init_script(HURRY + hurry(DOWNLOAD_S, EACH, BUSY_MS))
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "silent download", "pyodide.asm.wasm")
    site.faults.clear()
    page.evaluate("window.hurry.times = 0")
    retry(page)
    expect_answer(page)


def test_a_redeployed_page_is_told_from_a_missing_part(
    page: Page, errors: Errors, site: Site, other_dist: Path
) -> None:
    """Two builds: the first page is open and has not fetched its Python when the second takes its place."""
    site.faults["pyodide.asm.wasm"] = missing
    errors.announce("404")
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "missing", "pyodide.asm.wasm")
    site.faults.clear()
    site.folder = other_dist
    retry(page)
    expect_failure(page, "updated", "pyodide.asm.wasm")
    page.reload()
    expect_answer(page)


# ---- The browser -------------------------------------------------------------------------------------------


def test_a_policy_that_forbids_webassembly_is_named(page: Page, errors: Errors, site: Site) -> None:
    site.faults["widget.html"] = with_policy("script-src 'self'")
    errors.allow()
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "wasm policy")
    assert not any("pyodide" in path for path in site.asked), "nothing is fetched in vain"


def test_a_policy_that_forbids_our_worker_is_named(page: Page, errors: Errors, site: Site) -> None:
    site.faults["widget.html"] = with_policy("worker-src 'self'")
    errors.allow()
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "worker policy")


@pytest.mark.parametrize(
    ("feature", "without_it"),
    [
        ("WebAssembly", "delete window.WebAssembly"),
        ("WebAssembly.compileStreaming", "delete WebAssembly.compileStreaming"),
        ("WebAssembly exceptions", "WebAssembly.validate = () => false"),
        ("BigInt64Array", "delete window.BigInt64Array"),
        ("module workers", "window.Worker = class { terminate() {} }"),
    ],
)
def test_an_old_browser_is_told_what_it_lacks(
    page: Page, errors: Errors, site: Site, feature: str, without_it: str
) -> None:
    page.add_init_script(without_it)
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "old browser", feature)
    assert not any("pyodide" in path for path in site.asked), "nothing is fetched in vain"


REFUSE_MEMORY = """async () => { throw new RangeError("no memory for you"); }"""
# Pyodide also starts a tiny module without imports, which needs no memory.
REFUSE_MEMORY_OF_A_PROGRAM = """(({ instantiate }) => async (module, imports) => {
  if (imports !== undefined) {
    throw new RangeError("no memory for you");
  }
  return instantiate(module);
})(WebAssembly)"""


def test_memory_refused_while_compiling_is_named(page: Page, errors: Errors, site: Site) -> None:
    page.add_init_script(f"WebAssembly.compileStreaming = {REFUSE_MEMORY}")
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "memory")


def test_memory_refused_to_the_worker_is_named(
    page: Page, errors: Errors, site: Site
) -> None:
    page.add_init_script(
        change_worker(
            f"(source) => `WebAssembly.instantiate = {REFUSE_MEMORY_OF_A_PROGRAM};` + source"
        )
    )
    errors.allow()
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "memory")


def test_without_crypto_the_browser_checks_the_hashes(page: Page, errors: Errors, site: Site) -> None:
    """As on a page that is served without https from another machine."""
    page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });")
    site.faults["python_stdlib.zip"] = damaged
    errors.announce("digest")
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "damaged", "python_stdlib.zip")
    site.faults["python_stdlib.zip"] = missing
    errors.allow()
    retry(page)
    expect_failure(page, "missing", "python_stdlib.zip")
    site.faults.clear()
    retry(page)
    expect_answer(page)


# ---- The start ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("() => 'throw new Error(`it is gone`);'", "crashed"),
        (f"(source) => source.replaceAll('{tinyserve.__version__}', '9.9.9')", "mismatch"),
        ("(source) => source.replaceAll('tinyserve.view', 'tinyserve.gone')", "python"),
    ],
)
def test_a_start_that_fails_says_why(
    page: Page, errors: Errors, site: Site, change: str, text: str
) -> None:
    page.add_init_script(change_worker(change))
    errors.allow()
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, text)


def test_a_start_without_a_sign_is_given_up(page: Page, errors: Errors, site: Site) -> None:
    page.add_init_script(HURRY + hurry(START_S, 1) + change_worker("() => ''"))
    page.goto(f"{site.address}/widget.html")
    expect_failure(page, "silent start")


# ---- A run -------------------------------------------------------------------------------------------------

OTHER = {**START, "pages": 480}


def kill(page: Page) -> None:
    """Ends the newest worker, as a browser short of memory does: without a word, so it is waited for once."""
    page.evaluate(hurry(RUN_S, 1) + "window.workers.at(-1).terminate()")


def report_an_error(page: Page) -> None:
    """Has the newest worker's script fail."""
    page.evaluate("window.workers.at(-1).dispatchEvent(new ErrorEvent('error', { message: 'it is gone' }))")


def send_an_unreadable_message(page: Page) -> None:
    page.evaluate("window.workers.at(-1).dispatchEvent(new MessageEvent('messageerror'))")


@pytest.fixture
def kept(page: Page, errors: Errors, site: Site) -> Widget:
    """A widget with its first answer, whose workers the test can reach and whose waits it can hurry."""
    page.add_init_script(HURRY + KEEP_WORKERS)
    page.goto(f"{site.address}/widget.html")
    widget = expect_answer(page)
    expect(widget.chart("The two waits").locator(".bar.dimmed")).to_have_count(0)
    site.asked.clear()
    return widget


@pytest.mark.parametrize("die", [kill, report_an_error, send_an_unreadable_message])
def test_the_answer_after_a_workers_death_comes_from_a_new_one_without_the_network(
    kept: Widget, site: Site, other_dist: Path, die: Callable[[Page], None]
) -> None:
    """Even if the site has been redeployed meanwhile."""
    site.folder = other_dist
    die(kept.page)
    assert kept.answer_to(OTHER)["settings"] == OTHER
    assert kept.page.evaluate("window.workers.length") == 2
    assert kept.settings() == OTHER
    # A browser may look for the icon again when the address has followed the sliders.
    assert [path for path in site.asked if "icon" not in path] == []


# Each new worker dies as soon as it is asked for anything but its start.
DIE_WHEN_ASKED = """
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message) {
    if (message.kind === "ask" && !window.isMended) {
      queueMicrotask(() => window.die(this));
    } else {
      postMessage.call(this, message);
    }
  };
"""


@pytest.mark.parametrize(
    ("die", "text"),
    [
        ("(worker) => worker.terminate()", "silent run"),
        ("(worker) => worker.dispatchEvent(new ErrorEvent('error', { message: 'it is gone' }))", "crashed"),
    ],
)
def test_a_request_that_two_workers_die_of_is_a_failure_and_can_be_retried(
    kept: Widget, die: str, text: str
) -> None:
    kept.page.evaluate(f"() => {{ {hurry(RUN_S, 2)} window.die = {die}; {DIE_WHEN_ASKED} }}")
    kept.box("pages").fill("480")
    expect_failure(kept.page, text)
    assert kept.page.evaluate("window.workers.length") == 2
    kept.page.evaluate("window.isMended = true; window.hurry.times = 0;")
    kept.note_answers()
    retry(kept.page)
    kept.wait_for_answer(OTHER)


# As soon as the second worker is asked for something, the first one, which was ended, says all that one can.
SPEAK_FOR_THE_OLD = """() => {
  const [old, current] = window.workers;
  const say = (event) => old.dispatchEvent(event);
  const reply = (data) => say(new MessageEvent("message", { data }));
  current.postMessage = (message) => {
    Worker.prototype.postMessage.call(current, message);
    reply({ kind: "answer", id: message.id, result: { ...old.lastResult, settings: message.task.settings } });
    reply({ kind: "refused", id: message.id, reason: "long ago" });
    reply({ kind: "crashed", detail: "long ago" });
    say(new ErrorEvent("error", { message: "long ago" }));
    say(new MessageEvent("messageerror"));
  };
}"""


def test_no_reply_of_an_old_worker_is_taken(kept: Widget) -> None:
    kill(kept.page)
    kept.answer_to(OTHER)
    kept.page.evaluate(SPEAK_FOR_THE_OLD)
    asked = {**START, "pages": 500}
    assert same_bits(kept.answer_to(asked)["report"], expected(asked))
    expect(kept.page.locator("html")).to_have_attribute("data-stage", "ready")
    assert kept.page.evaluate("window.workers.length") == 2


# ---- The policy --------------------------------------------------------------------------------------------


def test_python_in_the_worker_is_bound_by_the_pages_meta_policy(
    page: Page, errors: Errors, site: Site, other_dist: Path, spied_on: Site
) -> None:
    said: list[str] = []

    def note(message: ConsoleMessage) -> None:
        said.append(message.text)

    page.context.on("console", note)
    errors.allow()
    pry(page, site, other_dist)
    assert "eval was refused" in said
    assert spied_on.asked == []


def test_without_that_policy_the_same_program_reaches_out(
    page: Page, errors: Errors, site: Site, other_dist: Path, spied_on: Site
) -> None:
    """So the test above can fail."""
    errors.allow()
    site.faults["widget.html"] = forget_policy
    pry(page, site, other_dist)
    for _ in range(300):
        if spied_on.asked:
            break
        page.wait_for_timeout(100)
    assert "reached" in spied_on.asked


def pry(page: Page, site: Site, other_dist: Path) -> None:
    """Opens the build whose program reaches out in one order of the chats, and chooses that.

    Another run follows, so that by its end a request would have come.
    """
    site.folder = other_dist
    page.goto(f"{site.address}/widget.html")
    widget = expect_answer(page)
    widget.answer_to({**START, "shuffle": PRYING_ORDER})
    widget.answer_to({**OTHER, "shuffle": PRYING_ORDER})


def forget_policy(answer: Answer) -> None:
    """The page without its policy."""
    answer.body, found = re.subn(rb'<meta http-equiv="Content-Security-Policy"[^>]*>', b"", answer.body)
    assert found == 1
