"""The kitchen shows who is where, as the plain reference loop saw it, and follows the reader's hand."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import build
from tests.browser.conftest import Errors
from tests.conftest import serving
from tests.native.cases import Case, case_of, run_plain
from tests.reference.plain_report import nearest_rank
from tests.reference.plain_server import PlainRun
from tinyserve import chats
from tinyserve.view import answer, lesson_intervals

HERE = Path(__file__).resolve().parent
SETTINGS = [(40, 240, 16), (40, 480, 24), (20, 60, 8)]
HEAVY = SETTINGS[0]
FIRST_HELD_OUT = 35  # of the heavy run, counted from 1
WIDE = {"width": 1140, "height": 900}

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<title>The kitchen</title>
<link rel="stylesheet" href="kitchen_page.css" />
<link rel="icon" href="data:," />
<main></main>
<script type="module" src="kitchen_page.js"></script>
"""


@pytest.fixture(scope="module")
def kitchen_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a page with nothing but the kitchen is served."""
    folder = tmp_path_factory.mktemp("kitchen")
    script = folder / "kitchen_page.js"
    build.bundle_script(HERE / "kitchen_page.js", script, folder / "meta.json", {})
    (folder / "index.html").write_text(PAGE, "utf-8")
    with serving(folder) as address:
        yield address


@pytest.fixture(scope="module")
def shared_kitchen(chromium: Browser, kitchen_address: str) -> Iterator[Page]:
    """One kitchen for all tests that only show runs in it."""
    errors = Errors()
    context = chromium.new_context(viewport={"width": 1140, "height": 900})
    errors.watch(context)
    page = context.new_page()
    page.goto(kitchen_address)
    yield page
    context.close()
    errors.check()


@pytest.fixture
def kitchen(page: Page, kitchen_address: str) -> Page:
    """A kitchen of its own with the heavy run in it."""
    page.set_viewport_size({"width": 1140, "height": 900})
    page.goto(kitchen_address)
    show(page, HEAVY)
    return page


def recorded(rate: int, pages: int, limit: int) -> dict[str, Any]:
    """A run of the lesson's chats as the page gets it, with lists in place of arrays."""
    _, columns = answer(rate, pages, limit, 0)
    who = lesson_intervals(rate, pages, limit, 0)
    return {
        "settings": {"rate": rate, "pages": pages, "limit": limit, "shuffle": 0},
        "columns": {name: column.tolist() for name, column in columns._asdict().items()},
        "intervals": {name: column.tolist() for name, column in who._asdict().items()},
    }


def show(page: Page, setting: tuple[int, int, int], title: str = "A run") -> None:
    """Hands a run to the kitchen."""
    page.evaluate("([run, title]) => window.kitchen.show(run, title)", [recorded(*setting), title])


def go_to(page: Page, step: int) -> None:
    """Moves the time bar as a hand does; steps are counted from 1."""
    time_bar(page).evaluate(
        "(bar, step) => { bar.value = String(step); bar.dispatchEvent(new Event('input')); }", step
    )


def time_bar(page: Page) -> Any:
    """The slider over all steps."""
    return page.get_by_role("slider", name="Step of the run")


def plain(setting: tuple[int, int, int]) -> tuple[Case, PlainRun]:
    """What the reference loop saw."""
    case = case_of(chats(), *setting)
    return case, run_plain(case, watch=True)


# ---- The drawing against the reference, at every step ------------------------------------------------------


@pytest.fixture(scope="module", params=SETTINGS, ids=lambda setting: "/".join(map(str, setting)))
def drawn(request: pytest.FixtureRequest, shared_kitchen: Page) -> Any:
    """A setting, what the reference saw in each step, and the shapes that were drawn in each."""
    show(shared_kitchen, request.param)
    shapes = json.loads(shared_kitchen.evaluate("() => JSON.stringify(window.kitchen.shapes())"))
    case, run = plain(request.param)
    assert len(shapes) == len(run.steps)
    return case, run, shapes


def test_the_rail_holds_the_queue_front_first(drawn: Any) -> None:
    _, run, shapes = drawn
    for seen, shape in zip(run.snapshots, shapes, strict=True):
        drawn_chats = shape["slips"]
        assert drawn_chats == seen.waiting[: len(drawn_chats)]
        assert shape["slipTexts"] == [str(chat) for chat in drawn_chats]
        hidden = len(seen.waiting) - len(drawn_chats)
        assert shape["more"] == (f"+ {hidden} more" if hidden else "")
        assert not hidden or len(drawn_chats) > 40, "the rail has room for more"


def test_the_places_hold_the_batch_and_its_words(drawn: Any) -> None:
    case, run, shapes = drawn
    for at, (seen, shape) in enumerate(zip(run.snapshots, shapes, strict=True)):
        assert len(shape["places"]) == case.limit
        taken = {place[0]: place[1:] for place in shape["places"] if place[0] is not None}
        assert set(taken) == set(seen.words)
        for chat, (state, share, number) in taken.items():
            reply = case.replies[chat]
            assert share == pytest.approx(seen.words[chat] / reply, abs=1e-9)
            assert number == str(chat)
            is_leaving = seen.words[chat] == reply
            is_new = run.joined_step[chat] == at
            assert state == ("leaves" if is_leaving else "new" if is_new else "runs")
        assert all(place[1:] == ["empty", 0, ""] for place in shape["places"] if place[0] is None)


def test_a_chat_keeps_its_place(drawn: Any) -> None:
    _, _, shapes = drawn
    place_of: dict[int, int] = {}
    for shape in shapes:
        for place, (chat, *_) in enumerate(shape["places"]):
            if chat is not None:
                assert place_of.setdefault(chat, place) == place


def test_the_shelf_shows_every_page_with_its_chat(drawn: Any) -> None:
    case, run, shapes = drawn
    for seen, shape in zip(run.snapshots, shapes, strict=True):
        holders: list[int | None] = [None] * case.pages
        for chat, pages in seen.page_tables.items():
            for page in pages:
                holders[page] = chat
        assert shape["pages"] == holders
        hue_of = dict(zip([chat for chat in holders if chat is not None], shape["hues"], strict=True))
        painted = [hue_of[chat] for chat in holders if chat is not None]
        assert shape["hues"] == painted, "a chat has one colour"


def test_the_numbers_beside_are_the_references(drawn: Any) -> None:
    case, run, shapes = drawn
    for at, (step, shape) in enumerate(zip(run.steps, shapes, strict=True)):
        left = case.pages - step.held - step.owed
        for text in (
            f"{step.held} held",
            f"{step.owed} owed",
            f"{left} left",
            f"batch: {step.stepped} of {case.limit} places",
            f"{sum(sent <= step.start for sent in run.sent)} of 400 chats sent",
        ):
            assert text in shape["labels"]
        assert shape["time"] == f"step {at + 1:,} of {len(run.steps):,}, {step.start:.3f} s"


def test_the_door_tells_which_condition_is_missing(drawn: Any) -> None:
    case, run, shapes = drawn
    for step, seen, shape in zip(run.steps, run.snapshots, shapes, strict=True):
        missing = [
            name
            for name, is_missing in (("batch", step.batch_held_out), ("cache", step.cache_held_out))
            if is_missing
        ]
        assert shape["missing"] == missing
        assert shape["isShut"] == bool(missing)
        if step.cache_held_out:
            # At the door those who end in this step still have their pages.
            promised = sum(case.needs[chat] for chat in seen.words)
            needs = case.needs[seen.waiting[0]]
            assert f"too few pages: needs {needs}, {case.pages - promised} left" in shape["labels"]
        if step.batch_held_out:
            assert f"no free place: {case.limit} of {case.limit} taken" in shape["labels"]
        if missing:
            what = " and ".join({"batch": "a place", "cache": "pages"}[name] for name in missing)
            assert f"Chat {seen.waiting[0]} waits for {what}" in shape["labels"]


def test_the_clipboard_ticks_as_the_reference_would(drawn: Any) -> None:
    case, run, shapes = drawn
    first_words: list[float] = []
    gaps: list[float] = []
    finished = queue_max = by_cache = by_batch = 0
    for at, (step, seen, shape) in enumerate(zip(run.steps, run.snapshots, shapes, strict=True)):
        new = [chat for chat in seen.words if run.joined_step[chat] == at]
        first_words += [run.first_word[chat] - run.sent[chat] for chat in new]
        gaps += [step.took] * (step.stepped - step.joined)
        finished += sum(seen.words[chat] == case.replies[chat] for chat in seen.words)
        queue_max = max(queue_max, step.queue)
        by_cache += step.cache_held_out
        by_batch += step.batch_held_out
        values = dict(zip(shape["labels"], shape["labels"][1:], strict=False))
        assert values["chats finished"] == str(finished)
        assert values["longest queue"] == str(queue_max)
        assert values["steps held out by cache"] == f"{by_cache:,}"
        assert values["steps held out by batch"] == f"{by_batch:,}"
        if at % 50 == 0 or at == len(run.steps) - 1:
            p50, p99 = (written_s(ranked(first_words, percent)) for percent in (50, 99))
            assert values["first word, p50 / p99"] == f"{p50} / {p99} s"
            if gaps:
                p50, p99 = (f"{ranked(gaps, percent) * 1000:.1f}" for percent in (50, 99))
                assert values["gap, p50 / p99"] == f"{p50} / {p99} ms"


def ranked(values: list[float], percent: int) -> float:
    """A percentile of values, of which there are some."""
    value = nearest_rank(values, percent)
    assert value is not None
    return value


def written_s(seconds: float) -> str:
    """Hundredths of a second, thousandths below a tenth."""
    return f"{seconds:.3f}" if seconds < 0.1 else f"{seconds:.2f}"
