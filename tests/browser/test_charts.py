"""The charts show the run truly, keep their axes still, and draw no more than can be seen."""

import pytest
from playwright.sync_api import expect

from tests.browser.widget import START, Settings, Widget
from tinyserve import chats, load_test, serve
from tinyserve.view import LIGHT_RATE, columns

pytestmark = pytest.mark.browser

FIRST_S = 3  # seconds that the chart of the cache shows at first
LINES = (
    ".lane.pages path.promised",
    ".lane.pages path.held",
    ".lane.queue path.queue",
    ".lane.batch path.batch",
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
    if shared_widget.settings() != settings:
        shared_widget.answer_to(settings)
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
    if shared_widget.settings() != START:
        shared_widget.answer_to(START)
    drawn = columns(serve(chats(), 40, 240, 16))
    zero_x, per_s = time_scale(shared_widget)
    foot, per_unit = lane_scale(shared_widget, "pages")
    vertices = shared_widget.path(".lane.pages path.promised")
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
    if shared_widget.settings() != settings:
        shared_widget.answer_to(settings)
    width = shared_widget.chart("How the cache fills").bounding_box()
    assert width is not None
    for css in LINES:
        assert len(shared_widget.path(css)) <= 2 * width["width"]


def test_the_first_chat_held_out_is_marked_where_it_happens(shared_widget: Widget) -> None:
    shared_widget.page.get_by_role("radio", name="first 3 seconds").check()
    if shared_widget.settings() != START:
        shared_widget.answer_to(START)
    full_s = python_report(START)["cache_full_s"]
    mark = shared_widget.chart("How the cache fills").locator(".mark")
    expect(mark).to_contain_text(f"the cache first holds a chat out: {full_s:.3f}")
    zero_x, per_s = time_scale(shared_widget)
    shift = (mark.get_attribute("transform") or "").removeprefix("translate(").split(",")[0]
    assert float(shift) == pytest.approx(zero_x + per_s * full_s, abs=0.1)


def test_a_run_in_which_the_cache_holds_nobody_out_has_no_mark(shared_widget: Widget) -> None:
    shared_widget.answer_to({**START, "pages": 960, "limit": 15})
    expect(shared_widget.chart("How the cache fills").locator(".mark")).to_have_count(0)


@pytest.mark.parametrize("settings", [START, {**START, "limit": 12}])
def test_steps_held_out_by_cache_and_by_batch_are_marked_apart(
    shared_widget: Widget, settings: Settings
) -> None:
    """The marks of a strip cover the steps in which the flag is set, and no others, to a pixel."""
    shared_widget.page.get_by_role("radio", name="first 3 seconds").check()
    if shared_widget.settings() != settings:
        shared_widget.answer_to(settings)
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
    if shared_widget.settings() != START:
        shared_widget.answer_to(START)
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
    if shared_widget.settings() != START:
        shared_widget.answer_to(START)
    heavy = python_report(START)
    light = python_report({**START, "rate": LIGHT_RATE})
    first_word = heavy["ttft_p99_s"] / light["ttft_p99_s"]
    gap = heavy["tbt_p99_s"] / light["tbt_p99_s"]
    chart = shared_widget.chart("The two waits")
    expect(chart.locator(".panel.first-word .grew")).to_have_text(f"{first_word:.1f} times as long")
    expect(chart.locator(".panel.gap .grew")).to_have_text(f"{gap:.2f} times as long")


def test_until_the_light_run_is_there_its_bars_are_dimmed_and_no_ratio_stands(widget: Widget) -> None:
    """The event of the chosen answer comes before the light run of a new cache size is asked for."""
    seen = widget.page.evaluate(
        """() => new Promise((resolve) => {
          const chart = document.getElementById("two-waits");
          document.addEventListener("tinyserve:answer", () => resolve({
            dimmed: chart.querySelectorAll(".bar.light.dimmed").length,
            widths: [...chart.querySelectorAll(".bar.light .length")].map((bar) => bar.getAttribute("width")),
            grew: [...chart.querySelectorAll(".grew")].map((text) => text.textContent).join(" "),
          }), { once: true });
          const slider = document.querySelector("input[type=range][name=pages]");
          slider.value = 260;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
        })"""
    )
    assert seen["dimmed"] == 2
    assert seen["widths"] == ["0", "0"]
    assert "times" not in seen["grew"]
    expect(widget.chart("The two waits").locator(".bar.dimmed")).to_have_count(0)
    expect(widget.chart("The two waits").locator(".panel.gap .grew")).to_contain_text("times as long")


# ---- Axes and ghost ----------------------------------------------------------------------------------------


def test_axis_ends_hold_still_while_the_rate_is_dragged_up(widget: Widget) -> None:
    """From a light load to the heaviest at 240 pages the axes change at most once each."""
    widget.answer_to({**START, "rate": 5})
    ends = set()
    gap_ends = set()
    for rate in range(6, 61, 6):
        widget.answer_to({**START, "rate": rate})
        ends.add(widget.axis_end("first-word"))
        gap_ends.add(widget.axis_end("gap"))
    assert len(ends) <= 2
    assert len(gap_ends) <= 2


def test_an_axis_does_not_shrink_before_the_slider_is_let_go(widget: Widget) -> None:
    widget.answer_to({**START, "pages": 60})
    grown = widget.axis_end("first-word")
    widget.note_answers()
    slider = widget.slider("pages")
    place = slider.bounding_box()
    assert place is not None
    widget.page.mouse.move(place["x"] + 8, place["y"] + place["height"] / 2)
    widget.page.mouse.down()
    widget.page.mouse.move(place["x"] + place["width"] - 8, place["y"] + place["height"] / 2, steps=8)
    widget.wait_for_answer({**START, "pages": 960})
    held = widget.axis_end("first-word")
    widget.page.mouse.up()
    expect(widget.chart("The two waits").locator(".panel.first-word .tick text").last).not_to_have_text(held)
    assert held == grown


def test_the_previous_answer_stays_as_a_faint_ghost(new_widget: Widget) -> None:
    before = new_widget.path(".lane.pages path.promised")
    expect(new_widget.chart("How the cache fills").locator(".ghost")).to_have_count(0)
    width = new_widget.bar("first-word", "chosen")
    new_widget.answer_to({**START, "limit": 15})
    assert new_widget.path(".lane.pages path.ghost") == before
    ghost_width = new_widget.bar_part("first-word", "chosen", ".ghost").get_attribute("width")
    assert float(ghost_width or "nan") == pytest.approx(width), "the axis has not changed"


def test_the_ghost_of_a_drag_is_the_answer_before_it_began(widget: Widget) -> None:
    before = widget.path(".lane.queue path.queue")[1:-1]
    widget.note_answers()
    slider = widget.slider("limit")
    place = slider.bounding_box()
    assert place is not None
    y = place["y"] + place["height"] / 2
    widget.page.mouse.move(place["x"] + 8 + (place["width"] - 16) * 15 / 39, y)
    widget.page.mouse.down()
    for share in (0.35, 0.3, 0.25, 0.2):
        widget.page.mouse.move(place["x"] + place["width"] * share, y)
        widget.page.wait_for_timeout(80)
    widget.page.mouse.up()
    widget.wait_for_answer({**START, "limit": int(slider.input_value())})
    ghost = widget.path(".lane.queue path.ghost")
    assert [x for x, _ in ghost] == [x for x, _ in before]


def test_charts_have_a_text_alternative_with_the_runs_figures(shared_widget: Widget) -> None:
    if shared_widget.settings() != START:
        shared_widget.answer_to(START)
    report = python_report(START)
    page = shared_widget.page
    waits = page.get_by_role("img", name=f"first word {report['ttft_p99_s']:.2f}")
    expect(waits).to_have_count(1)
    fill = page.get_by_role("img", name=f"At most {report['pages_max']} of 240")
    expect(fill).to_have_count(1)
