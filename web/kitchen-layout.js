/**
 * The kitchen's elements, made once, and what brings them in line with a moment of a run.
 */
import { setAttribute, setText } from "./changed.js";
import { chatStory } from "./charts/chat-story.js";
import { drawKitchen } from "./charts/draw-kitchen.js";
import { kitchen } from "./charts/kitchen.js";
import { cacheFillsStep, longestQueueStep, momentOf } from "./charts/moment.js";
import { elementMaker, makeSvg } from "./make-element.js";
import { kitchenWords } from "./words/kitchen.js";

/** @typedef {import("./charts/kitchen.js").Followed} Followed */
/** @typedef {import("./charts/moment.js").RunIndex} RunIndex */
/** @typedef {ReturnType<typeof makeKitchenLayout>} KitchenLayout */

/** What is shown.
 * @typedef {{run: RunIndex, step: number, followed: Followed, isPlaying: boolean, title: string}} Shown */

const WORDS_ID = "kitchen-words";
const STORY_ID = "kitchen-story";

/** Steps a second at which the run can be played; null is as fast as it ran. @type {readonly (number | null)[]} */
const SPEEDS = [2, 10, 30, null];
const START_SPEED = 10;

/** @param {Document} document the one that they will stand in */
export function makeKitchenLayout(document) {
  const make = elementMaker(document);
  const words = kitchenWords;
  const svg = makeSvg(document);
  // No picture by role: there is something to focus inside.
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-labelledby", WORDS_ID);

  const title = make("strong");
  const settings = make("span");
  const empty = make("p", { class: "empty", hidden: true }, words.nothingToShow);
  const inWords = make("p", { class: "unseen", id: WORDS_ID });
  const facts = Object.values(words.story).map((name) => {
    const value = make("dd", { class: "value" });
    const note = make("dd", { class: "added" });
    return { value, note, group: make("div", {}, make("dt", {}, name), value, note) };
  });
  const story = make("dl", { class: "story", id: STORY_ID }, ...facts.map(({ group }) => group));

  const button = (/** @type {string} */ name, /** @type {(Element | string)[]} */ ...content) =>
    make("button", { type: "button", class: name }, ...content);
  const spare = (/** @type {string} */ text) => make("span", { class: "spare" }, text);
  const back = button("back", words.back, spare(words.backHow));
  const play = button("play", words.play);
  const forward = button("forward", words.forward);
  const toCacheFills = button("jump", spare(words.jump), words.cacheFills);
  const toLongestQueue = button("jump", spare(words.jump), words.longestQueue);
  const speed = make(
    "select",
    { autocomplete: "off" },
    ...SPEEDS.map((each) =>
      make(
        "option",
        { value: String(each), selected: each === START_SPEED },
        each === null ? words.asItRan : words.stepsASecond(each),
      ),
    ),
  );
  const speedLabel = make("label", { class: "speed" }, make("span", {}, words.speed), " ", speed);
  const timeBar = make("input", {
    type: "range",
    class: "time-bar",
    "aria-label": words.timeBar,
    min: 1,
    max: 1,
    step: 1,
    value: 1,
    autocomplete: "off",
  });
  const readout = make("p", { class: "readout" });
  const player = make(
    "fieldset",
    { class: "player", "aria-label": words.player },
    make("div", { class: "time" }, timeBar, readout),
    make("div", { class: "controls" }, back, play, forward, speedLabel),
    make("div", { class: "jumps" }, toCacheFills, toLongestQueue),
  );
  const root = make(
    "figure",
    { class: "kitchen" },
    make("figcaption", {}, title, " ", settings),
    empty,
    svg,
    inWords,
    make("div", { class: "desk" }, story, player),
  );
  return {
    root,
    svg,
    title,
    settings,
    empty,
    inWords,
    facts,
    player,
    back,
    play,
    forward,
    speed,
    speedLabel,
    timeBar,
    readout,
    toCacheFills,
    toLongestQueue,
  };
}

/**
 * Brings the elements in line with what is shown.
 *
 * @param {KitchenLayout} layout
 * @param {Shown} shown
 * @param {number} width pixels of the drawing
 */
export function drawKitchenLayout(layout, { run, step, followed, isPlaying, title }, width) {
  const words = kitchenWords;
  const isEmpty = run.steps === 0;
  setText(layout.title, title);
  setText(layout.settings, words.settings(run.settings));
  setText(layout.play, isPlaying ? words.pause : words.play);
  layout.empty.hidden = !isEmpty;
  layout.svg.toggleAttribute("hidden", isEmpty);
  layout.player.disabled = isEmpty;
  if (isEmpty) {
    setText(layout.inWords, words.nothingToShow);
    return;
  }
  const moment = momentOf(run, step);
  drawKitchen(layout.svg, kitchen(run, moment, followed, width, words), STORY_ID);
  setText(layout.inWords, words.moment(moment, run.steps, run.settings));
  drawTime(layout, run, step, moment);
  chatStory(run, step, followed.lit, words).forEach(({ value, note }, at) => {
    setText(layout.facts[at].value, value);
    setText(layout.facts[at].note, note);
  });
}

/** @param {KitchenLayout} layout @param {RunIndex} run @param {number} step
 * @param {import("./charts/moment.js").Moment} moment */
function drawTime({ timeBar, readout, back, forward, toCacheFills, toLongestQueue }, run, step, { start_s, took_s }) {
  const told = kitchenWords.stepOf(step, run.steps, start_s);
  setAttribute(timeBar, "max", String(run.steps));
  setAttribute(timeBar, "aria-valuetext", told);
  if (timeBar.value !== String(step + 1)) {
    timeBar.value = String(step + 1);
  }
  setText(readout, `${told}, ${kitchenWords.took(took_s)}`);
  toCacheFills.disabled = cacheFillsStep(run.columns) === null;
  toLongestQueue.disabled = longestQueueStep(run.columns) === null;
  // Not disabled: a button that the reader has just pressed would lose the focus.
  setAttribute(back, "aria-disabled", String(step === 0));
  setAttribute(forward, "aria-disabled", String(step === run.steps - 1));
}

/** The step that is shown at first: where the cache fills, else where most wait. @param {RunIndex} run */
export function openingStep({ columns }) {
  return cacheFillsStep(columns) ?? longestQueueStep(columns) ?? 0;
}
