/**
 * The widget: listens to the reader and to Python, keeps the state, and brings the page in line with it. The pictures
 * and sentences are worked out elsewhere; beside this file only charts/draw-*.js touch the page.
 */
import { CACHE_FILL_HEIGHT, cacheFill } from "./charts/cache-fill.js";
import { drawCacheFill } from "./charts/draw-cache-fill.js";
import { drawTwoWaits } from "./charts/draw-two-waits.js";
import { loadOf, twoWaits, twoWaitsHeight } from "./charts/two-waits.js";
import { NoAnswer, Python } from "./python.js";
import { LIGHT_RATE, SETTINGS, nearest, sameSettings } from "./settings.js";
import { acceptAnswer, choose, lightReport, nextRequest, release, startState, visibleGhost } from "./state.js";
import * as words from "./words.js";

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Report} Report */
/** @typedef {import("./settings.js").Setting} Setting */

const FIRST_SECONDS = 3; // what the chart of the cache shows at first
const WIDTH_UNKNOWN = 320; // pixels of a chart before the page is laid out

const { WORDS } = words;
const state = startState();

/** @template {Element} T @param {string} id @param {new () => T} type @returns {T} */
function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) {
    throw new Error(`the page has no ${type.name} #${id}`);
  }
  return found;
}

const page = {
  sentence: element("sentence", HTMLParagraphElement),
  failure: element("failure", HTMLDivElement),
  failureAdvice: element("failure-advice", HTMLParagraphElement),
  failureReason: element("failure-reason", HTMLPreElement),
  reload: element("reload", HTMLButtonElement),
  sliders: element("sliders", HTMLFieldSetElement),
  moreSliders: element("more-sliders", HTMLFieldSetElement),
  settings: element("settings", HTMLFormElement),
  note: element("note", HTMLParagraphElement),
  twoWaits: element("two-waits", SVGSVGElement),
  twoWaitsWords: element("two-waits-words", HTMLParagraphElement),
  cacheFill: element("cache-fill", SVGSVGElement),
  cacheFillWords: element("cache-fill-words", HTMLParagraphElement),
  before: element("before", HTMLParagraphElement),
  clipboard: element("clipboard", HTMLTableSectionElement),
  stage: element("stage", HTMLParagraphElement),
};

// ---- Python ------------------------------------------------------------------------------------------------

let isAsking = false;

/** Has Python do what is to be done, one run after the other, until nothing is left. */
async function askPython() {
  if (isAsking) {
    return;
  }
  isAsking = true;
  for (let request = nextRequest(state); request !== null; request = nextRequest(state)) {
    const { settings, isChosen } = request;
    try {
      showAnswer(await python.ask(settings), isChosen);
    } catch (error) {
      if (error instanceof NoAnswer && error.why !== "refused") {
        break;
      }
      state.refused = { settings, reason: error instanceof Error ? error.message : String(error) };
      draw();
    }
  }
  isAsking = false;
}

/** @param {Answer} answer @param {boolean} isChosen */
async function showAnswer(answer, isChosen) {
  acceptAnswer(state, answer, isChosen);
  draw();
  if (!isChosen) {
    return;
  }
  await painted();
  if (state.answer === answer) {
    state.isPainted = true;
    announce(answer);
    askPython();
  }
}

/** Tells whoever listens that an answer can be seen. @param {Answer} answer */
function announce({ settings, report }) {
  performance.mark("tinyserve:answer");
  document.dispatchEvent(new CustomEvent("tinyserve:answer", { detail: { settings, report } }));
}

/** Settles when what was drawn has been painted: in the task after the next frame. */
function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

// ---- The reader's hand -------------------------------------------------------------------------------------

/** @type {Map<Setting, {slider: HTMLInputElement, box: HTMLInputElement}>} */
const inputs = new Map(SETTINGS.map((setting) => [setting, makeInputs(setting)]));

/** A native range and a number box for one setting. @param {Setting} setting */
function makeInputs(setting) {
  const { key, min, max, step } = setting;
  const { name, unit } = words.SETTING_WORDS[key];
  const [slider, box] = ["range", "number"].map((type) => {
    const input = document.createElement("input");
    Object.assign(input, { type, id: `${key}-${type}`, name: key, min, max, step, autocomplete: "off" });
    input.setAttribute("aria-describedby", `${key}-unit`);
    return input;
  });
  box.inputMode = "numeric";
  box.setAttribute("aria-label", name);

  const label = document.createElement("label");
  label.htmlFor = slider.id;
  label.textContent = name;
  const unitText = document.createElement("span");
  unitText.id = `${key}-unit`;
  unitText.className = "unit";
  unitText.textContent = unit;
  const row = document.createElement("div");
  row.className = `row ${key}`;
  row.append(label, box, unitText, slider);
  (key === "shuffle" ? page.moreSliders : page.sliders).append(row);

  slider.addEventListener("input", () => take(setting, slider.valueAsNumber));
  slider.addEventListener("change", letGo);
  // Not every engine sends "change" when a slider comes back to where it was taken.
  slider.addEventListener("pointerup", letGo);
  slider.addEventListener("pointercancel", letGo);
  box.addEventListener("input", () => {
    if (box.validity.valid && box.value !== "") {
      take(setting, box.valueAsNumber);
    }
  });
  box.addEventListener("change", () => settleBox(setting, box));
  box.addEventListener("blur", letGo); // typed back to what it was, a number is no "change"
  return { slider, box };
}

/** Takes a new value of a setting. @param {Setting} setting @param {number} value */
function take({ key }, value) {
  if (state.settings[key] !== value) {
    choose(state, key, value);
    draw();
    askPython();
  }
}

/** A slider has been let go, or a number has been typed to its end. */
function letGo() {
  release(state);
  draw();
}

/**
 * What was typed and cannot be becomes the nearest value that can, and that is said.
 *
 * @param {Setting} setting
 * @param {HTMLInputElement} box
 */
function settleBox(setting, box) {
  const { name } = words.SETTING_WORDS[setting.key];
  if (!box.validity.valid || box.value === "") {
    const typed = box.valueAsNumber;
    if (Number.isNaN(typed)) {
      state.note = WORDS.notANumber(name, state.settings[setting.key]);
    } else {
      const value = nearest(setting, typed);
      take(setting, value);
      state.note = WORDS.outOfRange(name, setting, value);
    }
  }
  box.value = String(state.settings[setting.key]);
  letGo();
}

page.settings.addEventListener("submit", (event) => event.preventDefault());
page.reload.textContent = WORDS.reload;
page.reload.addEventListener("click", () => python.start());
element("span-first", HTMLSpanElement).textContent = WORDS.firstSpan(FIRST_SECONDS);
element("span-whole", HTMLSpanElement).textContent = WORDS.wholeSpan;
for (const radio of document.querySelectorAll("input[name=span]")) {
  radio.addEventListener("change", (event) => {
    const { value } = /** @type {HTMLInputElement} */ (event.target);
    state.span = value === "whole" ? "whole" : "first";
    draw();
  });
}

// ---- Drawing -----------------------------------------------------------------------------------------------

/** Brings the page in line with the state. */
function draw() {
  document.documentElement.dataset.stage = state.stage;
  drawInputs();
  drawFailure();
  page.stage.textContent = state.stage === "ready" ? words.STAGE_WORDS.ready : "";
  page.note.textContent = state.note || refusedWords();
  if (state.answer === null) {
    page.sentence.textContent = words.STAGE_WORDS[state.stage];
    page.twoWaits.setAttribute("height", String(twoWaitsHeight(widthOf(page.twoWaits))));
    page.cacheFill.setAttribute("height", String(CACHE_FILL_HEIGHT));
    return;
  }
  drawSentence(state.answer.report);
  drawClipboard(state.answer.report);
  drawCharts(state.answer);
}

/** What is said if an answer stands under settings that it does not belong to and no other will come. */
function refusedWords() {
  const { refused, answer, settings } = state;
  if (refused === null || answer === null || !sameSettings(refused.settings, settings)) {
    return "";
  }
  return `${refused.reason} ${WORDS.stale(answer.settings)}`;
}

function drawFailure() {
  const isFailed = state.stage === "failed";
  page.failure.hidden = !isFailed;
  page.sliders.disabled = isFailed;
  page.moreSliders.disabled = isFailed;
  if (isFailed) {
    const advice =
      state.answer === null ? [] : [WORDS.stopped, WORDS.stale(state.answer.settings)];
    page.failureAdvice.textContent = [...advice, WORDS.failedAdvice].join(" ");
    page.failureReason.textContent = state.failure;
  }
}

function drawInputs() {
  for (const [{ key }, { slider, box }] of inputs) {
    const value = String(state.settings[key]);
    if (slider.value !== value) {
      slider.value = value;
    }
    if (box !== document.activeElement && box.value !== value) {
      box.value = value;
    }
  }
}

/** @param {Report} report */
function drawSentence(report) {
  const pieces = words.sentence(report).map(({ text, strong }) => {
    const node = document.createElement(strong ? "strong" : "span");
    node.className = strong ? `wall ${report.wall}` : "";
    node.textContent = text;
    return node;
  });
  page.sentence.replaceChildren(...pieces);
}

/** @param {Report} report */
function drawClipboard(report) {
  const rows = words.clipboard(report).map(({ name, term, unit, figures }) => {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = name;
    if (term !== undefined) {
      const short = document.createElement("small");
      short.textContent = term;
      head.append(" ", short);
    }
    const cells = figures.map((figure) => {
      const cell = document.createElement("td");
      cell.textContent = figure;
      cell.colSpan = figures.length === 1 ? 2 : 1;
      return cell;
    });
    const unitCell = document.createElement("td");
    unitCell.className = "unit";
    unitCell.textContent = unit;
    row.append(head, ...cells, unitCell);
    return row;
  });
  page.clipboard.replaceChildren(...rows);
}

/** @param {Answer} answer */
function drawCharts(answer) {
  const { settings, report } = answer;
  const { ends } = state;
  if (ends === null) {
    return;
  }
  const ghost = visibleGhost(state);
  const chosen = loadOf(settings.rate, report);
  const light = lightReport(state, settings);
  const { shownLight } = state;
  const lightLoad = shownLight && { load: loadOf(LIGHT_RATE, shownLight), isThisOne: shownLight === light };
  const ghostLoad = ghost && loadOf(ghost.settings.rate, ghost.report);
  drawTwoWaits(page.twoWaits, twoWaits(chosen, lightLoad, ghostLoad, ends, widthOf(page.twoWaits)));
  page.twoWaitsWords.textContent = words.waitsInWords(light ? [loadOf(LIGHT_RATE, light), chosen] : [chosen]);

  const timeEnd_s = state.span === "first" ? FIRST_SECONDS : ends.wholeRun_s;
  drawCacheFill(page.cacheFill, cacheFill(answer, ghost, timeEnd_s, ends, widthOf(page.cacheFill)));
  page.cacheFillWords.textContent = words.cacheInWords(report, settings);
  page.before.textContent = ghost === null ? "" : WORDS.before(ghost.settings);
}

/** Pixels that a chart may fill. @param {SVGSVGElement} svg */
function widthOf(svg) {
  return svg.parentElement?.clientWidth || WIDTH_UNKNOWN;
}

// ---- Start -------------------------------------------------------------------------------------------------

const python = new Python(new URL(location.href));
python.listen(({ stage, failure }) => {
  state.stage = stage;
  state.failure = failure === null ? "" : `${failure.kind}: ${failure.detail}`;
  if (stage === "ready") {
    performance.mark("tinyserve:ready");
  }
  draw();
  askPython();
});
python.start();

// In the next frame, for drawing may change the very heights that are being observed.
const widths = new ResizeObserver(() => requestAnimationFrame(draw));
for (const figure of document.querySelectorAll("figure")) {
  widths.observe(figure);
}
