/**
 * Brings the widget's elements in line with its state. What the pictures and sentences are is worked out elsewhere.
 */
import { hasChanged, setAttribute, setText } from "./changed.js";
import { FIRST_SECONDS, cacheFill, cursorAt } from "./charts/cache-fill.js";
import { cacheRows } from "./charts/cache-table.js";
import { drawCacheFill, drawCursor } from "./charts/draw-cache-fill.js";
import { drawTwoWaits } from "./charts/draw-two-waits.js";
import { loadOf, twoWaits } from "./charts/two-waits.js";
import { LIGHT_RATE, sameSettings } from "./settings.js";
import { lightReport, visibleGhost } from "./state.js";
import { rowHead, sentenceElements } from "./telling-elements.js";
import { cacheInWords, clipboard, waitsInWords } from "./telling.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./words/languages.js").Words} Words */

/** Pixels that each chart may fill. @typedef {{twoWaits: number, cacheFill: number}} Room */

/**
 * Draws everything, but for what is on the screen already.
 *
 * @param {Layout} layout
 * @param {State} state
 * @param {Words} words
 * @param {Room} room
 * @param {Element | null} focused the element that the reader is in: what is typed there is not touched
 */
export function draw(layout, state, words, room, focused) {
  drawInputs(layout, state, words, focused);
  drawFailure(layout, state, words);
  setText(layout.status, statusText(state, words));
  setText(layout.note, state.note || refusedText(state, words));
  drawSentence(layout, state, words);
  drawClipboard(layout, state, words);
  if (room.twoWaits > 0 && room.cacheFill > 0) {
    // In a part of the page that is folded away there is no room; once there is, all is drawn again.
    drawCharts(layout, state, words, room);
    drawTimeCursor(layout, state, room);
  }
  drawTables(layout, state, words);
}

/**
 * How far Python is, and whose answer is shown.
 *
 * @param {State} state
 * @param {Words} words
 */
function statusText({ status, answer, settings }, words) {
  const { stage, loaded_bytes, total_bytes } = status;
  if (stage === "failed") {
    return "";
  }
  const said = words.status;
  const progress = stage === "download" ? said.download(loaded_bytes, total_bytes) : said[stage];
  if (!answer.isFromBuild) {
    return progress;
  }
  const isAsked = sameSettings(answer.settings, settings);
  // Once Python is ready its first answer is about to come.
  const whose = isAsked ? said.fromBuild : said.other(answer.settings);
  return `${whose} ${stage === "ready" ? said.start : progress}`;
}

/**
 * What is said if an answer stands under settings that it does not belong to and no other will come.
 *
 * @param {State} state
 * @param {Words} words
 */
function refusedText({ refused, answer, settings }, words) {
  return refused === null || !sameSettings(refused.settings, settings)
    ? ""
    : `${refused.reason} ${words.standing(answer.settings)}`;
}

/** @param {Layout} layout @param {State} state @param {Words} words */
function drawFailure(layout, { status, answer }, words) {
  const { failure } = status;
  const isFailed = status.stage === "failed" && failure !== null;
  layout.failure.hidden = !isFailed;
  layout.sliders.disabled = isFailed;
  layout.moreSliders.disabled = isFailed;
  layout.reset.disabled = isFailed;
  if (isFailed) {
    setText(layout.failureTitle, answer.isFromBuild ? words.failed : words.stopped);
    setText(layout.failureAdvice, `${words.failures[failure.kind](failure)} ${words.standing(answer.settings)}`);
    setText(layout.failureReason, failure.detail);
    setText(layout.retry, failure.kind === "updated" ? words.reload : words.retry);
  }
}

/** @param {Layout} layout @param {State} state @param {Words} words @param {Element | null} focused */
function drawInputs({ inputs }, { settings, locked }, words, focused) {
  for (const [{ key }, { slider, box }] of inputs) {
    const value = String(settings[key]);
    if (slider.value !== value) {
      slider.value = value;
    }
    if (box !== focused && box.value !== value) {
      box.value = value;
    }
    setAttribute(slider, "aria-valuetext", words.settings[key].inWords(settings[key]));
    slider.disabled = locked.has(key);
    box.disabled = locked.has(key);
  }
}

/** @param {Layout} layout @param {State} state @param {Words} words */
function drawSentence({ make, sentence: element }, { answer }, words) {
  if (!hasChanged(element, [answer])) {
    return;
  }
  element.replaceChildren(...sentenceElements(make, answer.report, words));
}

/** @param {Layout} layout @param {State} state @param {Words} words */
function drawClipboard({ make, clipboard: body }, { answer }, words) {
  if (!hasChanged(body, [answer])) {
    return;
  }
  const rows = clipboard(answer.report, words);
  if (body.childElementCount === 0) {
    body.append(
      ...rows.map(({ name, term, unit, figures }) => {
        const cells = figures.map(() => make("td", { colspan: figures.length === 1 ? 2 : 1 }));
        return make("tr", {}, rowHead(make, { name, term }), ...cells, make("td", { class: "unit" }, unit));
      }),
    );
  }
  rows.forEach(({ figures }, at) => {
    const [, ...cells] = body.children[at].children;
    figures.forEach((figure, column) => setText(cells[column], figure));
  });
}

/** @param {Layout} layout @param {State} state @param {Words} words @param {Room} room */
function drawCharts(layout, state, words, room) {
  const { answer, ends } = state;
  const ghost = visibleGhost(state);
  const [light, chosen] = shownLoads(state);
  const { svg, words: inWords } = layout.twoWaits;
  const { firstWord_s, gap_ms } = ends;
  if (hasChanged(svg, [answer, ghost, state.shownLight, light?.isThisOne, firstWord_s, gap_ms, room.twoWaits])) {
    const ghostLoad = ghost && loadOf(ghost.settings.rate, ghost.report);
    drawTwoWaits(svg, twoWaits(chosen, light, ghostLoad, ends, room.twoWaits, words));
    setText(inWords, waitsInWords(loadsToTell(state), words));
  }

  const end_s = timeEnd_s(state);
  const { pages, queue, batch } = ends;
  if (hasChanged(layout.cacheFill.svg, [answer, ghost, end_s, pages, queue, batch, room.cacheFill])) {
    drawCacheFill(layout.cacheFill.svg, cacheFill(answer, ghost, end_s, ends, room.cacheFill, words));
    setText(layout.cacheFill.words, cacheInWords(answer.report, answer.settings, words));
    setText(layout.before, ghost === null ? "" : words.before(ghost.settings));
  }
}

/**
 * The moment that another part of the page is at, in the chart of the cache: cheap, for it may move in every frame.
 *
 * @param {Layout} layout
 * @param {State} state
 * @param {Room} room
 */
export function drawTimeCursor({ cacheFill: { svg } }, state, room) {
  const { cursor_s } = state;
  drawCursor(svg, cursor_s === null ? null : cursorAt(cursor_s, timeEnd_s(state), room.cacheFill));
}

/**
 * The light load, or an earlier one until it has been made, and the chosen one.
 *
 * @param {State} state
 */
function shownLoads(state) {
  const { answer, shownLight } = state;
  const isThisOne = shownLight === lightReport(state, answer.settings);
  const light = shownLight && { load: loadOf(LIGHT_RATE, shownLight), isThisOne };
  return /** @type {const} */ ([light, loadOf(answer.settings.rate, answer.report)]);
}

/** The loads to tell in words: each once, and no light load that belongs to other settings. @param {State} state */
function loadsToTell(state) {
  const [light, chosen] = shownLoads(state);
  return light?.isThisOne && chosen.rate !== LIGHT_RATE ? [light.load, chosen] : [chosen];
}

/** Where the axis of time ends. @param {State} state */
function timeEnd_s({ span, ends }) {
  return span === "first" ? FIRST_SECONDS : ends.wholeRun_s;
}

/** The charts as tables, which take time and are drawn only where they are seen. @param {Layout} layout
 * @param {State} state @param {Words} words */
function drawTables({ make, waitsTable, cacheTable }, state, words) {
  if (!state.areTablesOpen) {
    return;
  }
  const { numbers, units } = words;
  const [light] = shownLoads(state);
  const end_s = timeEnd_s(state);
  if (!hasChanged(cacheTable, [state.answer, state.shownLight, light?.isThisOne, end_s])) {
    return;
  }
  const loads = loadsToTell(state);
  const row = (/** @type {string} */ head, /** @type {string[]} */ ...figures) =>
    make("tr", {}, make("th", { scope: "row" }, head), ...figures.map((figure) => make("td", {}, figure)));
  waitsTable.replaceChildren(
    ...loads.map(({ rate, ttft_p99_s, tbt_p99_s }) =>
      row(
        words.rateLabel(rate),
        `${numbers.plainSeconds(ttft_p99_s)} ${units.s}`,
        tbt_p99_s === null ? words.noGap : `${numbers.milliseconds(tbt_p99_s)} ${units.ms}`,
      ),
    ),
  );
  cacheTable.replaceChildren(
    ...cacheRows(state.answer.columns, end_s).map(({ time_s, promised, held, queue, stepped }) =>
      row(words.time(time_s), ...[promised, held, queue, stepped].map(numbers.grouped)),
    ),
  );
}
