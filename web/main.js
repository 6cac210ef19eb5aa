/**
 * The widget. This is the one file that touches the page: it keeps the state, and draws all from it.
 */
import { axisEnds } from "./axis-ends.js";
import { CACHE_FILL_HEIGHT, cacheFill, drawCacheFill } from "./charts/cache-fill.js";
import { drawTwoWaits, loadOf, twoWaits, twoWaitsHeight } from "./charts/two-waits.js";
import { Python } from "./python.js";
import { LIGHT_RATE, SETTINGS, nearest, sameSettings, startSettings } from "./settings.js";
import * as words from "./words.js";

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Report} Report */
/** @typedef {import("./messages.js").Stage} Stage */
/** @typedef {import("./settings.js").Setting} Setting */
/** @typedef {import("./settings.js").Settings} Settings */

const FIRST_SECONDS = 3; // what the chart of the cache shows at first
const EMPTY_WIDTH = 320; // pixels of a chart before the page is laid out

/** The whole state of the page; everything that is shown is derived from it. */
const state = {
  settings: startSettings(),
  /** @type {Stage} */
  stage: "idle",
  failure: "",
  /** @type {Answer | null} the newest answer */
  answer: null,
  /** @type {Answer | null} the answer that stood when the last change began, shown faintly */
  ghost: null,
  /** @type {Map<string, Report>} reports of the light load, by what else is set */
  lightReports: new Map(),
  isHeld: false, // whether a slider is being dragged
  /** @type {import("./axis-ends.js").Ends | null} */
  ends: null,
  span: "first",
  note: "",
};

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
  sliders: element("sliders", HTMLDivElement),
  moreSliders: element("more-sliders", HTMLDivElement),
  settings: element("settings", HTMLFormElement),
  note: element("note", HTMLParagraphElement),
  twoWaits: element("two-waits", SVGSVGElement),
  twoWaitsWords: element("two-waits-words", HTMLParagraphElement),
  cacheFill: element("cache-fill", SVGSVGElement),
  cacheFillWords: element("cache-fill-words", HTMLParagraphElement),
  clipboard: element("clipboard", HTMLTableSectionElement),
  stage: element("stage", HTMLParagraphElement),
};

// ---- Python ------------------------------------------------------------------------------------------------

/** Asks for the chosen run, shows it, and then sees to the light run that it is set beside. */
async function answerSettings() {
  const answer = await ask(state.settings);
  if (answer === null) {
    return;
  }
  state.answer = answer;
  rememberIfLight(answer);
  draw();
  await painted();
  if (state.answer === answer) {
    announce(answer);
  }
  if (sameSettings(answer.settings, state.settings) && lightReport(answer.settings) === undefined) {
    const light = await ask({ ...answer.settings, rate: LIGHT_RATE });
    if (light !== null) {
      rememberIfLight(light);
      draw();
    }
  }
}

/**
 * A failure of Python as a whole is shown by its stage; here it only means that no answer comes.
 *
 * @param {Settings} settings
 */
async function ask(settings) {
  try {
    return await python.ask(settings);
  } catch (error) {
    if (state.stage !== "failed") {
      state.note = error instanceof Error ? error.message : String(error);
      draw();
    }
    return null;
  }
}

/** @param {Settings} settings */
function lightReport({ pages, limit, shuffle }) {
  return state.lightReports.get(`${pages} ${limit} ${shuffle}`);
}

/** @param {Answer} answer */
function rememberIfLight({ settings: { rate, pages, limit, shuffle }, report }) {
  if (rate === LIGHT_RATE) {
    state.lightReports.set(`${pages} ${limit} ${shuffle}`, report);
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
  row.className = "row";
  row.append(label, box, unitText, slider);
  (key === "shuffle" ? page.moreSliders : page.sliders).append(row);

  slider.addEventListener("input", () => choose(setting, slider.valueAsNumber));
  box.addEventListener("input", () => {
    if (box.validity.valid && box.value !== "") {
      choose(setting, box.valueAsNumber);
    }
  });
  box.addEventListener("change", () => settleBox(setting, box));
  slider.addEventListener("change", release);
  return { slider, box };
}

/** Takes a new value of a setting. @param {Setting} setting @param {number} value */
function choose(setting, value) {
  if (state.settings[setting.key] === value) {
    return;
  }
  if (!state.isHeld) {
    state.ghost = state.answer;
    state.isHeld = true;
  }
  state.settings = { ...state.settings, [setting.key]: value };
  state.note = "";
  draw();
  answerSettings();
}

/** A slider has been let go, or a number has been typed to its end. */
function release() {
  state.isHeld = false;
  draw();
}

/** What was typed and cannot be becomes the nearest value that can, and is said. @param {Setting} setting @param {HTMLInputElement} box */
function settleBox(setting, box) {
  const { name } = words.SETTING_WORDS[setting.key];
  if (!box.validity.valid || box.value === "") {
    const typed = box.value; // drawing, which choose() does, writes the box anew
    if (Number.isNaN(box.valueAsNumber)) {
      state.note = words.WORDS.notANumber(name, state.settings[setting.key]);
    } else {
      const value = nearest(setting, box.valueAsNumber);
      choose(setting, value);
      state.note = words.WORDS.outOfRange(name, typed, value);
    }
    box.value = String(state.settings[setting.key]);
  }
  release();
}

page.settings.addEventListener("submit", (event) => event.preventDefault());
element("span-first", HTMLSpanElement).textContent = words.WORDS.firstSpan(FIRST_SECONDS);
element("span-whole", HTMLSpanElement).textContent = words.WORDS.wholeSpan;
for (const radio of document.querySelectorAll("input[name=span]")) {
  radio.addEventListener("change", (event) => {
    state.span = /** @type {HTMLInputElement} */ (event.target).value;
    draw();
  });
}
new ResizeObserver(draw).observe(page.sentence);

// ---- Drawing -----------------------------------------------------------------------------------------------

/** Brings the page in line with the state. */
function draw() {
  drawInputs();
  page.stage.textContent = [words.STAGE_WORDS[state.stage], ...failureWords()].join(" ");
  page.note.textContent = state.note;
  if (state.answer === null) {
    page.sentence.textContent = state.stage === "failed" ? words.STAGE_WORDS.failed : words.WORDS.waiting;
    reserveRoom();
    return;
  }
  drawSentence(state.answer.report);
  drawClipboard(state.answer);
  drawCharts(state.answer);
}

function failureWords() {
  return state.stage === "failed" ? [`(${state.failure})`, words.WORDS.failedAdvice] : [];
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
    if (!strong) {
      return document.createTextNode(text);
    }
    const node = document.createElement("strong");
    node.className = `wall ${report.wall}`;
    node.textContent = text;
    return node;
  });
  page.sentence.replaceChildren(...pieces);
}

/** @param {Answer} answer */
function drawClipboard({ report }) {
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
  const { settings, report, columns } = answer;
  const light = lightReport(settings);
  const chosenLoad = loadOf(settings.rate, report);
  const lightLoad = light === undefined ? null : loadOf(LIGHT_RATE, light);
  const ghost = state.ghost !== null && !sameSettings(state.ghost.settings, settings) ? state.ghost : null;
  const loads = lightLoad === null ? [chosenLoad] : [lightLoad, chosenLoad];
  const needed = {
    firstWord_s: Math.max(...loads.map((load) => load.ttft_p99_s)),
    gap_ms: Math.max(...loads.map((load) => (load.tbt_p99_s ?? 0) * 1000)),
    pages: settings.pages,
    queue: report.queue_max,
    batch: settings.limit,
    wholeRun_s: columns.end_s[columns.end_s.length - 1],
  };
  state.ends = axisEnds(needed, state.ends, state.isHeld);
  const timeEnd = state.span === "first" ? FIRST_SECONDS : state.ends.wholeRun_s;

  const ghostLoad = ghost === null ? null : loadOf(ghost.settings.rate, ghost.report);
  drawTwoWaits(page.twoWaits, twoWaits(chosenLoad, lightLoad, ghostLoad, state.ends, widthOf(page.twoWaits)));
  page.twoWaitsWords.textContent = words.waitsInWords(loads);
  drawCacheFill(page.cacheFill, cacheFill(answer, ghost, timeEnd, state.ends, widthOf(page.cacheFill)));
  page.cacheFillWords.textContent = words.cacheInWords(report, settings);
}

/** Keeps the room of the charts free until there is something to draw, so that nothing jumps then. */
function reserveRoom() {
  page.twoWaits.setAttribute("height", String(twoWaitsHeight(widthOf(page.twoWaits))));
  page.cacheFill.setAttribute("height", String(CACHE_FILL_HEIGHT));
}

/** Pixels that a chart may fill. @param {SVGSVGElement} svg */
function widthOf(svg) {
  return svg.parentElement?.clientWidth || EMPTY_WIDTH;
}

// ---- Start -------------------------------------------------------------------------------------------------

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const python = new Python(worker, (stage, failure) => {
  state.stage = stage;
  state.failure = failure;
  document.documentElement.dataset.stage = stage;
  if (stage === "ready") {
    performance.mark("tinyserve:ready");
  }
  draw();
});

answerSettings();
