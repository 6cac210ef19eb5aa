"""A changed constant of the program changes, or breaks, every figure of the lesson that depends on it.

lesson_figures.py runs on a copy of the package in which one constant is another. The search for the fewest
pages is left out, for it takes long.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.native.built_lesson import (
    PLACEHOLDER,
    PLAIN,
    TEMPLATE,
    Element,
    Prerender,
    compute_figures,
    copy_package,
    lesson_figures,
    parse,
)
from tinyserve import chats, load_test

QUICK = ["settings", "runs", "steps", "chats", "model", "orders", "trace"]
RUN = "(light|heavy|more_pages|twice_more|more_places|few_places|few_pages)"
EDITED = "(shortest_first|from_joining|big_pages)"
# What a step's time goes into, whatever in it changes.
TIMES = (
    rf"{RUN}\.(ttft_p50|ttft_p99|tbt_p50|tpot_p50|tpot_p99)_m?s|{RUN}\.chats_per_s"
    r"|grew\..*_times|orders\..*_s|heavy\.cache_full_s|full\.(start_s|all_promised_s)|trace"
)
# What no constant of the step's time goes into.
GIVEN = (
    r".*\.(rate|pages|limit)|chats\..*|chat\d\..*|question\..*|program\..*|early_s"
    r"|model\.(card_gb|card_share|activation_gb)"
)
STEPS_READING = r"step[45]\.took_ms|heavy\.took_max_ms"  # in these, computing takes longest
STEPS_WRITING = r"step[13]\.took_ms|heavy\.took_without_new_max_ms"  # in these, reading the memory does


class Change(NamedTuple):
    """A constant with another value, and which figures must then change and which must stay."""

    module: str
    old: str
    new: str
    must_change: str
    must_stay: str

    def __str__(self) -> str:
        """The constant's name."""
        return self.old.split(" = ")[0]


CHANGES = [
    Change(
        "step_time",
        "BYTES_PER_S = 2.039e12",
        "BYTES_PER_S = 1.9e12",
        rf"{TIMES}|{STEPS_WRITING}|model\.(gb_per_s|one_chat_ms|full_batch_ms|weights_ms)",
        rf"{GIVEN}|{STEPS_READING}|model\.(parameters_billion|weights_gb|tflop_per_s|kv_kib|real_card_pages)",
    ),
    Change(
        "step_time",
        "FLOP_PER_S = 312e12",
        "FLOP_PER_S = 290e12",
        rf"{TIMES}|{RUN}\.tbt_p99_m?s|{STEPS_READING}|model\.tflop_per_s",
        rf"{GIVEN}|{STEPS_WRITING}|model\.(gb_per_s|one_chat_ms|full_batch_ms|weights_ms|real_card_pages)",
    ),
    Change(
        "step_time",
        "KV_BYTES_PER_TOKEN = 131_072",
        "KV_BYTES_PER_TOKEN = 262_144",
        rf"{TIMES}|step3\.took_ms|model\.(kv_kib|page_mib|cache_mib|real_card_pages|full_batch_ms)",
        rf"{GIVEN}|{STEPS_READING}|model\.(weights_gb|weights_ms|tflop_per_s|gb_per_s)",
    ),
    Change(
        "step_time",
        "PARAMETERS = 8.03e9",
        "PARAMETERS = 9e9",
        rf"{TIMES}|{RUN}\.tbt_p99_m?s|{STEPS_READING}|model\.parameters_billion",
        rf"{GIVEN}|{STEPS_WRITING}|model\.(weights_gb|one_chat_ms|full_batch_ms|kv_kib)",
    ),
    Change(
        "step_time",
        "WEIGHT_BYTES = 16.06e9",
        "WEIGHT_BYTES = 17e9",
        rf"{TIMES}|{STEPS_WRITING}|model\.(weights_gb|weights_ms|one_chat_ms|full_batch_ms|real_card_pages)",
        rf"{GIVEN}|{STEPS_READING}|model\.(parameters_billion|kv_kib|cache_mib)",
    ),
    Change(
        "tiny_server",
        "PAGE_TOKENS = 16",
        "PAGE_TOKENS = 24",
        r"program\.PAGE_TOKENS|(heavy|few_pages)\.(ttft_p99_s|chats_per_s|cache_steps)"
        rf"|{RUN}\.pages_max"
        r"|chat\d\.pages|question\.pages|chats\.longest_pages|step1\.held|full\.(step|start_s)"
        r"|model\.(page_mib|cache_mib|real_card_pages)|grew\.ttft_p99_s_times|trace",
        # With light load nobody is held out, however large a page is.
        rf"{RUN}\.(rate|pages|limit)|light\.(ttft|tbt|tpot).*|chat\d\.(prompt|reply|sent_s)|early_s",
    ),
    Change(
        "tiny_server",
        "QUEUE_FLOOR = 4",
        "QUEUE_FLOOR = 1",
        r"program\.QUEUE_FLOOR|few_places\.wall",
        r"(?!program\.QUEUE_FLOOR|few_places\.wall).*",
    ),
]
each_change = pytest.mark.parametrize("change", CHANGES, ids=str)
Figures = dict[str, dict[str, Any]]


class ChangedFigures:
    """The figures of packages in which one constant is another, each computed once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known: dict[Change, Figures] = {}

    def of(self, change: Change) -> Figures:
        """Those of a change; the proposed edits rest on the text of tiny_server.py, so are left out there."""
        if change not in self.known:
            package = copy_package(self.folder / str(change), change.module, change.old, change.new)
            groups = [*QUICK, "edits"] if change.module == "step_time" else QUICK
            self.known[change] = compute_figures(package, groups)
        return self.known[change]


@pytest.fixture(scope="module")
def changed_figures(tmp_path_factory: pytest.TempPathFactory) -> ChangedFigures:
    """One for all tests."""
    return ChangedFigures(tmp_path_factory.mktemp("changed"))


@pytest.fixture(scope="module")
def true_figures(tmp_path_factory: pytest.TempPathFactory) -> Figures:
    """The figures of the package as it is."""
    package = copy_package(tmp_path_factory.mktemp("true") / "py")
    return compute_figures(package, [*QUICK, "edits", "surprise"])


def values(figures: Figures, pattern: str) -> dict[str, Any]:
    """The values of the figures whose whole name is of a pattern and that are there at all."""
    found = {name: figure["value"] for name, figure in figures.items() if re.fullmatch(pattern, name)}
    return {name: value for name, value in found.items() if value is not None}


@each_change
def test_a_changed_constant_changes_what_depends_on_it_and_nothing_else(
    change: Change, true_figures: Figures, changed_figures: ChangedFigures
) -> None:
    changed = changed_figures.of(change)
    before, after = values(true_figures, change.must_change), values(changed, change.must_change)
    assert before and set(before) == set(after)
    assert [name for name in before if before[name] == after[name]] == []
    kept = values(changed, change.must_stay)
    assert kept
    assert kept == {name: true_figures[name]["value"] for name in kept}


@pytest.mark.parametrize("change", [each for each in CHANGES if each.module == "step_time"], ids=str)
def test_it_changes_the_figures_of_the_proposed_edits_too(
    change: Change, true_figures: Figures, changed_figures: ChangedFigures
) -> None:
    changed = changed_figures.of(change)
    depends = rf"{EDITED}\.(tbt_p50|tpot_p50|tpot_p99)_m?s|{EDITED}\.chats_per_s|prompt_only\.error"
    before, after = values(true_figures, depends), values(changed, depends)
    assert before and set(before) == set(after)
    assert [name for name in before if before[name] == after[name]] == []


@pytest.mark.parametrize("change", [each for each in CHANGES if each.module == "step_time"], ids=str)
def test_what_is_told_of_two_runs_breaks_the_build_where_it_is_no_longer_true(
    change: Change, tmp_path: Path
) -> None:
    package = copy_package(tmp_path / "py", *change[:3])
    with pytest.raises(ValueError, match="the lesson says that more pages make p99 longer, the longest wait"):
        compute_figures(package, ["surprise"])


def test_what_is_told_of_two_runs_is_computed_anew_where_it_is_still_true(
    true_figures: Figures, tmp_path: Path
) -> None:
    little_faster = ("step_time", "BYTES_PER_S = 2.039e12", "BYTES_PER_S = 2.0391e12")
    changed = compute_figures(copy_package(tmp_path / "py", *little_faster), ["surprise"])
    depends = r"surprise\..*_s"
    before, after = values(true_figures, depends), values(changed, depends)
    assert before and set(before) == set(after)
    assert [name for name in before if before[name] == after[name]] == []


def test_an_edit_that_finds_its_text_no_more_breaks_the_build(tmp_path: Path) -> None:
    package = copy_package(tmp_path / "py", "tiny_server", "PAGE_TOKENS = 16", "PAGE_TOKENS = 32")
    with pytest.raises(ValueError, match=r"an edit must find its text once .* not 0 times: 'PAGE_TOK"):
        compute_figures(package, ["edits"])


def test_a_page_of_part_of_a_mebibyte_breaks_the_build(tmp_path: Path) -> None:
    package = copy_package(tmp_path / "py", "tiny_server", "PAGE_TOKENS = 16", "PAGE_TOKENS = 20")
    with pytest.raises(ValueError, match="in units of 1048576, of which it is no multiple"):
        compute_figures(package, ["model"])


def test_a_doubling_that_changes_a_digit_breaks_the_build(tmp_path: Path) -> None:
    """The lesson says that it changes none, which is so only with 480 pages or more."""
    package = copy_package(tmp_path / "py", "lesson", "MORE_PAGES = 480", "MORE_PAGES = 300")
    with pytest.raises(ValueError, match="doubling 300 pages changes no digit, but it does"):
        compute_figures(package, ["runs"])


# ---- The text that is built from them ----------------------------------------------------------------------


def shown(template_text: str, figures: Figures) -> str:
    """A text of the template with its figures in, put there by another code than the build's."""

    def text_of(found: re.Match[str]) -> str:
        name, _, decimals = found[1].partition(":")
        figure = figures[name]
        return f"{figure['value']:,.{int(decimals)}f}" if decimals else str(figure["text"])

    return PLACEHOLDER.sub(text_of, template_text)


INNERMOST = {"button", "code", "dd", "figcaption", "h2", "li", "p", "pre", "summary", "td", "title"}


def texts_with_figures(root: Element) -> list[str]:
    """The texts of the template's elements that hold running text and name figures."""
    return [
        text
        for element in root.all()
        if element.tag in INNERMOST
        and PLACEHOLDER.search(text := element.text())
    ]


def attributes_of(root: Element) -> set[tuple[str, str]]:
    """All attributes in a page, each with its value."""
    return {attribute for element in root.all() for attribute in element.attributes.items()}


@pytest.mark.browser
@pytest.mark.parametrize("change", CHANGES[:3], ids=str)
def test_the_built_text_shows_the_changed_figures_and_the_old_ones_no_more(
    change: Change,
    true_figures: Figures,
    changed_figures: ChangedFigures,
    prerendering: Prerender,
    tmp_path: Path,
) -> None:
    old = prerendering.figures()
    assert {name: old[name] for name in true_figures} == true_figures
    new = {**old, **changed_figures.of(change)}
    template = TEMPLATE.read_text("utf-8")
    done = prerendering.render(template, tmp_path / "built", new)
    assert done.returncode == 0, done.stderr
    page = parse((tmp_path / "built" / "index.html").read_text("utf-8"))
    # Widget, kitchen and drawings show the first answer, which is not changed here.
    for drawn in [page.only(id="kitchen-live"), page.only(id="widget"), *page.find("svg")]:
        drawn.children.clear()
    built = page.text()
    texts = texts_with_figures(parse(template))
    moved = [text for text in texts if shown(text, old) != shown(text, new)]
    assert len(texts) > 50 and len(moved) > 10
    for text in texts:
        assert shown(text, new) in built
    for text in moved:
        assert shown(text, old) not in built
    in_attributes = attributes_of(page)
    named = [(name, value) for name, value in attributes_of(parse(template)) if PLACEHOLDER.search(value)]
    assert len(named) > 10
    assert [each for each in named if (each[0], shown(each[1], new)) not in in_attributes] == []


def test_what_is_plain_here_is_plain_in_the_build() -> None:
    """The elements whose figures are plain text are those of lesson-text.js."""
    source = (TEMPLATE.parent / "lesson-text.js").read_text("utf-8")
    named = re.search(r"PLAIN = new Set\(\[(.*?)\]\)", source)
    assert named is not None
    assert set(re.findall(r'"(\w+)"', named[1].lower())) == PLAIN


# ---- Decimals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("a.ttft_p99_s", 3.4918, "3.49"),
        ("a.ttft_p99_s", 0.1, "0.10"),
        ("a.ttft_p99_s", 0.0999, "0.100"),
        ("a.ttft_p99_s", 0.0416, "0.042"),
        ("a.tbt_p99_ms", 31.347, "31.3"),
        ("a.tbt_p99_ms", 0.04, "0.0"),
        ("a.chats_per_s", 27.34, "27.3"),
        ("a.b_times", 83.95, "84.0"),
        ("a.b_times", 10.0, "10.0"),
        ("a.b_times", 1.491, "1.49"),
        ("a.weights_gb", 16.06, "16.06"),
        ("a.parameters_billion", 8.03, "8.03"),
        ("a.card_share", 0.9, "0.90"),
        ("a.steps", 1559, "1,559"),
        ("a.wall", "cache", "cache"),
        ("a.cache_full_s", None, "–"),
    ],
)
def test_the_decimals_go_by_the_unit(name: str, value: Any, text: str) -> None:
    assert lesson_figures().text_of(name, value) == text


def test_a_fraction_without_a_unit_has_no_text() -> None:
    with pytest.raises(ValueError, match=r"the name a\.length tells no unit"):
        lesson_figures().text_of("a.length", 1.5)


@pytest.mark.parametrize(("key", "decimals"), [("ttft_p99_s", 1), ("tbt_p99_s", 2)])
def test_how_many_times_is_the_busy_run_over_the_light_one(
    key: str, decimals: int, true_figures: Figures
) -> None:
    light, heavy = (load_test(chats(), rate, pages=240, limit=16)[key] for rate in (10, 40))
    figure = true_figures[f"grew.{key}_times"]
    assert figure["value"] == heavy / light
    assert figure["text"] == f"{heavy / light:.{decimals}f}"


def test_the_figures_of_some_groups_are_those_of_all(true_figures: Figures, tmp_path: Path) -> None:
    few = compute_figures(copy_package(tmp_path / "py"), ["chats", "model"])
    assert few == {name: true_figures[name] for name in few}
    assert {name.split(".")[0] for name in few} >= {"chats", "model"}
