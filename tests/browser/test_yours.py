"""The editor of the program and what stands around it, with a Python that is only told of (yours_page.js)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

import build
from tests.browser.conftest import Errors, Visit
from tests.browser.test_access import violations
from tests.browser.widget import plain, wait_until
from tests.conftest import serving
from tinyserve import chats, load_test
from tinyserve.lesson import LIMIT, PAGES, RATE_HEAVY

pytestmark = pytest.mark.browser

SOURCE = (build.ROOT / "py" / "tinyserve" / "tiny_server.py").read_text("utf-8")
(POLICY,) = re.findall(
    r'http-equiv="Content-Security-Policy" content="([^"]+)"',
    (build.ROOT / "web" / "widget.html").read_text("utf-8"),
)
HTML = f"""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Yours</title>
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="{POLICY}">
    <link rel="icon" href="icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="page.css">
    <script type="module" src="page.js"></script>
  </head>
  <body>
    <main>
      <h1>A lesson</h1>
      <h2>Your turn</h2>
      <div id="yours"></div>
      <p><a href="page.html">after</a></p>
    </main>
  </body>
</html>
"""
CSS = """@import "{web}/style.css";
@import "{web}/yours.css";
main {{ max-width: 72rem; margin: 0 auto; padding: 1rem 1.25rem; color: var(--ink); }}
h2 {{ margin: 1rem 0; }}
"""
COLOURS: list[dict[str, Any]] = [
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"forced_colors": "active"},
]


@pytest.fixture(scope="module")
def yours_address(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A small page with nothing but the section, under the policy of the built one."""
    folder = tmp_path_factory.mktemp("yours")
    sources = tmp_path_factory.mktemp("sources")
    web = build.ROOT / "web"
    build.bundle_script(web / build.EDITOR, folder / build.EDITOR, sources / "editor.json", {})
    build.bundle_script(
        build.ROOT / "tests" / "browser" / "yours_page.js",
        folder / "page.js",
        sources / "page.json",
        {"EDITOR_SCRIPT": build.EDITOR},
        f"--alias:first-answer={build.WORK / build.COMPUTED / build.FIRST_ANSWER}",
        f"--alias:program={build.ROOT / 'py' / 'tinyserve' / 'tiny_server.py'}",
        "--loader:.py=text",
    )
    (sources / "page.css").write_text(CSS.format(web=web.as_posix()), "utf-8")
    build.bundle_style(sources / "page.css", folder / "page.css")
    (folder / "page.html").write_text(HTML, "utf-8")
    (folder / "icon.svg").write_bytes((web / "icon.svg").read_bytes())
    with serving(folder) as address:
        yield f"{address}/page.html"


class Yours:
    """What a reader can do with the section, and see of it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.editor = page.get_by_role("textbox", name="Your tiny_server.py")
        self.status = page.locator(".run-status")
        self.results = page.get_by_role("group", name="The lesson’s and yours")

    def button(self, name: str) -> Locator:
        """A button by its name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def open(self) -> "Yours":
        """Loads the editor, which then has the focus, at its start."""
        self.button("Edit this program").click()
        expect(self.editor).to_be_focused()
        return self

    def type_comment(self, word: str) -> None:
        """Writes a comment into the first line."""
        self.editor.press("Control+Home")
        self.page.keyboard.type(f"# {word}")
        self.page.keyboard.press("Enter")

    def undo_all(self) -> None:
        """Takes back whatever can be taken back."""
        while self.button("Undo").get_attribute("aria-disabled") == "false":
            self.button("Undo").click()

    def run_with(self, word: str) -> None:
        """Runs a program that the page's Python knows by a word."""
        self.type_comment(word)
        runs = len(self.runs())
        self.page.keyboard.press("Control+Enter")
        wait_until(self.page, "(runs) => window.fake.results.length > runs", runs)

    def runs(self) -> list[dict[str, Any]]:
        """What has been run: program and settings."""
        found: list[dict[str, Any]] = self.page.evaluate("window.fake.runs")
        return found

    def source(self) -> str:
        """What is run when it is run now."""
        before = len(self.runs())
        self.button("Run").click()
        wait_until(self.page, "(before) => window.fake.results.length > before", before)
        return str(self.runs()[-1]["program"])

    def row(self, name: str) -> list[str]:
        """A row of the table: the lesson's figure, yours, the unit."""
        row = self.results.get_by_role("row").filter(has=self.page.get_by_role("rowheader", name=name))
        return [plain(text) for text in row.get_by_role("cell").all_inner_texts()]


@pytest.fixture
def yours(page: Page, yours_address: str) -> Yours:
    """The section with the editor loaded."""
    page.goto(yours_address)
    return Yours(page).open()


# ---- Loading -----------------------------------------------------------------------------------------------


def test_nothing_of_the_editor_is_loaded_before_it_is_asked_for(page: Page, yours_address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(yours_address)
    expect(Yours(page).button("Edit this program")).to_be_visible()
    assert not any(build.EDITOR in url for url in asked)
    Yours(page).open()
    assert any(build.EDITOR in url for url in asked)


def test_an_editor_that_does_not_come_is_said_and_comes_at_the_next_try(
    page: Page, errors: Errors, yours_address: str
) -> None:
    errors.announce("ERR_FAILED")
    page.route(f"**/{build.EDITOR}*", lambda route: route.abort())
    page.goto(yours_address)
    yours = Yours(page)
    yours.button("Edit this program").click()
    expect(page.get_by_text("The editor could not be loaded.")).to_be_visible()
    expect(yours.button("Try again")).to_be_focused()
    page.unroute(f"**/{build.EDITOR}*")
    # Some browsers never ask for an address again that has failed, so it must be another one.
    with page.expect_request(f"**/{build.EDITOR}?try=2"):
        yours.button("Try again").click()
    expect(yours.editor).to_be_focused()


# ---- Editing -----------------------------------------------------------------------------------------------


def test_it_shows_the_program_with_line_numbers(yours: Yours) -> None:
    assert yours.source() == SOURCE
    numbers = yours.page.locator(".cm-lineNumbers .cm-gutterElement")
    expect(numbers.get_by_text("12", exact=True)).to_be_visible()


def test_control_enter_runs_what_stands_in_the_editor(yours: Yours) -> None:
    yours.run_with("mine")
    (run,) = yours.runs()
    assert run["program"] == f"# mine\n{SOURCE}"
    ran = "Ran in the page: 40 chats a second, 240 pages, 16 chats per step."
    assert plain(yours.status.inner_text()) == ran


def test_what_is_typed_over_lines_breaks_no_policy(yours: Yours) -> None:
    page = yours.page
    page.keyboard.press("Control+Home")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowDown")
    page.keyboard.type("x")
    assert yours.source() == "x" + "".join(SOURCE.splitlines(keepends=True)[3:])


def test_an_interpreter_is_made_ready_while_the_reader_types(yours: Yours) -> None:
    calls = "window.fake.calls.splice(0)"
    assert yours.page.evaluate(calls) == ["prepare"]
    yours.run_with("mine")
    yours.page.evaluate(calls)
    yours.page.keyboard.type("x")
    assert yours.page.evaluate(calls) == ["prepare"]


def test_undo_and_redo(yours: Yours) -> None:
    expect(yours.button("Undo")).to_have_attribute("aria-disabled", "true")
    yours.type_comment("mine")
    yours.undo_all()
    assert yours.source() == SOURCE
    while yours.button("Redo").get_attribute("aria-disabled") == "false":
        yours.button("Redo").click()
    assert yours.source() == f"# mine\n{SOURCE}"


def test_reset_brings_the_lessons_program_back_and_takes_the_result_away(yours: Yours) -> None:
    yours.run_with("SLOWER")
    expect(yours.results).to_be_visible()
    yours.button("Back to the lesson’s").click()
    expect(yours.results).to_be_hidden()
    assert yours.page.evaluate("window.fake.results.at(-1)") is None
    assert yours.source() == SOURCE


def test_reset_can_be_undone(yours: Yours) -> None:
    yours.type_comment("mine")
    yours.button("Back to the lesson’s").click()
    yours.button("Undo").click()
    assert yours.source() == f"# mine\n{SOURCE}"


def test_changes_are_shown_against_the_original(yours: Yours) -> None:
    first = SOURCE.splitlines()[0]
    yours.editor.press("Control+Home")
    yours.page.keyboard.press("Shift+End")
    yours.page.keyboard.type('"""Mine.')
    yours.button("Show changes").click()
    expect(yours.button("Show changes")).to_have_attribute("aria-pressed", "true")
    expect(yours.page.locator(".cm-deletedChunk")).to_contain_text(first)
    expect(yours.page.locator(".cm-changedLine")).to_contain_text("Mine.")
    yours.button("Show changes").click()
    expect(yours.page.locator(".cm-deletedChunk")).to_have_count(0)


def test_tab_indents_by_four(yours: Yours) -> None:
    yours.editor.press("Control+Home")
    yours.page.keyboard.press("Tab")
    assert yours.source() == f"    {SOURCE}"


def test_esc_and_then_tab_leave_the_editor_and_that_is_said(yours: Yours) -> None:
    page = yours.page
    described = "(node) => node.getRootNode().getElementById(node.getAttribute('aria-describedby'))"
    assert "press Esc, then Tab" in yours.editor.evaluate(f"(node) => ({described})(node).textContent")
    page.keyboard.press("Escape")
    page.wait_for_timeout(2500)  # a reader may take their time
    page.keyboard.press("Tab")
    expect(yours.editor).not_to_be_focused()
    assert yours.source() == SOURCE


def test_once_left_the_editor_indents_again(yours: Yours) -> None:
    page = yours.page
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Tab")
    expect(yours.editor).not_to_be_focused()
    page.keyboard.press("Tab")
    expect(yours.editor).to_be_focused()
    page.keyboard.press("Tab")
    expect(yours.editor).to_be_focused()


# ---- Results -----------------------------------------------------------------------------------------------


def test_a_result_stands_beside_the_lessons_and_changed_figures_are_marked(yours: Yours) -> None:
    yours.run_with("SLOWER")
    assert yours.row("First word TTFT p99") == ["3.492", "▲ more than the lesson’s: 5.250", "s"]
    p50, same, _ = yours.row("First word TTFT p50")
    assert p50 == same
    assert yours.row("The wall") == ["the cache", "≠ not as the lesson’s: both", ""]
    assert yours.row("Held out by the cache")[1].startswith("▼ less than the lesson’s: ")
    expect(yours.results.locator("dd").first).to_contain_text("The cache is the wall.")
    expect(yours.results.locator("dd").last).to_contain_text("Cache and batch limit are both the wall.")
    expect(yours.results.locator(".lane.queue .ghost")).to_have_count(1)
    expect(yours.results.locator(".panel.first-word .grew")).to_have_text("1.50 times")
    expect(yours.page.get_by_role("region", name="Printed")).to_have_text("a\nb\n")


def test_the_lessons_program_gives_the_lessons_figures_and_that_is_said(yours: Yours) -> None:
    yours.run_with("only a comment")
    expect(yours.page.get_by_text("Every figure is the same as the lesson’s.")).to_be_visible()


def test_an_error_marks_its_line_and_says_what_was_done_until_then(yours: Yours) -> None:
    yours.run_with("FAULT")
    expect(yours.status).to_contain_text("Broke off at line 61.")
    expect(yours.page.locator(".trouble .message")).to_have_text("Line 61: Nothing is called FAULT.")
    expect(yours.page.locator(".cm-trouble-words")).to_have_count(0)  # the line is out of sight
    yours.button("Go to line 61").click()
    expect(yours.editor).to_be_focused()
    line = SOURCE.splitlines()[61 - 2]  # a line has been put before it
    expect(yours.page.locator(".cm-trouble")).to_have_text(line)
    expect(yours.page.locator(".cm-trouble-words")).to_have_text("Nothing is called FAULT.")
    expect(yours.page.get_by_role("region", name="The whole traceback")).to_be_hidden()
    assert yours.row("First word TTFT p99")[1] == "–"
    lessons = load_test(chats(), RATE_HEAVY, PAGES, LIMIT)["steps"]
    assert yours.row("Steps in all")[:2] == [f"{lessons:,}", "400"]
    expect(yours.results.locator("dd").last).to_contain_text("after 400 steps")
    # The mark goes with the next run.
    yours.editor.press("Control+a")
    yours.page.keyboard.press("Delete")
    yours.page.keyboard.press("Control+Enter")
    expect(yours.page.locator(".trouble")).to_be_hidden()
    expect(yours.page.locator(".cm-trouble")).to_have_count(0)


def test_an_endless_run_is_said_with_its_limit_and_its_line(yours: Yours) -> None:
    yours.run_with("ENDLESS")
    expect(yours.status).to_contain_text(re.compile(r"Stopped after 2.s at line 35\."))
    expect(yours.results.locator("dd").last).to_contain_text("after 40 steps")


def test_a_broken_result_is_named_and_not_drawn(yours: Yours) -> None:
    yours.run_with("NONE")
    expect(yours.page.locator(".trouble .message")).to_have_text("serve() gave back None instead of a Run.")
    expect(yours.button("Go to line 1")).to_have_count(0)
    expect(yours.results).to_be_hidden()


def test_no_python_is_said(yours: Yours) -> None:
    yours.page.evaluate("() => { window.fake.isThere = false; }")
    yours.run_with("mine")
    expect(yours.status).to_contain_text("Your program could not be run.")


# ---- Whose result it is ------------------------------------------------------------------------------------


def test_a_result_of_an_earlier_version_is_said_to_be_one(yours: Yours) -> None:
    yours.run_with("SLOWER")
    note = yours.results.get_by_text("Your program has changed since")
    expect(note).to_have_count(0)
    yours.type_comment("more")
    expect(note).to_be_visible()
    expect(yours.status).to_contain_text("Your program has changed since")
    yours.page.keyboard.press("Control+Enter")
    expect(note).to_have_count(0)


RERUN_WOULD_COME_MS = 600  # more than twice what yours.js waits before it follows the settings
OTHER = """() => {
  window.fake.settings = { ...window.fake.settings, rate: 20 };
  window.fake.mounted.settingsChanged();
}"""


def test_other_settings_have_the_same_version_run_again(yours: Yours) -> None:
    yours.run_with("SLOWER")
    yours.type_comment("not run yet")
    yours.page.evaluate(OTHER)
    expect(yours.status).to_contain_text(re.compile("20.chats a second"))
    first, second = yours.runs()
    assert second["program"] == first["program"]
    assert second["settings"]["rate"] == 20
    expect(yours.status).to_contain_text("Your program has changed since")


def test_settings_that_change_during_a_run_are_run_next(yours: Yours) -> None:
    yours.page.evaluate(f"() => {{ document.querySelector('.run').click(); ({OTHER})(); ({OTHER})(); }}")
    expect(yours.status).to_contain_text(re.compile("Ran in the page: 20.chats a second"))
    assert [run["settings"]["rate"] for run in yours.runs()] == [40, 20]


def test_a_run_that_comes_back_after_a_reset_is_not_shown(yours: Yours) -> None:
    yours.type_comment("SLOWER")
    yours.page.evaluate(
        """() => {
          const buttons = [...document.querySelectorAll(".tools button")];
          for (const name of ["Run", "Back to the lesson’s"]) {
            buttons.find(({ textContent }) => textContent === name).click();
          }
        }"""
    )
    yours.page.wait_for_timeout(100)
    expect(yours.results).to_be_hidden()
    assert yours.page.evaluate("window.fake.results") == [None]
    assert "stop" in yours.page.evaluate("window.fake.calls")


def test_going_back_is_not_possible_where_there_is_nothing_to_go_back_from(yours: Yours) -> None:
    reset = yours.button("Back to the lesson’s")
    expect(reset).to_have_attribute("aria-disabled", "true")
    yours.button("Show changes").focus()
    reset.dispatch_event("click")
    expect(yours.button("Show changes")).to_be_focused()
    assert yours.page.evaluate("window.fake.results") == []


def test_the_marked_line_is_found_where_it_has_moved_to(yours: Yours) -> None:
    yours.run_with("FAULT")
    yours.type_comment("above it")
    yours.button("Go to line 61").click()
    yours.page.keyboard.type("here ")
    # One line had been put before the lesson's when it was run, and one more has been since.
    assert yours.source().splitlines()[61] == f"here {SOURCE.splitlines()[61 - 2]}"


def test_other_settings_run_nothing_that_was_not_run_before(yours: Yours) -> None:
    yours.page.evaluate(OTHER)
    yours.page.wait_for_timeout(RERUN_WOULD_COME_MS)
    assert yours.runs() == []


def test_other_settings_do_not_run_an_endless_program_again(yours: Yours) -> None:
    yours.run_with("ENDLESS")
    yours.page.evaluate(OTHER)
    yours.page.wait_for_timeout(RERUN_WOULD_COME_MS)
    assert len(yours.runs()) == 1
    expect(yours.status).to_contain_text("The settings have changed since")


# ---- Keeping it --------------------------------------------------------------------------------------------


def test_the_download_is_what_stands_in_the_editor(yours: Yours) -> None:
    yours.type_comment("mine")
    with yours.page.expect_download() as downloading:
        yours.button("Download your version").click()
    assert downloading.value.suggested_filename == "tiny_server.py"
    assert Path(downloading.value.path()).read_text("utf-8") == f"# mine\n{SOURCE}"


def asked_on_leaving(page: Page) -> list[str]:
    """The kinds of dialogs that come when the page is left by its link."""
    asked: list[str] = []

    def accept(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", accept)
    with page.expect_navigation():
        page.get_by_role("link", name="after").click()
    return asked


def test_leaving_with_edits_is_asked_about(yours: Yours) -> None:
    yours.type_comment("mine")
    assert asked_on_leaving(yours.page) == ["beforeunload"]


def test_leaving_without_edits_is_not(yours: Yours) -> None:
    yours.type_comment("mine")
    yours.undo_all()
    assert asked_on_leaving(yours.page) == []


def test_leaving_with_what_was_downloaded_is_not(yours: Yours) -> None:
    yours.type_comment("mine")
    with yours.page.expect_download():
        yours.button("Download your version").click()
    assert asked_on_leaving(yours.page) == []


def test_nothing_is_stored(yours: Yours) -> None:
    yours.run_with("mine")
    assert yours.page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    assert yours.page.url.endswith("/page.html")


# ---- For everyone ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("colours", COLOURS, ids=["light", "dark", "forced"])
def test_axe_finds_nothing(visit: Visit, yours_address: str, width: int, colours: dict[str, Any]) -> None:
    page = visit(viewport={"width": width, "height": 900}, bypass_csp=True, **colours)
    page.goto(yours_address)
    assert violations(page) == []
    yours = Yours(page).open()
    for word in ("FAULT", "SLOWER"):
        yours.run_with(word)
        page.evaluate("() => document.querySelectorAll('details').forEach((node) => (node.open = true))")
        assert violations(page) == [], word
    yours.type_comment("stale")
    yours.button("Show changes").click()
    assert violations(page) == []


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_is_wider_than_the_page(visit: Visit, yours_address: str, width: int) -> None:
    page = visit(viewport={"width": width, "height": 900})
    page.goto(yours_address)
    yours = Yours(page).open()
    yours.run_with("FAULT")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
