/**
 * The lesson's page: ties the widget, the kitchen, the code, the tasks and the text to each other and to Python.
 */
import firstAnswer from "first-answer";
import source from "tiny-server-source";
import { readAsked } from "./address.js";
import { placeBets } from "./bets.js";
import { mountKitchen } from "./kitchen.js";
import { READER_LIMITS, READER_MODULES } from "./limits.js";
import { typedAnswer } from "./messages.js";
import { tellAnswer, tellStage } from "./observed.js";
import { Parts } from "./parts.js";
import { NoAnswer, Python } from "./python.js";
import { ReaderPython } from "./reader-python.js";
import { watchTasks } from "./task-list.js";
import { addTips } from "./tips.js";
import { mount } from "./widget.js";
import { kitchenWords } from "./words/kitchen.js";
import { wordsOf } from "./words/languages.js";
import { mountYours } from "./yours.js";

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Edited} Edited */

const DOOR = 2; // the part whose code is shown at first, as the kitchen is where the door is shut
const REST_MS = 250; // without a further answer, after which the kitchen asks who was where

const page = document.documentElement;
const query = new URLSearchParams(location.search);
// The lesson is in English; all else may be asked for as of the widget alone.
const asked = readAsked((name) => (query.has(name) && name !== "lang" ? query.getAll(name).join(",") : null));
const words = wordsOf("en");
const parts = new Parts(new URL(location.href));
const python = new Python(parts);

if (asked.theme !== null) {
  page.dataset.theme = asked.theme;
}

/** @param {string} id */
function byId(id) {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`the page has no element called ${id}`);
  }
  return element;
}

/** @param {string} selector @returns {NodeListOf<HTMLElement>} */
function all(selector) {
  return document.querySelectorAll(selector);
}

// ---- The widget ------------------------------------------------------------------------------------------

const tasks = watchTasks(byId("tasks"));
/** The lesson's newest answer. @type {Answer | null} */
let newest = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let restTimer;

const widget = mount(byId("widget"), {
  words,
  level: 2,
  firstAnswer: typedAnswer(firstAnswer),
  asked,
  python,
  isLazy: true,
  want: (isWanted) => {
    // Out of the widget's view it stays: kitchen, trace and the reader's program ask it as well.
    if (isWanted) {
      python.startOnce();
    }
  },
  onStage: (stage) => tellStage(page, stage),
  onAnswer: (answer) => {
    newest = answer;
    tellAnswer(page, answer);
    tasks.answered(answer);
    showInKitchen();
  },
  onSettings: () => yours.settingsChanged(),
  link: null,
  reload: () => location.reload(),
});

for (const button of all("button.set")) {
  const wanted = new URLSearchParams(button.dataset.settings);
  button.addEventListener("click", () => {
    python.startOnce();
    const named = Object.fromEntries([...wanted].map(([key, value]) => [key, Number(value)]));
    widget.set({ shuffle: 0, ...named }); // the text tells of the lesson's own order
  });
}

// ---- The kitchen, the code and the charts ----------------------------------------------------------------

const kitchen = mountKitchen(byId("kitchen-live"), {
  onMoment: (_step, time_s) => widget.showTime(time_s),
  onPart: (part) => {
    light("kitchen", part);
    if (part !== null) {
      showCodeOf(part);
    }
  },
});
/** Counts what was to be shown in the kitchen, so that what comes late can tell. */
let showings = 0;
/** How the reader's program fared last. @type {Edited | null} */
let newestEdited = null;

/** Whether the kitchen is to show the reader's run, if there is one. */
function isYoursChosen() {
  return /** @type {HTMLInputElement} */ (byId("whose").querySelector("input")).checked;
}

byId("whose").addEventListener("change", showInKitchen);

/** Shows the newest run, the lesson's or the reader's, once no other has come for a while. */
function showInKitchen() {
  clearTimeout(restTimer);
  showings += 1;
  const showing = showings;
  restTimer = setTimeout(async () => {
    const run = isYoursChosen() ? newestEdited?.run : null;
    if (newestEdited !== null && run) {
      kitchen.show({ settings: newestEdited.settings, columns: run.columns }, run.intervals, kitchenWords.yours);
    } else if (newest !== null) {
      const answer = newest;
      const intervals = await intervalsOf(answer.settings);
      if (intervals !== null && showing === showings) {
        kitchen.show(answer, intervals, kitchenWords.lessons);
      }
    }
  }, REST_MS);
}

/**
 * Who was where in a run; null if there is no Python any more: then the widget tells why, and what the kitchen shows
 * stays.
 *
 * @param {import("./settings.js").Settings} settings
 */
async function intervalsOf(settings) {
  try {
    return await python.ask({ kind: "intervals", settings });
  } catch (error) {
    if (error instanceof NoAnswer && error.why !== "refused") {
      return null;
    }
    throw error;
  }
}

for (const button of all("button.go")) {
  button.addEventListener("click", () => {
    python.startOnce();
    kitchen.goTo(Number(button.dataset.step) - 1);
  });
}

/** The part that is pointed at or focused in the kitchen, and in the table pointed at, focused and chosen by its link.
 * @type {Record<"pointed" | "kitchen" | "focused" | "chosen", number | null>} */
const litParts = { pointed: null, kitchen: null, focused: null, chosen: null };

/** Lights up the code of the part that is looked at most closely. @param {keyof typeof litParts} how
 * @param {number | null} newPart null where none is any more */
function light(how, newPart) {
  litParts[how] = newPart;
  const part = litParts.pointed ?? litParts.kitchen ?? litParts.focused ?? litParts.chosen;
  for (const row of all(".parts tr[data-part]")) {
    const isLit = row.dataset.part === String(part);
    row.classList.toggle("lit", isLit);
    linesOf(row).forEach((line) => line.classList.toggle("lit", isLit));
  }
}

/** The lines of code that a row of the table of the parts points at. @param {HTMLElement} row */
function linesOf(row) {
  const { fromLine, toLine } = /** @type {HTMLElement} */ (row.querySelector("a")).dataset;
  const first = Number(fromLine);
  return Array.from({ length: Number(toLine) - first + 1 }, (_, at) => byId(`L${first + at}`));
}

/** Shows the code of a part beside the kitchen; the one that was last asked for stays. @param {number} part */
function showCodeOf(part) {
  const row = /** @type {HTMLElement} */ (document.querySelector(`.parts tr[data-part="${part}"]`));
  const copies = linesOf(row).map((line) => {
    const copy = /** @type {HTMLElement} */ (line.cloneNode(true));
    copy.removeAttribute("id");
    copy.classList.remove("lit");
    return copy;
  });
  byId("part-code").replaceChildren(...copies);
}

showCodeOf(DOOR);
for (const row of all(".parts tr[data-part]")) {
  const part = Number(row.dataset.part);
  row.addEventListener("pointerenter", () => light("pointed", part));
  row.addEventListener("pointerleave", () => light("pointed", null));
  row.addEventListener("focusin", () => light("focused", part));
  row.addEventListener("focusout", () => light("focused", null));
  row.querySelector("a")?.addEventListener("click", () => light("chosen", part));
}

// ---- The trace -------------------------------------------------------------------------------------------

byId("trace-again").addEventListener("click", async () => {
  const [text, note] = [byId("trace-text"), byId("trace-note")];
  python.startOnce();
  note.textContent = "Python is at it …";
  try {
    const printed = await python.ask({ kind: "trace" });
    const isSame = printed === text.textContent;
    text.textContent = printed;
    note.textContent = isSame
      ? "Printed just now by Python in this page: the same text, to the last digit."
      : "Printed just now by Python in this page. It differs from the text made when the page was made.";
  } catch (error) {
    note.textContent = `Python gave no answer: ${error instanceof Error ? error.message : error}`;
  }
});

// ---- The reader's own program ----------------------------------------------------------------------------

const reader = new ReaderPython(parts, READER_LIMITS);
const yours = mountYours(byId("yours"), {
  words,
  source,
  modules: READER_MODULES,
  limits: READER_LIMITS,
  settings: () => widget.settings(),
  run: (program, settings) => reader.run(program, settings),
  stop: () => reader.stop(),
  prepare: () => reader.prepare(),
  status: () => reader.status,
  listen: (listener) => reader.listen(listener),
  lessonAnswer: (settings) => {
    python.startOnce();
    return python.answer(settings);
  },
  onResult: (edited, lesson) => {
    newestEdited = edited;
    byId("whose").hidden = !edited?.run;
    tasks.edited(edited, lesson);
    showInKitchen();
  },
});

// ---- The text --------------------------------------------------------------------------------------------

addTips(document.body);
placeBets(document.body);
// Whatever stands in the page for the case that this script does not run has served its purpose.
document.getElementById("not-started")?.remove();
