/**
 * The chart "The two waits": p99 of the first word and of the gap, at the light load and at the chosen one.
 *
 * This works out the whole picture as numbers and text; draw-two-waits.js puts it into an <svg>.
 */
import { scaleLinear } from "d3-scale";
import { LIGHT_RATE } from "../settings.js";
import { NOTHING, growth } from "../telling.js";

/** @typedef {import("../messages.js").Report} Report */
/** @typedef {import("../axis-ends.js").Ends} Ends */
/** @typedef {import("../words/languages.js").Words} Words */
/** @typedef {{at: number, text: string}} Tick */
/** What a bar needs to know of a load.
 * @typedef {{rate: number, ttft_p99_s: number, tbt_p99_s: number | null}} Load */
/** @typedef {{name: "light" | "chosen", label: string, y: number, width: number, before: number | null,
 *   text: string, isDimmed: boolean}} Bar */
/** @typedef {{name: "first-word" | "gap", title: string, grew: string, than: string, x: number, y: number,
 *   ticks: Tick[], bars: Bar[]}} Panel */
/** @typedef {{width: number, height: number, left: number, right: number, barHeight: number, foot: number,
 *   panels: Panel[]}} TwoWaits */

const LEFT = 72; // room for the labels of the bars
const VALUE_ROOM = 60; // right of the longest bar
const TITLE_ROOM = 56;
const BAR_HEIGHT = 24;
const BAR_STEP = 32;
const FOOT = TITLE_ROOM + 2 * BAR_STEP;
const PANEL_HEIGHT = FOOT + 24;
const SIDE_BY_SIDE = 560; // pixels from which on the two panels stand side by side
const BETWEEN = 36;

/**
 * Height of the chart, which depends on the width alone.
 *
 * @param {number} width pixels
 */
function twoWaitsHeight(width) {
  return width < SIDE_BY_SIDE ? 2 * PANEL_HEIGHT + 16 : PANEL_HEIGHT;
}

/**
 * What the bars need of a report.
 *
 * @param {number} rate
 * @param {Report} report
 * @returns {Load}
 */
export function loadOf(rate, { ttft_p99_s, tbt_p99_s }) {
  return { rate, ttft_p99_s, tbt_p99_s };
}

/**
 * A bar before it is measured; where it is dimmed its load is another one's, or none, and `missing` is said in its
 * place.
 *
 * @typedef {{name: Bar["name"], label: string, load: Load | null, ghost: Load | null, isDimmed: boolean,
 *   missing: string}} Row
 */

/**
 * Works out the picture.
 *
 * @param {Load} chosen
 * @param {{load: Load, isThisOne: boolean} | null} light the light load, or an earlier one until it has been made
 * @param {Load | null} ghost an earlier chosen load, shown by where its bars ended
 * @param {Ends} ends
 * @param {number} width pixels
 * @param {Words} words
 * @returns {TwoWaits}
 */
export function twoWaits(chosen, light, ghost, ends, width, words) {
  const missing = words.notYet;
  /** @type {[Row, Row]} */
  const rows = [
    {
      name: "light",
      label: words.rateLabel(LIGHT_RATE),
      load: light?.load ?? null,
      ghost: null,
      isDimmed: !light?.isThisOne,
      missing,
    },
    { name: "chosen", label: words.rateLabel(chosen.rate), load: chosen, ghost, isDimmed: false, missing },
  ];
  const than = { asLong: words.asLong(LIGHT_RATE), shorter: words.shorter(LIGHT_RATE) };
  const isCompared = chosen.rate !== LIGHT_RATE;
  return picture(rows, (ratio) => growth(isCompared ? ratio : null, than, words), ends, width, words);
}

/**
 * The same picture for two programs under one load: the lesson's above, a reader's below.
 *
 * @param {Load | null} lesson null where it has not been measured
 * @param {Load | null} yours
 * @param {{lesson: string, yours: string, asLong: string, shorter: string, equal: {grew: string, than: string}}} said
 *   what the bars and their ratio are called
 * @param {Ends} ends
 * @param {number} width pixels
 * @param {Words} words
 * @returns {TwoWaits}
 */
export function comparedWaits(lesson, yours, said, ends, width, words) {
  /** @type {[Row, Row]} */
  const rows = [
    { name: "light", label: said.lesson, load: lesson, ghost: null, isDimmed: lesson === null, missing: NOTHING },
    { name: "chosen", label: said.yours, load: yours, ghost: null, isDimmed: yours === null, missing: NOTHING },
  ];
  const growthOf = (/** @type {number | null} */ ratio) =>
    ratio === 1 ? said.equal : growth(ratio, said, words);
  return picture(rows, growthOf, ends, width, words);
}

/**
 * @param {[above: Row, below: Row]} rows
 * @param {(ratio: number | null) => {grew: string, than: string}} growthOf what is said of the lower over the upper
 * @param {Ends} ends
 * @param {number} width pixels
 * @param {Words} words
 * @returns {TwoWaits}
 */
function picture(rows, growthOf, ends, width, words) {
  const isWide = width >= SIDE_BY_SIDE;
  const panelWidth = isWide ? (width - BETWEEN) / 2 : width;
  const right = panelWidth - VALUE_ROOM;
  const measures = [firstWord(ends, words), gap(ends, words)];
  const panels = measures.map(({ name, title, end, valueOf, textOf, tickText }, at) => {
    const x = scaleLinear([0, end], [0, Math.max(0, right - LEFT)]);
    /** @param {Load | null} load */
    const widthOf = (load) => (load === null ? 0 : x(valueOf(load) ?? 0));
    const bars = rows.map(({ name: bar, label, load, ghost, isDimmed, missing }, row) => ({
      name: bar,
      label,
      y: TITLE_ROOM + row * BAR_STEP,
      width: widthOf(load),
      before: ghost === null ? null : widthOf(ghost),
      text: load === null || isDimmed ? missing : textOf(load),
      isDimmed,
    }));
    const [above, below] = rows.map(({ load, isDimmed }) => (load === null || isDimmed ? null : valueOf(load)));
    return {
      name,
      title,
      ...growthOf(above && below ? below / above : null), // what takes no time at all cannot be set beside another
      x: isWide ? at * (panelWidth + BETWEEN) : 0,
      y: isWide ? 0 : at * (PANEL_HEIGHT + 16),
      ticks: [0, end / 4, end / 2, (3 * end) / 4, end].map((value) => ({
        at: LEFT + x(value),
        text: value === end ? tickText(value) : words.numbers.short(value),
      })),
      bars,
    };
  });
  return { width, height: twoWaitsHeight(width), left: LEFT, right, barHeight: BAR_HEIGHT, foot: FOOT, panels };
}

/**
 * One wait: how to read it from a load and how to say it.
 *
 * @typedef {object} Measure
 * @property {"first-word" | "gap"} name
 * @property {string} title
 * @property {number} end where its axis ends
 * @property {(load: Load) => number | null} valueOf null where nothing was measured
 * @property {(load: Load) => string} textOf
 * @property {(value: number) => string} tickText
 */

/** @param {Ends} ends @param {Words} words @returns {Measure} */
function firstWord(ends, { numbers, units, firstWordTitle }) {
  return {
    name: "first-word",
    title: firstWordTitle,
    end: ends.firstWord_s,
    valueOf: ({ ttft_p99_s }) => ttft_p99_s,
    textOf: ({ ttft_p99_s }) => `${numbers.plainSeconds(ttft_p99_s)} ${units.s}`,
    tickText: (value) => `${numbers.short(value)} ${units.s}`,
  };
}

/** @param {Ends} ends @param {Words} words @returns {Measure} */
function gap(ends, { numbers, units, gapTitle, noGap }) {
  return {
    name: "gap",
    title: gapTitle,
    end: ends.gap_ms,
    valueOf: ({ tbt_p99_s }) => (tbt_p99_s === null ? null : tbt_p99_s * 1000),
    textOf: ({ tbt_p99_s }) => (tbt_p99_s === null ? noGap : `${numbers.milliseconds(tbt_p99_s)} ${units.ms}`),
    tickText: (value) => `${numbers.short(value)} ${units.ms}`,
  };
}
