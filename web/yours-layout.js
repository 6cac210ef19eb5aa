/**
 * The elements around the editor, made once; draw-yours.js fills them.
 */
import { makeChart, makeSpans } from "./chart-parts.js";
import { elementMaker } from "./make-element.js";
import { yours as said } from "./words/yours.js";

/** @typedef {import("./messages.js").Limits} Limits */
/** @typedef {import("./words/languages.js").Words} Words */
/** @typedef {ReturnType<typeof makeYoursLayout>} YoursLayout */

/**
 * @param {Document} document the one that they will stand in
 * @param {{words: Words, firstSeconds: number, limits: Limits, modules: readonly string[]}} given `firstSeconds` is
 *   what the chart of the cache shows at first
 */
export function makeYoursLayout(document, { words, firstSeconds, limits, modules }) {
  const make = elementMaker(document);
  /** @param {string} text @param {string} [className] */
  const makeButton = (text, className = "") => make("button", { type: "button", class: className }, text);

  // 1. Before the editor is there.
  const open = makeButton(said.open, "open");
  const opening = make("p", { class: "opening", role: "status" });
  const promise = make("p", { class: "promise" }, said.promise(limits));
  const door = make("div", { class: "door" }, open, opening, promise);

  // 2. The editor.
  const run = makeButton(said.run, "run");
  run.setAttribute("aria-keyshortcuts", "Control+Enter");
  const reset = makeButton(said.reset);
  const showChanges = makeButton(said.showChanges);
  showChanges.setAttribute("aria-pressed", "false");
  const undo = makeButton(said.undo);
  const redo = makeButton(said.redo);
  const download = makeButton(said.download);
  const tools = make(
    "div",
    { class: "tools", role: "toolbar", "aria-label": said.tools },
    ...[run, undo, redo, showChanges, reset, download],
  );
  const editorHost = make("div", { class: "editor" });

  // 3. How the run went.
  const status = make("p", { class: "run-status" });
  const spoken = make("p", { class: "unseen", role: "status" });
  const troubleMessage = make("p", { class: "message" });
  const goToLine = makeButton("");
  const traceback = make("pre", { tabindex: 0, role: "region", "aria-label": said.traceback });
  const tracebackFold = make("details", {}, make("summary", {}, said.traceback), traceback);
  const trouble = make("div", { class: "trouble", hidden: true }, troubleMessage, goToLine, tracebackFold);
  const printed = make("pre", { tabindex: 0, role: "region", "aria-label": said.console });
  const console = make("div", { class: "console", hidden: true }, make("h3", {}, said.console), printed);
  const moduleList = modules.flatMap((name, at) => [...(at === 0 ? [] : [", "]), make("code", {}, name)]);
  const moduleFold = make(
    "details",
    { class: "modules" },
    make("summary", {}, said.modules),
    make("p", {}, ...moduleList),
  );
  const bench = make(
    "div",
    { class: "bench", hidden: true },
    ...[tools, editorHost, status, spoken, trouble, console, moduleFold],
  );

  // 4. What came of it, beside the lesson's.
  const stale = make("p", { class: "stale-note" });
  const lessonSentence = make("dd");
  const yoursSentence = make("dd");
  const sentences = make(
    "dl",
    { class: "sentences" },
    make("div", {}, make("dt", {}, said.lessonSays), lessonSentence),
    make("div", {}, make("dt", {}, said.yoursSays), yoursSentence),
  );
  const rows = make("tbody");
  const sameNote = make("p", { class: "same-note" });
  const head = [words.measured, said.lesson, said.yours, words.unit].map((text, at) =>
    make("th", { scope: "col" }, at === 1 || at === 2 ? text : make("span", { class: "unseen" }, text)),
  );
  const table = make(
    "table",
    {},
    make("caption", {}, words.clipboard),
    make("colgroup", {}, ...["what", "lesson", "yours", "in"].map((name) => make("col", { class: name }))),
    make("thead", {}, make("tr", {}, ...head)),
    rows,
  );
  const waits = makeChart(document, "yours-waits");
  const cache = makeChart(document, "yours-cache");
  const spans = makeSpans(document, "yours-span", words, firstSeconds);
  const thinLine = make("p", { class: "before" });
  const waitsFigure = make(
    "figure",
    {},
    make("figcaption", {}, make("h3", {}, said.waits), make("p", {}, words.twoWaitsRule)),
    waits.svg,
    waits.words,
  );
  const cacheFigure = make(
    "figure",
    {},
    make("figcaption", {}, make("h3", {}, said.cache), spans.fieldset),
    cache.svg,
    cache.words,
    thinLine,
  );
  const results = make(
    "div",
    { class: "results", hidden: true, role: "group", "aria-label": said.results },
    stale,
    sentences,
    make("div", { class: "compared" }, table, sameNote),
    make("div", { class: "yours-charts" }, waitsFigure, cacheFigure),
  );

  const root = make("section", { class: "yours", "aria-label": said.title }, door, bench, results);
  return {
    make,
    root,
    ...{ door, open, opening },
    ...{ bench, run, reset, showChanges, undo, redo, download, editorHost },
    ...{ status, spoken, trouble, troubleMessage, goToLine, traceback, tracebackFold, console, printed },
    ...{ results, stale, lessonSentence, yoursSentence, rows, sameNote, waits, cache, thinLine },
    ...{ waitsFigure, cacheFigure },
    spans: spans.radios,
  };
}
