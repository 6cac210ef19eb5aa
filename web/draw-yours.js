/**
 * Brings the elements around the editor in line with how a reader's program stands.
 */
import { axisEnds } from "./axis-ends.js";
import { hasChanged, setAttribute, setText } from "./changed.js";
import { FIRST_SECONDS, cacheFill } from "./charts/cache-fill.js";
import { drawCacheFill } from "./charts/draw-cache-fill.js";
import { drawTwoWaits } from "./charts/draw-two-waits.js";
import { comparedWaits, loadOf } from "./charts/two-waits.js";
import { comparedRows, greatest, soFar } from "./comparing.js";
import { sameSettings } from "./settings.js";
import { rowHead, sentenceElements } from "./telling-elements.js";
import { cacheInWords, waitsInWords } from "./telling.js";
import { yours as said } from "./words/yours.js";

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Edited} Edited */
/** @typedef {import("./messages.js").Limits} Limits */
/** @typedef {import("./messages.js").Settings} Settings */
/** @typedef {import("./messages.js").Status} Status */
/** @typedef {import("./words/languages.js").Words} Words */
/** @typedef {import("./yours-layout.js").YoursLayout} YoursLayout */
/** What came of a run: of which source, and the lesson's answer to the same settings, null if there is none.
 * @typedef {{source: string, edited: Edited, lesson: Answer | null}} Result */
/** A run with something to draw.
 * @typedef {NonNullable<Edited["run"]>} Drawn */

/**
 * All that is kept of a reader's program.
 *
 * @typedef {object} YoursState
 * @property {"closed" | "loading" | "missing" | "open"} editor
 * @property {string} original the lesson's source
 * @property {string} source what stands in the editor
 * @property {boolean} canUndo
 * @property {boolean} canRedo
 * @property {boolean} isDiffShown
 * @property {boolean} isRunning
 * @property {Status} status how far the Python is that runs it
 * @property {string} failure why it could not be run at all; empty if it could
 * @property {Result | null} result
 * @property {"first" | "whole"} span the time that the chart of the cache shows
 */

/** Whether there is anything to go back from. @param {YoursState} state */
export function canReset({ source, original, result }) {
  return source !== original || result !== null;
}

/**
 * Whether a program is run again, by itself, when the settings change: if it gave something to draw, and did not have
 * to be stopped.
 *
 * @param {Result} result
 */
export function followsSettings({ edited: { run, trouble } }) {
  return run !== null && !["endless", "memory"].includes(trouble?.kind ?? "");
}

/**
 * @param {YoursLayout} layout
 * @param {YoursState} state
 * @param {{words: Words, limits: Limits, settings: Settings}} given `settings` are those of the page, under which it
 *   would be run now
 */
export function drawYours(layout, state, { words, limits, settings }) {
  drawDoor(layout, state, words);
  layout.bench.hidden = state.editor !== "open";
  setUsable(layout.undo, state.canUndo);
  setUsable(layout.redo, state.canRedo);
  setUsable(layout.reset, canReset(state));
  setUsable(layout.run, !state.isRunning);
  setAttribute(layout.showChanges, "aria-pressed", String(state.isDiffShown));
  const stale = staleText(state, settings);
  setText(layout.status, `${statusText(state, words, limits)} ${state.isRunning ? "" : stale}`.trim());
  drawTrouble(layout, state, stale);
  drawResults(layout, state, words, stale);
}

/** A button of no use now keeps the focus, which one that is disabled would lose. @param {HTMLButtonElement} button
 * @param {boolean} isUsable */
function setUsable(button, isUsable) {
  setAttribute(button, "aria-disabled", String(!isUsable));
}

/** @param {YoursLayout} layout @param {YoursState} state @param {Words} words */
function drawDoor({ door, open, opening }, { editor }, words) {
  door.hidden = editor === "open";
  setUsable(open, editor !== "loading");
  setText(open, editor === "missing" ? words.retry : said.open);
  setText(opening, { closed: "", loading: said.loading, missing: said.notLoaded, open: "" }[editor]);
}

/**
 * How the program stands, in a line.
 *
 * @param {YoursState} state
 * @param {Words} words
 * @param {Limits} limits
 */
export function statusText({ isRunning, status, failure, result, source, original }, words, limits) {
  if (isRunning) {
    const { stage, loaded_bytes, total_bytes } = status;
    const progress = { download: words.status.download(loaded_bytes, total_bytes), start: words.status.start };
    return stage === "download" || stage === "start" ? progress[stage] : said.running;
  }
  if (failure !== "") {
    return `${said.unavailable} ${failure}`;
  }
  if (result === null) {
    return source === original ? `${said.isOriginal} ${said.notRun}` : said.notRun;
  }
  const { settings, trouble } = result.edited;
  const settingsInWords = words.inWords(settings);
  return trouble === null
    ? said.ran(settingsInWords)
    : `${said.stopped[trouble.kind](trouble.line, limits)} ${said.under(settingsInWords)}`;
}

/** What keeps a result from being that of the program and the settings as they are. @param {YoursState} state
 * @param {Settings} settings */
function staleText({ result, source, isRunning }, settings) {
  if (result === null) {
    return "";
  }
  if (result.source !== source) {
    return said.programChanged;
  }
  const isOfSettings = sameSettings(result.edited.settings, settings);
  return isOfSettings || isRunning || followsSettings(result) ? "" : said.settingsChanged;
}

/** @param {YoursLayout} layout @param {YoursState} state @param {string} stale */
function drawTrouble(layout, { result }, stale) {
  const trouble = result?.edited.trouble ?? null;
  layout.trouble.hidden = trouble === null;
  layout.trouble.classList.toggle("stale", stale !== "");
  if (trouble !== null && hasChanged(layout.trouble, [trouble])) {
    const where = trouble.line === null ? "" : `${said.line(trouble.line)}: `;
    setText(layout.troubleMessage, where + trouble.message);
    layout.goToLine.hidden = trouble.line === null;
    setText(layout.goToLine, trouble.line === null ? "" : said.goToLine(trouble.line));
    layout.tracebackFold.hidden = trouble.traceback === "";
    setText(layout.traceback, trouble.traceback);
  }
  layout.console.hidden = result === null;
  if (result !== null) {
    layout.printed.classList.toggle("nothing", result.edited.printed === "");
    setText(layout.printed, result.edited.printed || said.nothingPrinted);
  }
}

/** @param {YoursLayout} layout @param {YoursState} state @param {Words} words @param {string} stale */
function drawResults(layout, { result, span }, words, stale) {
  const drawn = result?.edited.run ?? null;
  const hasSteps = drawn !== null && drawn.columns.start_s.length > 0;
  layout.results.hidden = !hasSteps;
  setText(layout.stale, stale);
  layout.results.classList.toggle("stale", stale !== "");
  if (result === null || drawn === null || !hasSteps) {
    return;
  }
  // What is hidden has no width, so this is asked once it is not.
  const room = { waits: layout.waitsFigure.clientWidth, cache: layout.cacheFigure.clientWidth };
  if (!hasChanged(layout.results, [result, span, room.waits, room.cache])) {
    return;
  }
  drawSentences(layout, result, drawn, words);
  drawRows(layout, result, drawn, words);
  drawCharts(layout, result, drawn, span, words, room);
}

/** @param {YoursLayout} layout @param {Result} result @param {Drawn} drawn @param {Words} words */
function drawSentences({ make, lessonSentence, yoursSentence }, { lesson }, { report, columns }, words) {
  lessonSentence.replaceChildren(...(lesson === null ? [words.notYet] : sentenceElements(make, lesson.report, words)));
  yoursSentence.replaceChildren(
    ...(report === null ? [brokeOffText(columns, words)] : sentenceElements(make, report, words)),
  );
}

/** Where a run broke off. @param {import("./messages.js").Columns} columns @param {Words} words */
function brokeOffText({ end_s }, { numbers, units }) {
  return said.brokeOff(numbers.fixed(end_s[end_s.length - 1], 3), `${numbers.grouped(end_s.length)} ${units.steps}`);
}

/** @param {YoursLayout} layout @param {Result} result @param {Drawn} drawn @param {Words} words */
function drawRows({ make, rows, sameNote }, { lesson }, { report, columns }, words) {
  const yours = report ?? soFar(columns);
  const compared = comparedRows(lesson?.report ?? yours, yours, words);
  const isComparable = lesson !== null && report !== null; // a part is less than the whole in any case
  rows.replaceChildren(
    ...compared.map(({ name, term, unit, lesson: lessonText, yours: yoursText, change }) => {
      const mark =
        change === "same" || !isComparable
          ? []
          : [
              make("span", { class: "sign", "aria-hidden": "true" }, said.changes[change].sign),
              make("span", { class: "unseen" }, `${said.changes[change].spoken}: `),
            ];
      return make(
        "tr",
        { class: isComparable ? change : "same" },
        rowHead(make, { name, term }),
        make("td", { class: "lesson" }, lesson === null ? words.notYet : lessonText),
        make("td", { class: "yours-figure" }, ...mark, yoursText),
        make("td", { class: "unit" }, unit),
      );
    }),
  );
  const areAllTheSame = isComparable && compared.every(({ change }) => change === "same");
  setText(sameNote, areAllTheSame ? said.allTheSame : "");
}

/** @param {YoursLayout} layout @param {Result} result @param {Drawn} drawn @param {YoursState["span"]} span
 * @param {Words} words @param {{waits: number, cache: number}} room */
function drawCharts(layout, { edited, lesson }, { report, columns }, span, words, room) {
  const { settings } = edited;
  const known = report ?? soFar(columns);
  const shown = [{ columns, report: known }, ...(lesson === null ? [] : [lesson])];
  const ends = axisEnds(neededBy(shown, settings), null, false);
  const lessonLoad = lesson && loadOf(settings.rate, lesson.report);
  const yoursLoad = report && loadOf(settings.rate, report);
  drawTwoWaits(layout.waits.svg, comparedWaits(lessonLoad, yoursLoad, said, ends, room.waits, words));
  const inWords = [
    { name: said.lessonSays, load: lessonLoad },
    { name: said.yoursSays, load: yoursLoad },
  ].map(({ name, load }) => (load === null ? "" : `${name}: ${waitsInWords([load], words)}`));
  setText(layout.waits.words, inWords.join(" ").trim());
  const timeEnd_s = span === "first" ? FIRST_SECONDS : ends.wholeRun_s;
  const picture = cacheFill({ settings, columns, report: known }, lesson, timeEnd_s, ends, room.cache, words);
  drawCacheFill(layout.cache.svg, picture);
  setText(layout.cache.words, report === null ? brokeOffText(columns, words) : cacheInWords(report, settings, words));
  setText(layout.thinLine, lesson === null ? "" : said.thinLine);
}

/**
 * What has to fit under the ends of the axes: a reader's program may go beyond pages and limit, and need have no waits.
 *
 * @param {{columns: import("./messages.js").Columns, report: import("./telling.js").Measured}[]} shown
 * @param {Settings} settings of both runs
 * @returns {import("./axis-ends.js").Ends}
 */
function neededBy(shown, { pages, limit }) {
  const columns = shown.map((each) => each.columns);
  const reports = shown.map((each) => each.report);
  return {
    firstWord_s: Math.max(...reports.map(({ ttft_p99_s }) => ttft_p99_s ?? 0)),
    gap_ms: Math.max(...reports.map(({ tbt_p99_s }) => (tbt_p99_s ?? 0) * 1000)),
    pages: Math.max(pages, ...columns.map(({ promised }) => greatest(promised))),
    queue: Math.max(...columns.map(({ queue }) => greatest(queue))),
    batch: Math.max(limit, ...columns.map(({ stepped }) => greatest(stepped))),
    wholeRun_s: Math.max(...columns.map(({ end_s }) => end_s[end_s.length - 1])),
  };
}
