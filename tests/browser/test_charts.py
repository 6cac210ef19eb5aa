"""The charts show the run truly, keep their axes still, and draw no more than can be seen."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.browser.widget import START, Settings, Widget
from tinyserve import chats, load_test, serve
from tinyserve.lesson import RATE_LIGHT as LIGHT_RATE
from tinyserve.view import columns

pytestmark = pytest.mark.browser

FIRST_S = 3  # seconds that the chart of the cache shows at first
LINES = (
    ".lane.pages path.promised.line",
    ".lane.pages path.held.line",
    ".lane.queue path.queue.line",
    ".lane.batch path.batch.line",
)


def python_report(settings: Settings) -> dict[str, float]:
    return load_test(chats(settings["shuffle"]), settings["rate"], settings["pages"], settings["limit"])


def lane_scale(widget: Widget, lane: str) -> tuple[float, float]:
    """Pixels of the value 0, and pixels by which a value of 1 lies higher, read off the axis."""
    ticks = widget.chart("How the cache fills").locator(f".lane.{lane} .axis .tick")
    places = []
    for tick in ticks.all():
        words = (tick.text_content() or "").replace(",", "")
        shift = tick.get_attribute("transform") or ""
        places.append((float(words), float(shift.split(",")[1].rstrip(")"))))
    (low, low_y), *_, (high, high_y) = sorted(places)
    assert low == 0, "the axis starts at zero"
    return low_y, (low_y - high_y) / high


def time_scale(widget: Widget) -> tuple[float, float]:
    """Pixels of time 0, and pixels of a second, read off the axis of time."""
    ticks = widget.chart("How the cache fills").locator(".time .tick").all()
    places = []
    for tick in (ticks[0], ticks[-1]):
        shift = tick.get_attribute("transform") or ""
        places.append(
            (float(tick.text_content() or ""), float(shift.removeprefix("translate(").split(",")[0]))
        )
    (first, first_x), (last, last_x) = places
    per_s = (last_x - first_x) / (last - first)
    return first_x - first * per_s, per_s


def value_at(vertices: list[tuple[float, float]], x: float) -> float:
    """Height of a drawn line just right of a pixel."""
    at = max(index for index, (vertex_x, _) in enumerate(vertices) if vertex_x <= x)
    return vertices[at][1]


@pytest.mark.parametrize(
    "settings",
    [
        START,
        {**START, "pages": 480},
        {**START, "rate": 60, "limit": 40},
        {"rate": 1, "pages": 60, "limit": 2, "shuffle": 0},
    ],
)
@pytest.mark.parametrize("span", ["first 3 seconds", "whole run"])
def test_the_lines_pass_through_the_runs_extremes(
    shared_widget: Widget, settings: Settings, span: str
) -> None:
    """The highest point of every line is the highest value of its column within the time shown."""
    shared_widget.page.get_by_role("radio", name=span).check()
    shared_widget.show(settings)
    run = serve(chats(settings["shuffle"]), settings["rate"], settings["pages"], settings["limit"])
    drawn = columns(run)
    values = (drawn.promised, drawn.held, drawn.queue, drawn.stepped)
    shown = [step for step, start_s in enumerate(drawn.start_s) if span == "whole run" or start_s <= FIRST_S]
    for css, column in zip(LINES, values, strict=True):
        lane = css.split()[0].removeprefix(".lane.")
        foot, per_unit = lane_scale(shared_widget, lane)
        highest = max(foot - y for _, y in shared_widget.path(css)) / per_unit
        assert highest == pytest.approx(max(column[step] for step in shown), abs=0.02), (css, span)


def test_the_lines_stand_at_the_steps_values_in_the_first_seconds(shared_widget: Widget) -> None:
    """In every step that is wide enough to be seen, the drawn height is the step's value."""
    shared_widget.page.get_by_role("radio", name="first 3 seconds").check()
    shared_widget.show(START)
    drawn = columns(serve(chats(), 40, 240, 16))
    zero_x, per_s = time_scale(shared_widget)
    foot, per_unit = lane_scale(shared_widget, "pages")
    vertices = shared_widget.path(".lane.pages path.promised.line")
    checked = 0
    for step in range(len(drawn.start_s)):
        start_x = zero_x + per_s * drawn.start_s[step]
        end_x = zero_x + per_s * drawn.end_s[step]
        if drawn.end_s[step] > FIRST_S or end_x - start_x < 5:
            continue
        height = foot - value_at(vertices, (start_x + end_x) / 2)
        assert height / per_unit == pytest.approx(drawn.promised[step], abs=0.02)
        checked += 1
    assert checked > 5


@pytest.mark.parametrize("span", ["first 3 seconds", "whole run"])
@pytest.mark.parametrize("rate", [1, 10, 40, 60])
def test_no_line_has_more_than_two_points_for_each_pixel(shared_widget: Widget, span: str, rate: int) -> None:
    shared_widget.page.get_by_role("radio", name=span).check()
    settings = {**START, "rate": rate}
    shared_widget.show(settings)
    width = shared_widget.chart("How the cache fills").bounding_box()
    assert width is not None
    for css in LINES:
        assert len(shared_widget.path(css)) <= 2 * width["width"]


def test_the_first_chat_held_out_is_marked_where_it_happens(shared_widget: Widget) -> None:
    shared_widget.page.get_by_role("radio", name="first 3 seconds").check()
    shared_widget.show(START)
    full_s = python_report(START)["cache_full_s"]
    mark = shared_widget.chart("How the cache fills").locator(".mark")
    expect(mark).to_contain_text(f"cache first holds a chat out: {full_s:.3f}")
    zero_x, per_s = time_scale(shared_widget)
    stem_x = mark.locator("line").first.get_attribute("x1")
    assert float(stem_x or "nan") == pytest.approx(zero_x + per_s * full_s, abs=0.1)


def test_a_run_in_which_the_cache_holds_nobody_out_has_no_mark(shared_widget: Widget) -> None:
    shared_widget.answer_to({**START, "pages": 960, "limit": 15})
    expect(shared_widget.chart("How the cache fills").locator(".mark")).to_have_count(0)


@pytest.mark.parametrize("settings", [START, {**START, "limit": 12}])
def test_steps_held_out_by_cache_and_by_batch_are_marked_apart(
    shared_widget: Widget, settings: Settings
) -> None:
    """The marks of a strip cover the steps in which the flag is set, and no others, to a pixel."""
    shared_widget.page.get_by_role("radio", name="first 3 seconds").check()
    shared_widget.show(settings)
    run = serve(chats(), settings["rate"], settings["pages"], settings["limit"])
    drawn = columns(run)
    zero_x, per_s = time_scale(shared_widget)
    for strip, flags in (("cache", drawn.cache_held_out), ("batch", drawn.batch_held_out)):
        d = (
            shared_widget.chart("How the cache fills").locator(f".strip.{strip} path").get_attribute("d")
            or ""
        )
        boxes = [box.split(",0H") for box in d.replace("M", " ").split()]
        covered = [(float(left), float(rest.split("V")[0])) for left, rest in boxes]
        shown = [step for step, end_s in enumerate(drawn.end_s) if end_s <= FIRST_S]
        assert any(flags[step] for step in shown) == bool(covered)
        for step in shown:
            middle = zero_x + per_s * (drawn.start_s[step] + drawn.end_s[step]) / 2
            if flags[step]:
                assert any(left - 0.1 <= middle <= right + 0.1 for left, right in covered), (strip, step)
            else:  # a mark may be a pixel wider than its steps, and joins another less than a pixel away
                assert not any(left + 1 < middle < right - 1 for left, right in covered), (strip, step)


# ---- The two waits -----------------------------------------------------------------------------------------


def test_the_bars_are_to_scale_and_start_at_zero(shared_widget: Widget) -> None:
    shared_widget.show(START)
    heavy = python_report(START)
    light = python_report({**START, "rate": LIGHT_RATE})
    expect(shared_widget.bar_part("first-word", "light", ".value")).to_have_text(
        f"{light['ttft_p99_s']:.3f} s"
    )
    for panel, key in (("first-word", "ttft_p99_s"), ("gap", "tbt_p99_s")):
        ratio = shared_widget.bar(panel, "chosen") / shared_widget.bar(panel, "light")
        assert ratio == pytest.approx(heavy[key] / light[key], rel=1e-6)
        left = shared_widget.bar_part(panel, "chosen", ".length").get_attribute("x")
        zero = shared_widget.chart("The two waits").locator(f".panel.{panel} .tick").first
        assert zero.text_content() == "0"
        assert (zero.get_attribute("transform") or "").startswith(f"translate({left}")


def test_how_many_times_each_wait_grew_is_said(shared_widget: Widget) -> None:
    shared_widget.show(START)
    heavy = python_report(START)
    light = python_report({**START, "rate": LIGHT_RATE})
    first_word = heavy["ttft_p99_s"] / light["ttft_p99_s"]
    gap = heavy["tbt_p99_s"] / light["tbt_p99_s"]
    chart = shared_widget.chart("The two waits")
    expect(chart.locator(".panel.first-word .grew")).to_have_text(f"{first_word:.1f} times")
    expect(chart.locator(".panel.gap .grew")).to_have_text(f"{gap:.2f} times")


def test_until_the_light_run_is_there_its_bars_are_dimmed_and_no_ratio_stands(widget: Widget) -> None:
    """The event of the chosen answer comes before the light run of a new cache size is asked for."""
    seen = widget.page.evaluate(
        """() => new Promise((resolve) => {
          const chart = document.getElementById("two-waits");
          document.addEventListener("tinyserve:answer", () => resolve({
            dimmed: chart.querySelectorAll(".bar.light.dimmed").length,
            values: [...chart.querySelectorAll(".bar.light .value")].map((text) => text.textContent),
            grew: [...chart.querySelectorAll(".grew")].map((text) => text.textContent).join(" "),
          }), { once: true });
          const slider = document.querySelector("input[type=range][name=pages]");
          slider.value = 260;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
        })"""
    )
    assert seen["dimmed"] == 2
    assert seen["values"] == ["…", "…"]
    assert seen["grew"].strip() == ""
    expect(widget.chart("The two waits").locator(".bar.dimmed")).to_have_count(0)
    expect(widget.chart("The two waits").locator(".panel.gap .grew")).to_contain_text("times")


# ---- Axes and ghost ----------------------------------------------------------------------------------------


def test_axis_ends_hold_still_while_the_rate_is_dragged_up(widget: Widget) -> None:
    """From a light load to the heaviest, at the lesson's pages and limit, no axis of the waits changes."""
    widget.answer_to({**START, "rate": 5})
    ends = set()
    gap_ends = set()
    for rate in range(6, 61, 6):
        widget.answer_to({**START, "rate": rate})
        ends.add(widget.axis_end("first-word"))
        gap_ends.add(widget.axis_end("gap"))
    assert len(ends) == 1
    assert len(gap_ends) == 1


def test_an_axis_does_not_shrink_before_the_slider_is_let_go(widget: Widget) -> None:
    widget.answer_to({**START, "pages": 60})
    grown = widget.axis_end("first-word")
    widget.answer_to({**START, "pages": 80})  # so that the ghost is small as well, once the drag has begun
    widget.note_answers()
    with dragging(widget, "pages", 1.0):
        widget.wait_for_answer({**START, "pages": 960})
        assert widget.axis_end("first-word") == grown
    widget.answer_to({**START, "pages": 940})
    assert widget.axis_end("first-word") != grown


@contextmanager
def dragging(widget: Widget, key: str, *shares: float) -> Iterator[None]:
    """Takes a slider where it stands, draws it through shares of its width and lets it go after the block."""
    slider = widget.slider(key)
    place = slider.bounding_box()
    assert place is not None
    low, high = int(slider.get_attribute("min") or ""), int(slider.get_attribute("max") or "")
    y = place["y"] + place["height"] / 2
    thumb = 16  # pixels; its middle travels over the slider's width less this
    track = place["width"] - thumb
    stands = (int(slider.input_value()) - low) / (high - low)
    widget.page.mouse.move(place["x"] + thumb / 2 + track * stands, y)
    widget.page.mouse.down()
    for share in shares:
        widget.page.mouse.move(place["x"] + thumb / 2 + track * share, y)
        widget.page.wait_for_timeout(80)
    yield
    widget.page.mouse.up()


def test_the_previous_answer_stays_as_a_faint_ghost(new_widget: Widget) -> None:
    before = new_widget.path(".lane.pages path.promised.line")
    expect(new_widget.chart("How the cache fills").locator(".ghost")).to_have_count(0)
    left = float(new_widget.bar_part("first-word", "chosen", ".length").get_attribute("x") or "nan")
    width = new_widget.bar("first-word", "chosen")
    new_widget.answer_to({**START, "limit": 15})
    assert new_widget.path(".lane.pages path.ghost:not(.level)") == before
    ghost_x = new_widget.bar_part("first-word", "chosen", ".ghost").get_attribute("x1")
    assert float(ghost_x or "nan") == pytest.approx(left + width), "the axis has not changed"
    expect(
        new_widget.page.get_by_text("Thin line: before, with 40 chats a second, 240 pages")
    ).to_be_visible()


def test_a_ghost_is_never_cut_off(widget: Widget) -> None:
    """From a wait of over a hundred seconds back to one of three: the axis still holds the old one."""
    widget.answer_to({**START, "rate": 60, "pages": 60, "limit": 1})
    old = python_report({**START, "rate": 60, "pages": 60, "limit": 1})["ttft_p99_s"]
    widget.answer_to(START)
    new = python_report(START)["ttft_p99_s"]
    left = float(widget.bar_part("first-word", "chosen", ".length").get_attribute("x") or "nan")
    ghost_x = float(widget.bar_part("first-word", "chosen", ".ghost").get_attribute("x1") or "nan")
    # answer_to moves one slider after the other, and the ghost is what stood before the last of them
    assert (ghost_x - left) / widget.bar("first-word", "chosen") >= old / new * 0.2


def test_the_ghost_of_a_drag_is_the_answer_before_it_began(widget: Widget) -> None:
    before = widget.path(".lane.pages path.promised.line")
    widget.note_answers()
    with dragging(widget, "limit", 0.35, 0.3, 0.25, 0.2):
        pass
    widget.wait_for_answer({**START, "limit": int(widget.slider("limit").input_value())})
    assert widget.path(".lane.pages path.ghost:not(.level)") == before


def test_the_charts_fill_their_room_after_the_window_has_changed(new_widget: Widget) -> None:
    for width in (1180, 980, 700, 390):
        new_widget.page.set_viewport_size({"width": width, "height": 900})
        for name in ("The two waits", "How the cache fills"):
            chart = new_widget.chart(name)
            expect(chart).to_have_attribute("width", str(new_widget.room_of(name)))


def test_charts_have_a_text_alternative_with_the_runs_figures(shared_widget: Widget) -> None:
    shared_widget.show(START)
    report = python_report(START)
    page = shared_widget.page
    waits = page.get_by_role("img", name=f"first word {report['ttft_p99_s']:.2f}")
    expect(waits).to_have_count(1)
    fill = page.get_by_role("img", name=f"At most {report['pages_max']} of 240")
    expect(fill).to_have_count(1)
