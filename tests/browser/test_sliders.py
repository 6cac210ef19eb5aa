"""Dragging and typing on each slider changes sentence, table and charts."""

import pytest
from playwright.sync_api import expect

from tests.browser.widget import NAMES, START, Widget

pytestmark = pytest.mark.browser

# For each setting a value that changes the answer.
OTHER = {"rate": 10, "pages": 480, "limit": 4, "shuffle": 3}


def picture(widget: Widget) -> dict[str, object]:
    """All that an answer changes on the page."""
    return {
        "sentence": widget.sentence(),
        "table": widget.clipboard(),
        "pages": widget.path(".lane.pages path.promised.line"),
        "batch": widget.path(".lane.batch path.batch.line"),
        "first word": widget.bar("first-word", "chosen"),
    }


def all_differ(before: dict[str, object], after: dict[str, object]) -> bool:
    return all(before[part] != after[part] for part in before)


def prepare(widget: Widget, key: str) -> None:
    widget.note_answers()
    if key == "shuffle":
        widget.open_more_settings()


@pytest.mark.parametrize("key", NAMES)
def test_typing_a_number_changes_sentence_table_and_charts(widget: Widget, key: str) -> None:
    prepare(widget, key)
    before = picture(widget)
    widget.box(key).fill(str(OTHER[key]))
    widget.wait_for_answer({**START, key: OTHER[key]})
    assert all_differ(before, picture(widget))
    expect(widget.slider(key)).to_have_value(str(OTHER[key]))


@pytest.mark.parametrize("key", NAMES)
def test_dragging_the_slider_changes_sentence_table_and_charts(widget: Widget, key: str) -> None:
    prepare(widget, key)
    before = picture(widget)
    slider = widget.slider(key)
    place = slider.bounding_box()
    assert place is not None
    low, high = int(slider.get_attribute("min") or ""), int(slider.get_attribute("max") or "")
    thumb = 16  # pixels; the middle of the thumb travels over the slider's width less this

    def x_of(value: float) -> float:
        return place["x"] + thumb / 2 + (place["width"] - thumb) * (value - low) / (high - low)

    y = place["y"] + place["height"] / 2
    widget.page.mouse.move(x_of(START[key]), y)
    widget.page.mouse.down()
    widget.page.mouse.move(x_of(OTHER[key]), y, steps=12)
    widget.page.mouse.up()
    reached = int(slider.input_value())
    step = int(slider.get_attribute("step") or "")
    assert abs(reached - OTHER[key]) <= 2 * step, "the thumb follows the hand"
    widget.wait_for_answer({**START, key: reached})
    assert all_differ(before, picture(widget))
    expect(widget.box(key)).to_have_value(str(reached))


@pytest.mark.parametrize("key", NAMES)
def test_an_arrow_key_moves_a_setting_by_one_step(widget: Widget, key: str) -> None:
    prepare(widget, key)
    slider = widget.slider(key)
    slider.focus()
    slider.press("ArrowRight")
    step = int(slider.get_attribute("step") or "")
    widget.wait_for_answer({**START, key: START[key] + step})
    expect(widget.box(key)).to_have_value(str(START[key] + step))


@pytest.mark.parametrize(
    ("key", "low", "high", "step", "start"),
    [("rate", 1, 60, 1, 40), ("pages", 60, 960, 20, 240), ("limit", 1, 40, 1, 16), ("shuffle", 0, 5, 1, 0)],
)
def test_each_setting_has_its_range_on_slider_and_box(
    widget: Widget, key: str, low: int, high: int, step: int, start: int
) -> None:
    for kind in ("range", "number"):
        field = widget.page.locator(f"input[type={kind}][name={key}]")
        expect(field).to_have_attribute("min", str(low))
        expect(field).to_have_attribute("max", str(high))
        expect(field).to_have_attribute("step", str(step))
        expect(field).to_have_value(str(start))


@pytest.mark.parametrize(
    ("key", "typed", "taken", "allowed"),
    [
        ("rate", "0", 1, "1 to 60"),
        ("rate", "61", 60, "1 to 60"),
        ("pages", "5000", 960, "60 to 960 in steps of 20"),
        ("pages", "251", 260, "60 to 960 in steps of 20"),
        ("limit", "-3", 1, "1 to 40"),
    ],
)
def test_a_number_that_cannot_be_becomes_the_nearest_that_can_and_is_said(
    widget: Widget, key: str, typed: str, taken: int, allowed: str
) -> None:
    widget.note_answers()
    widget.box(key).fill(typed)
    widget.box(key).press("Tab")
    expect(widget.box(key)).to_have_value(str(taken))
    said = f"{NAMES[key]}: {allowed}; set to {taken}."
    expect(widget.page.locator("#note")).to_have_text(said)
    expect(widget.page.get_by_role("status")).to_contain_text(said)  # and it is spoken
    widget.wait_for_answer({**START, key: taken})


def test_an_emptied_box_keeps_its_setting(widget: Widget) -> None:
    widget.box("rate").fill("")
    widget.box("rate").press("Tab")
    expect(widget.box("rate")).to_have_value(str(START["rate"]))
    expect(widget.page.locator("#note")).to_contain_text("not a number; it stays at 40")
    expect(widget.page.get_by_role("status")).to_contain_text("not a number; it stays at 40")


def test_only_the_newest_setting_waits_and_the_last_one_is_answered(widget: Widget) -> None:
    """Sixty changes in one task: the worker is busy with the first, so the others overtake one another."""
    widget.note_answers()
    answered = widget.page.evaluate(
        """() => new Promise((resolve) => {
          const seen = [];
          document.addEventListener("tinyserve:answer", ({ detail }) => {
            seen.push(detail.settings.rate);
            if (detail.settings.rate === 60) {
              resolve(seen);
            }
          });
          const slider = document.querySelector("input[type=range][name=rate]");
          for (let rate = 1; rate <= 60; rate += 1) {
            slider.value = rate;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
          }
        })"""
    )
    assert answered[-1] == 60
    assert len(answered) <= 2


def test_a_change_and_its_taking_back_within_a_frame_are_answered(widget: Widget) -> None:
    """The slow run of rate 1 is under way when the slider comes back: the answer before is wanted again."""
    answered = widget.page.evaluate(
        """() => new Promise((resolve) => {
          const slider = document.querySelector("input[type=range][name=rate]");
          const move = (rate) => {
            slider.value = rate;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
          };
          document.addEventListener("tinyserve:answer", function listen({ detail }) {
            if (detail.settings.rate === 50) {
              document.removeEventListener("tinyserve:answer", listen);
              move(1);
              setTimeout(() => move(50), 5);
              setTimeout(() => resolve(document.getElementById("two-waits").textContent), 3000);
            }
          });
          move(50);
        })"""
    )
    assert "50 chats/s" in answered
    assert widget.settings() == {**START, "rate": 50}
