"""The kitchen shows who is where, as the plain reference loop saw it, and follows the reader's hand."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

import build
from tests.browser.conftest import Errors, Visit
from tests.browser.kitchen_page import HERE, make_kitchen_page, recorded
from tests.browser.test_access import COLOURS, LEAST_GRAPHIC, contrast, palette, violations
from tests.browser.widget import wait_until
from tests.conftest import serving
from tests.native.cases import Case, case_of, pages_needed, run_plain
from tests.reference.plain_report import nearest_rank
from tests.reference.plain_server import PlainRun
from tinyserve import chats
from tinyserve.view import answer

pytestmark = pytest.mark.browser

SETTINGS = [(40, 240, 16), (40, 480, 24), (20, 60, 8)]
HEAVY = SETTINGS[0]
FIRST_HELD_OUT = 35  # of the heavy run, counted from 1
WIDE: ViewportSize = {"width": 1140, "height": 900}


@pytest.fixture(scope="module")
def kitchen_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a page with nothing but the kitchen is served."""
    folder = tmp_path_factory.mktemp("kitchen")
    make_kitchen_page(folder)
    with serving(folder) as address:
        yield address


@pytest.fixture(scope="module")
def shared_kitchen(chromium: Browser, kitchen_address: str) -> Iterator[Page]:
    """One kitchen for all tests that only show runs in it."""
    errors = Errors()
    context = chromium.new_context(viewport=WIDE)
    errors.watch(context)
    page = context.new_page()
    page.goto(kitchen_address)
    yield page
    context.close()
    errors.check()


@pytest.fixture
def kitchen(page: Page, kitchen_address: str) -> Page:
    """A kitchen of its own with the heavy run in it."""
    page.set_viewport_size(WIDE)
    page.goto(kitchen_address)
    show(page, HEAVY)
    return page


def show(page: Page, setting: tuple[int, int, int], title: str = "A run") -> None:
    """Hands a run to the kitchen."""
    page.evaluate("([run, title]) => window.kitchen.show(run, title)", [recorded(*setting), title])


def go_to(page: Page, step: int) -> None:
    """Moves the time bar as a hand does; steps are counted from 1."""
    time_bar(page).evaluate(
        "(bar, step) => { bar.value = String(step); bar.dispatchEvent(new Event('input')); }", step
    )


def time_bar(page: Page) -> Locator:
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
            left = f"{case.pages - promised} left"
            if case.pages - promised != case.pages - step.held - step.owed:
                left = f"{case.pages - promised} were left"
            assert f"too few pages: needs {needs}, {left}" in shape["labels"]
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


# ---- The player --------------------------------------------------------------------------------------------


def step_told(page: Page) -> int:
    """The step that the time bar tells, counted from 1."""
    told = re.match(r"step ([\d,]+) of", time_bar(page).get_attribute("aria-valuetext") or "")
    assert told is not None
    return int(told.group(1).replace(",", ""))


def looks(page: Page) -> str:
    """The whole drawing: all elements with their attributes in order, but for where the focus would go."""
    return str(
        page.locator(".kitchen svg").evaluate(
            """(svg) => JSON.stringify(Array.from(svg.querySelectorAll("*"), (node) => [
              node.tagName, node.firstElementChild === null ? node.textContent : "",
              Array.from(node.attributes, ({ name, value }) => [name, value])
                .filter(([name]) => name !== "tabindex").sort(),
            ]))"""
        )
    )


def press(page: Page, name: str) -> None:
    """Presses a button of the player."""
    page.get_by_role("button", name=name, exact=True).click()


def told(page: Page, what: str) -> list[Any]:
    """What the page around has been told."""
    return list(page.evaluate("(what) => window.kitchen.told[what]", what))


def test_it_opens_where_the_cache_fills(kitchen: Page) -> None:
    case, run = plain(HEAVY)
    first = next(at for at, step in enumerate(run.steps) if step.cache_held_out)
    start_s, seen = run.steps[first].start, run.snapshots[first]
    moment = f"{start_s:.3f} s"
    step = f"step {first + 1} of {len(run.steps):,}, {moment}"
    assert time_bar(kitchen).get_attribute("aria-valuetext") == step
    assert told(kitchen, "moments") == [[first, pytest.approx(start_s)]]
    words = f"{len(seen.waiting)} chats waiting, {len(seen.words)} of {case.limit} places taken"
    expect(kitchen.get_by_role("group", name=f"at {moment}: {words}")).to_have_count(1)


def test_one_step_back_and_forth_and_by_the_arrow_keys(kitchen: Page) -> None:
    press(kitchen, "One step")
    assert step_told(kitchen) == FIRST_HELD_OUT + 1
    press(kitchen, "Back one step")
    press(kitchen, "Back one step")
    assert step_told(kitchen) == FIRST_HELD_OUT - 1
    time_bar(kitchen).focus()
    kitchen.keyboard.press("ArrowRight")
    assert step_told(kitchen) == FIRST_HELD_OUT
    kitchen.keyboard.press("Home")
    back = kitchen.get_by_role("button", name="Back one step")
    expect(back).to_be_disabled()
    back.dispatch_event("click")
    assert step_told(kitchen) == 1
    time_bar(kitchen).focus()
    kitchen.keyboard.press("End")
    forward = kitchen.get_by_role("button", name="One step", exact=True)
    expect(forward).to_be_disabled()
    forward.dispatch_event("click")
    assert step_told(kitchen) == len(recorded(*HEAVY)["columns"]["start_s"])


def test_it_jumps_to_where_the_cache_fills_and_to_the_longest_queue(kitchen: Page) -> None:
    press(kitchen, "Jump to the longest queue")
    queue = recorded(*HEAVY)["columns"]["queue"]
    assert step_told(kitchen) == queue.index(max(queue)) + 1
    press(kitchen, "Jump to where the cache fills")
    assert step_told(kitchen) == FIRST_HELD_OUT


def test_what_never_happens_cannot_be_jumped_to(kitchen: Page) -> None:
    show(kitchen, (40, 960, 40))
    expect(kitchen.get_by_role("button", name="Jump to where the cache fills")).to_be_disabled()


def test_it_plays_pauses_and_ends(kitchen: Page) -> None:
    press(kitchen, "Play")
    wait_until(kitchen, f"() => document.querySelector('.time-bar').valueAsNumber > {FIRST_HELD_OUT + 2}")
    press(kitchen, "Pause")
    rested = step_told(kitchen)
    kitchen.wait_for_timeout(300)
    assert step_told(kitchen) == rested
    steps = [step for step, _ in told(kitchen, "moments")]
    assert steps == sorted(steps)
    time_bar(kitchen).focus()
    kitchen.keyboard.press("End")
    kitchen.keyboard.press("ArrowLeft")
    press(kitchen, "Play")
    expect(kitchen.get_by_role("button", name="Play", exact=True)).to_be_visible()
    last = step_told(kitchen)
    assert last == int(time_bar(kitchen).get_attribute("max") or "")
    press(kitchen, "Play")
    wait_until(kitchen, "() => document.querySelector('.time-bar').valueAsNumber < 20")


def test_a_change_of_speed_leaves_one_play_under_way(kitchen: Page) -> None:
    kitchen.evaluate(
        """() => {
          const original = window.requestAnimationFrame;
          window.asked = 0;
          window.requestAnimationFrame = (callback) => {
            window.asked += 1;
            return original(callback);
          };
        }"""
    )
    press(kitchen, "Play")
    for index in (0, 1, 0, 1, 0):
        kitchen.get_by_role("combobox", name="Speed").select_option(index=index)
    frames = 20
    asked = kitchen.evaluate(
        """async (frames) => {
          const before = window.asked;
          for (let frame = 0; frame < frames; frame += 1) {
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
          return window.asked - before - frames;
        }""",
        frames,
    )
    assert 0 < asked <= frames + 1


def test_it_pauses_when_the_page_is_hidden(kitchen: Page) -> None:
    press(kitchen, "Play")
    kitchen.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(kitchen.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_step_asked_for_before_there_is_a_run_is_shown_first(page: Page, kitchen_address: str) -> None:
    page.goto(kitchen_address)
    page.evaluate("() => window.kitchen.goTo(99)")
    show(page, HEAVY)
    assert step_told(page) == 99 + 1


def test_in_real_time_the_run_takes_as_long_as_it_took(kitchen: Page) -> None:
    kitchen.get_by_role("combobox", name="Speed").select_option("real time")
    began = kitchen.evaluate("() => performance.now()")
    press(kitchen, "Play")
    wait_until(kitchen, "() => document.querySelector('.time-bar').valueAsNumber > 150")
    passed_s = (kitchen.evaluate("() => performance.now()") - began) / 1000
    start_s = recorded(*HEAVY)["columns"]["start_s"]
    assert passed_s >= start_s[150] - start_s[FIRST_HELD_OUT - 1]


def test_the_same_step_looks_the_same_whichever_way_it_is_reached(kitchen: Page) -> None:
    at_first = looks(kitchen)
    for step in (700, 1, 1559, 36, 34):
        go_to(kitchen, step)
    press(kitchen, "One step")
    assert looks(kitchen) == at_first
    press(kitchen, "Play")
    wait_until(kitchen, f"() => document.querySelector('.time-bar').valueAsNumber > {FIRST_HELD_OUT}")
    press(kitchen, "Pause")
    go_to(kitchen, FIRST_HELD_OUT)
    assert looks(kitchen) == at_first


def test_with_reduced_motion_there_are_steps_only(visit: Visit, kitchen_address: str) -> None:
    page = visit(viewport=WIDE, reduced_motion="reduce")
    page.goto(kitchen_address)
    show(page, HEAVY)
    expect(page.get_by_role("button", name="Play")).to_have_count(0)
    expect(page.get_by_role("combobox", name="Speed")).to_have_count(0)
    press(page, "One step")
    assert step_told(page) == FIRST_HELD_OUT + 1


def test_another_run_is_shown_at_the_same_time(kitchen: Page) -> None:
    go_to(kitchen, 700)
    time_s = recorded(*HEAVY)["columns"]["start_s"][699]
    show(kitchen, (40, 480, 24), "Yours")
    start_s = recorded(40, 480, 24)["columns"]["start_s"]
    assert step_told(kitchen) == sum(each <= time_s for each in start_s)
    expect(kitchen.get_by_text("Yours")).to_be_visible()
    expect(kitchen.get_by_text("40 chats a second, 480 pages, 24 places in the batch")).to_be_visible()


def test_a_run_that_broke_off_is_shown_up_to_there(kitchen: Page) -> None:
    steps = 40
    run = recorded(*HEAVY)
    run["columns"] = {name: values[:steps] for name, values in run["columns"].items()}
    who = run["intervals"]
    who["is_served"] = [int(last < steps) for last in who["last_step"]]
    for name in ("sent_step", "joined_step", "last_step", "page_to"):
        who[name] = [min(step, steps) for step in who[name]]
    taken = [at for at, step in enumerate(who["page_from"]) if step < steps]
    for name in ("page", "page_chat", "page_from", "page_to"):
        who[name] = [who[name][at] for at in taken]
    kitchen.evaluate("(run) => window.kitchen.show(run, 'Yours, up to where it broke off')", run)
    cut = json.loads(kitchen.evaluate("() => JSON.stringify(window.kitchen.shapes())"))
    show(kitchen, HEAVY)
    whole = []
    for step in (1, 20, steps):
        go_to(kitchen, step)
        whole.append(json.loads(kitchen.evaluate("() => JSON.stringify(window.kitchen.shapesNow())")))
    assert len(cut) == steps
    for at, shape in zip((0, 19, steps - 1), whole, strict=True):
        for part in ("slips", "places", "pages", "missing", "labels"):
            assert cut[at][part] == shape[part]


def test_chats_that_join_before_they_are_sent_are_drawn(kitchen: Page) -> None:
    run = recorded(*HEAVY)
    who = run["intervals"]
    who["joined_step"] = [0] * len(who["joined_step"])
    kitchen.evaluate("(run) => window.kitchen.show(run, 'Yours')", run)
    for step in (1, 2, 700):
        go_to(kitchen, step)
        numbers = kitchen.locator(".kitchen svg").inner_html()
        assert re.findall(r'(?:width|height)="-|NaN|undefined|Infinity', numbers) == []


def test_a_run_without_a_step_says_so(kitchen: Page) -> None:
    run = recorded(*HEAVY)
    run["columns"] = {name: [] for name in run["columns"]}
    who = run["intervals"]
    chat_count = len(who["sent_s"])
    for name in ("sent_step", "joined_step", "last_step", "is_served"):
        who[name] = [0] * chat_count
    for name in ("page", "page_chat", "page_from", "page_to"):
        who[name] = []
    kitchen.evaluate("(run) => window.kitchen.show(run, 'Yours')", run)
    expect(kitchen.get_by_text("This run has no step that could be shown.").first).to_be_visible()
    expect(kitchen.locator(".kitchen svg")).to_be_hidden()
    expect(kitchen.get_by_role("button", name="Play")).to_be_disabled()
    show(kitchen, HEAVY)
    expect(kitchen.locator(".kitchen svg")).to_be_visible()
    assert step_told(kitchen) == FIRST_HELD_OUT


# ---- Chats and parts ---------------------------------------------------------------------------------------


def story(page: Page) -> dict[str, list[str]]:
    """The story of the chat that is pointed at: what -> figure and what is added to it."""
    return {
        cell.locator("dt").inner_text(): [each for each in cell.locator("dd").all_inner_texts() if each]
        for cell in page.locator(".story > div").all()
    }


def lit(page: Page, what: str) -> set[str | None]:
    """The chats of lit slips, places or pages."""
    return {node.get_attribute("data-chat") for node in page.locator(f".{what}.lit").all()}


def test_a_chat_that_is_pointed_at_tells_its_story_and_lights_up_everywhere(kitchen: Page) -> None:
    case, run = plain(HEAVY)
    chat = 13
    kitchen.locator(f".place[data-chat='{chat}']").hover()
    told = story(kitchen)
    first_s = run.first_word[chat] - run.sent[chat]
    assert told["Chat"] == [str(chat), "in the batch"]
    assert told["Sent"] == [f"{run.sent[chat]:.3f} s"]
    joined = run.joined_step[chat]
    assert told["Admitted"] == [f"{run.steps[joined].start:.3f} s", f"step {joined + 1}"]
    assert told["First word"] == [f"{run.first_word[chat]:.3f} s", f"after {written_s(first_s)} s"]
    assert told["Last word"] == [f"{run.last_word[chat]:.3f} s", f"step {joined + case.replies[chat]}"]
    assert told["Prompt"] == [f"{case.prompts[chat]} words"]
    seen = run.snapshots[FIRST_HELD_OUT - 1]
    assert told["Reply"] == [f"{case.replies[chat]} words", f"{seen.words[chat]} made"]
    held = len(seen.page_tables[chat])
    assert told["Pages"] == [str(pages_needed(case.prompts[chat] + case.replies[chat])), f"{held} held"]
    assert lit(kitchen, "place") == lit(kitchen, "page") == {str(chat)}
    expect(kitchen.locator(".page.lit")).to_have_count(held)
    kitchen.locator(".page[data-chat='3']").first.hover()
    assert lit(kitchen, "place") == lit(kitchen, "page") == {"3"}
    kitchen.mouse.move(5, 5)
    assert lit(kitchen, "place") == lit(kitchen, "page") == set()
    assert story(kitchen)["Chat"] == ["pick one"]


def test_chats_by_keyboard(kitchen: Page) -> None:
    front, second = map(str, plain(HEAVY)[1].snapshots[FIRST_HELD_OUT - 1].waiting[:2])
    kitchen.locator(".slip").first.focus()
    assert story(kitchen)["Chat"] == [front, "waits"]
    kitchen.keyboard.press("ArrowRight")
    assert story(kitchen)["Chat"] == [second, "waits"]
    assert lit(kitchen, "slip") == {second}
    kitchen.keyboard.press("Tab")  # each group is one stop
    assert kitchen.evaluate("() => document.activeElement.getAttribute('class')").startswith("place")
    kitchen.keyboard.press("End")
    kitchen.keyboard.press("Home")
    first = kitchen.locator(".place").first
    expect(first).to_be_focused()
    chat = first.get_attribute("data-chat")
    kitchen.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "true")
    time_bar(kitchen).focus()
    kitchen.keyboard.press("ArrowRight")
    assert lit(kitchen, "place") == {chat}, "a pinned chat is followed"
    first.focus()
    kitchen.keyboard.press("Escape")
    time_bar(kitchen).focus()
    assert lit(kitchen, "place") == set()


def test_the_focus_goes_with_its_chat(kitchen: Page) -> None:
    """A chat that waits becomes one that runs: its slip is another element than its place."""
    slip = kitchen.locator(".slip").first
    slip.focus()
    chat = slip.get_attribute("data-chat")
    assert chat is not None
    joined = recorded(*HEAVY)["intervals"]["joined_step"][int(chat)]
    kitchen.evaluate("(step) => window.kitchen.goTo(step)", joined)
    expect(kitchen.locator(f".place[data-chat='{chat}']")).to_be_focused()
    assert lit(kitchen, "place") == {chat}
    # Once it has left, whoever stands in its place is followed.
    last = recorded(*HEAVY)["intervals"]["last_step"][int(chat)]
    kitchen.evaluate("(step) => window.kitchen.goTo(step)", last + 2)
    focused = kitchen.evaluate("document.activeElement.dataset.chat")
    assert focused != chat
    assert story(kitchen)["Chat"][0] == (focused or "pick one")


def test_a_key_held_with_another_is_left_to_the_browser(kitchen: Page) -> None:
    kitchen.locator(".slip").first.focus()
    for key in ("Alt+ArrowRight", "Control+End", "Meta+ArrowDown"):
        kitchen.keyboard.press(key)
        expect(kitchen.locator(".slip").first).to_be_focused()


def test_a_parts_number_tells_the_page_which_part(kitchen: Page) -> None:
    badge = kitchen.get_by_role("button", name="Part 4: The shelf, the cache")
    badge.focus()
    assert told(kitchen, "parts") == [4]
    time_bar(kitchen).focus()
    assert told(kitchen, "parts") == [4, None]
    kitchen.get_by_role("button", name="Part 2: The door, admission").hover()
    assert told(kitchen, "parts")[-1] == 2
    kitchen.mouse.move(5, 5)
    assert told(kitchen, "parts")[-1] is None
    badge.focus()
    kitchen.get_by_role("button", name="Part 2: The door, admission").hover()
    kitchen.mouse.move(5, 5)
    assert told(kitchen, "parts")[-1] == 4, "one whose number has the focus stays"


# ---- Room and readers --------------------------------------------------------------------------------------

OVERHANG = """() => {
  const svg = document.querySelector(".kitchen svg");
  const room = svg.getBoundingClientRect();
  const isOutside = ({ width, left, right }) => width > 0 && (left < room.left - 2 || right > room.right + 1);
  const texts = Array.from(svg.querySelectorAll("text"));
  const outside = texts.filter((text) => isOutside(text.getBoundingClientRect()));
  const spots = Array.from(svg.querySelectorAll(".slip, .place, .page"), (node) =>
    ["transform", "x", "y"].map((name) => node.getAttribute(name)).join());
  return [
    outside.map(({ textContent }) => textContent),
    document.documentElement.scrollWidth - innerWidth,
    spots.length - new Set(spots).size,
  ];
}"""


@pytest.mark.parametrize("width", [320, 390, 500, 650, 760, 900, 1140])
def test_everything_has_room(page: Page, kitchen_address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(kitchen_address)
    for setting, step in ((HEAVY, FIRST_HELD_OUT), (HEAVY, 700), ((60, 960, 40), 200), ((10, 60, 1), 50)):
        show(page, setting)
        go_to(page, step)
        outside, too_wide, on_top_of_another = page.evaluate(OVERHANG)
        assert outside == []
        assert too_wide <= 0
        assert on_top_of_another == 0


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_chats_colour_stands_out_from_the_paper_and_from_what_is_free(scheme: int) -> None:
    style = (HERE.parents[1] / "web" / "kitchen.css").read_text("utf-8")
    found = re.findall(r"--(hue\d|bed): light-dark\((#\w{6}), (#\w{6})\);", style)
    colours = {name: pair[scheme] for name, *pair in found}
    bed = colours.pop("bed")
    assert len(set(colours.values())) == 8
    for name, colour in colours.items():
        assert contrast(colour, palette()["paper"][scheme]) >= LEAST_GRAPHIC, name
        assert contrast(colour, bed) >= LEAST_GRAPHIC, name


@pytest.mark.parametrize("width", [1140, 390])
def test_axe_finds_nothing_in_the_kitchen(visit: Visit, kitchen_address: str, width: int) -> None:
    for colours in COLOURS:
        page = visit(viewport={"width": width, "height": 900}, bypass_csp=True, **colours)
        page.goto(kitchen_address)
        show(page, HEAVY)
        assert [each for each in violations(page) if not each.startswith(("region", "page-has-"))] == []


def test_the_still_drawing_shows_what_the_living_one_does(
    page: Page, kitchen_address: str, tmp_path: Path
) -> None:
    bundle = tmp_path / "still.mjs"
    build.esbuild(
        HERE / "kitchen_still.js", f"--outfile={bundle}", "--bundle", "--platform=node", "--format=esm"
    )
    (tmp_path / "run.json").write_text(json.dumps(recorded(*HEAVY)), "utf-8")
    html = subprocess.run(
        ["node", bundle, tmp_path / "run.json"], capture_output=True, text=True, check=True
    ).stdout
    page.set_viewport_size(WIDE)
    page.goto(kitchen_address)
    page.evaluate("(html) => { document.querySelector('main').innerHTML = html; }", html)
    expect(page.locator(".kitchen svg:visible")).to_have_count(1)
    height = page.locator(".kitchen").bounding_box()
    still = drawn_attributes(page)
    show(page, HEAVY)
    assert drawn_attributes(page) == still
    assert page.locator(".kitchen").bounding_box() == height, "nothing moves when the script takes over"


def drawn_attributes(page: Page) -> Any:
    """What is seen of the kitchen: who is where, and every word."""
    return page.evaluate(
        """() => Array.from(
          document.querySelectorAll(".kitchen svg:not(.narrow) :is(.slip, .place, .page, text)"),
          (node) => [node.getAttribute("class"), node.dataset.chat ?? "", node.textContent])"""
    )


# ---- The chart's cursor, and a widget that is moved from outside ------------------------------------------


def mount_widget(page: Page, lock: str = "") -> None:
    """Puts a widget with the heavy run below the kitchen."""
    run = recorded(*HEAVY)
    report = json.loads(answer(*HEAVY, 0)[0])
    chosen = {"settings": run["settings"], "report": report, "columns": run["columns"]}
    light = {"settings": {**run["settings"], "rate": 10}, "report": json.loads(answer(10, 240, 16, 0)[0])}
    page.evaluate(
        "([first, lock]) => window.kitchen.mountWidget(first, lock)",
        [{"chosen": chosen, "light": light}, lock],
    )


def test_the_chart_of_the_cache_shows_the_moment(kitchen: Page) -> None:
    mount_widget(kitchen)
    cursor = kitchen.locator("#cache-fill .cursor")
    expect(cursor).to_have_count(0)
    before = kitchen.locator("#cache-fill .lane").first.evaluate("(node) => node.outerHTML")
    kitchen.evaluate("() => window.widget.showTime(1.5)")
    expect(cursor.locator("line")).to_have_count(3)
    ticks = kitchen.locator("#cache-fill .time.axis .domain")
    axis, line = ticks.bounding_box(), cursor.locator("line").first.bounding_box()
    assert axis is not None
    assert line is not None
    assert line["x"] == pytest.approx(axis["x"] + axis["width"] / 2, abs=1.5)
    assert kitchen.locator("#cache-fill .lane").first.evaluate("(node) => node.outerHTML") == before
    kitchen.evaluate("() => window.widget.showTime(3.5)")
    expect(cursor).to_have_count(0)
    kitchen.get_by_role("radio", name="whole run").check()
    expect(cursor).to_have_count(1)
    kitchen.evaluate("() => window.widget.showTime(null)")
    expect(cursor).to_have_count(0)


def test_a_widget_can_be_set_from_outside(kitchen: Page) -> None:
    mount_widget(kitchen, lock="pages")
    kitchen.evaluate("() => window.widget.set({ rate: 10, pages: 480, limit: 99 })")
    assert told(kitchen, "settings")[-1] == {"rate": 10, "pages": 240, "limit": 40, "shuffle": 0}
    expect(kitchen.get_by_role("slider", name="Chats a second")).to_have_value("10")
    expect(kitchen.get_by_role("slider", name="Cache pages")).to_have_value("240")
    said = "Cache pages: locked in this page; it stays at 240."
    expect(kitchen.get_by_text(said)).to_be_visible()
    kitchen.evaluate("() => window.widget.set({ rate: 20 })")
    expect(kitchen.get_by_text(said)).to_have_count(0)
