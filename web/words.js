/**
 * What the widget says of settings, answers and charts; what never changes stands in widget.html.
 */
import { fixed, grouped, milliseconds, plainSeconds, times } from "./format.js";

/** @typedef {import("./messages.js").Report} Report */
/** @typedef {import("./messages.js").Stage} Stage */
/** @typedef {import("./settings.js").Setting} Setting */
/** @typedef {import("./settings.js").SettingKey} SettingKey */
/** @typedef {import("./settings.js").Settings} Settings */

/** @type {Record<SettingKey, {name: string, unit: string}>} */
export const SETTING_WORDS = {
  rate: { name: "Chats a second", unit: "chats/s" },
  pages: { name: "Cache pages", unit: "pages" },
  limit: { name: "Chats per step", unit: "chats" },
  shuffle: { name: "Shuffle the chats", unit: "order" },
};

/** @type {Record<Stage, string>} */
export const STAGE_WORDS = {
  idle: "Starting Python in this page …",
  download: "Downloading Python into this page …",
  start: "Starting Python in this page …",
  ready: "Every answer is computed by Python, in this page.",
  failed: "Python could not be started in this page.",
};

export const WORDS = {
  stopped: "Python has stopped in this page.",
  reload: "Reload the page",
  failedAdvice: "Reload the page to try again. What went wrong:",
  stale: (/** @type {Settings} */ settings) => `What is shown is the answer to ${settingsInWords(settings)}.`,
  outOfRange: (/** @type {string} */ name, /** @type {Setting} */ { min, max, step }, /** @type {number} */ taken) =>
    `${name}: ${grouped(min)} to ${grouped(max)}${step === 1 ? "" : ` in steps of ${step}`}; set to ${grouped(taken)}.`,
  notANumber: (/** @type {string} */ name, /** @type {number} */ taken) =>
    `${name}: not a number; it stays at ${grouped(taken)}.`,
  before: (/** @type {Settings} */ settings) => `Thin line: before, with ${settingsInWords(settings)}`,

  firstWordTitle: "Wait for the first word",
  gapTitle: "Gap between words",
  rateLabel: (/** @type {number} */ rate) => `${grouped(rate)} chats/s`,
  grew,
  noGap: "no gap",
  notYet: "…",

  pagesLane: "Pages",
  promised: "promised",
  held: "held",
  ceiling: (/** @type {number} */ pages) => `all ${grouped(pages)}`,
  queueLane: "Queue",
  waitingChats: "chats waiting",
  batchLane: "Batch",
  places: "places in use",
  limit: (/** @type {number} */ limit) => `limit ${grouped(limit)}`,
  heldOutByCache: (/** @type {number} */ steps) => `Held out by the cache: ${counted(steps, "step")} in all`,
  heldOutByBatch: (/** @type {number} */ steps) => `Held out by the batch: ${counted(steps, "step")} in all`,
  firstHeldOut: (/** @type {number} */ at_s) => `cache first holds a chat out: ${inSeconds(fixed(at_s, 3))}`,
  firstSpan: (/** @type {number} */ seconds) => `first ${counted(seconds, "second")}`,
  wholeSpan: "whole run",
  timeAxis: "seconds since the first chat was sent",
};

/**
 * How a wait has changed against the light load, as a figure and what it is compared with; both empty until the
 * light load is known or if it is the chosen one.
 *
 * @param {number | null} ratio
 * @param {number} lightRate
 */
function grew(ratio, lightRate) {
  if (ratio === null) {
    return { grew: "", than: "" };
  }
  const light = `at ${grouped(lightRate)} chats/s`;
  return ratio < 1 && times(1 / ratio) !== times(1)
    ? { grew: `${times(1 / ratio)} times`, than: `shorter than ${light}` }
    : { grew: `${times(ratio)} times`, than: `as long as ${light}` };
}

/** @param {Settings} settings */
function settingsInWords({ rate, pages, limit, shuffle }) {
  const order = shuffle === 0 ? "" : `, order ${shuffle}`;
  return `${counted(rate, "chat")} a second, ${counted(pages, "page")}, ${counted(limit, "chat")} per step${order}`;
}

/**
 * A piece of a sentence; a strong piece names the wall.
 *
 * @typedef {{text: string, strong?: boolean}} Piece
 */

/** @type {Record<Report["wall"], string>} */
const WALL_SENTENCE = {
  none: "No wall.",
  cache: "The cache is the wall.",
  batch: "The batch limit is the wall.",
  both: "Cache and batch limit are both the wall.",
};

/** @type {Record<Report["wall"], string>} */
const WALL_NAMES = { none: "none", cache: "the cache", batch: "the batch limit", both: "both" };

/**
 * What a run means, in one or two sentences.
 *
 * @param {Report} report
 * @returns {Piece[]}
 */
export function sentence(report) {
  return [{ text: WALL_SENTENCE[report.wall], strong: true }, { text: ` ${whatHappens(report)}` }];
}

/** @param {Report} report */
function whatHappens(report) {
  const wait = inSeconds(plainSeconds(report.ttft_p99_s));
  const slowest = `the slowest 1 in 100 chats wait ${wait} or longer for their first word.`;
  if (report.cache_steps === 0 && report.batch_steps === 0) {
    return `No chat is ever held out; ${slowest}`;
  }
  if (report.wall === "none") {
    return `Yet ${heldOut(report)}; at most ${counted(report.queue_max, "chat")} waited, and ${slowest}`;
  }
  if (report.cache_full_s === null) {
    return `The cache never holds a chat out; ${slowest}`;
  }
  const cache = report.wall === "cache" ? "It" : "The cache";
  return `${cache} first holds a chat out at ${inSeconds(fixed(report.cache_full_s, 3))}, and ${slowest}`;
}

/** @param {Report} report */
function heldOut({ cache_steps, cache_full_s, batch_steps }) {
  const parts = [];
  if (cache_full_s !== null) {
    const first = inSeconds(fixed(cache_full_s, 3));
    parts.push(`the cache held a chat out in ${counted(cache_steps, "step")}, first at ${first}`);
  }
  if (batch_steps > 0) {
    parts.push(`the batch limit held one out in ${counted(batch_steps, "step")}`);
  }
  return parts.join(", and ");
}

/**
 * A number and its unit stay on one line.
 *
 * @param {string} figure
 */
function inSeconds(figure) {
  return `${figure}\u00a0s`;
}

/**
 * counted(1, "step") is "1 step", counted(2, "step") is "2 steps"; both stay on one line.
 *
 * @param {number} count
 * @param {string} noun
 */
function counted(count, noun) {
  return `${grouped(count)}\u00a0${noun}${count === 1 ? "" : "s"}`;
}

/**
 * A row of the clipboard. Waits have two figures, p50 and p99; everything else has one.
 *
 * @typedef {{name: string, term?: string, unit: string, figures: string[]}} Row
 */

/**
 * The clipboard as rows of text.
 *
 * @param {Report} report
 * @returns {Row[]}
 */
export function clipboard(report) {
  const seconds = (/** @type {number | null} */ value) => (value === null ? "–" : fixed(value, 3));
  const ms = (/** @type {number | null} */ value) => (value === null ? "–" : milliseconds(value));
  return [
    row("The wall", "", [WALL_NAMES[report.wall]]),
    row("First word", "s", [seconds(report.ttft_p50_s), seconds(report.ttft_p99_s)], "TTFT"),
    row("Gap between words", "ms", [ms(report.tbt_p50_s), ms(report.tbt_p99_s)], "TBT"),
    row("A chat’s mean gap", "ms", [ms(report.tpot_p50_s), ms(report.tpot_p99_s)], "TPOT"),
    row("Longest queue", "chats", [grouped(report.queue_max)]),
    row("Most pages held", "pages", [grouped(report.pages_max)]),
    row("Cache first holds out", "s", [seconds(report.cache_full_s)]),
    row("Held out by the cache", "steps", [grouped(report.cache_steps)]),
    row("Held out by the batch", "steps", [grouped(report.batch_steps)]),
    row("Steps in all", "steps", [grouped(report.steps)]),
    row("Chats finished", "/s", [fixed(report.chats_per_s, 1)]),
  ];
}

/**
 * @param {string} name
 * @param {string} unit
 * @param {string[]} figures
 * @param {string} [term] the field's own short name
 * @returns {Row}
 */
function row(name, unit, figures, term) {
  return { name, unit, figures, term };
}

/**
 * The chart of the waits as a sentence, for who does not see it.
 *
 * @param {{rate: number, ttft_p99_s: number, tbt_p99_s: number | null}[]} loads
 */
export function waitsInWords(loads) {
  return loads
    .map(({ rate, ttft_p99_s, tbt_p99_s }) => {
      const gap = tbt_p99_s === null ? WORDS.noGap : `gap ${milliseconds(tbt_p99_s)} ms`;
      return `At ${grouped(rate)} chats a second, p99: first word ${inSeconds(plainSeconds(ttft_p99_s))}, ${gap}.`;
    })
    .join(" ");
}

/**
 * The chart of the cache as a sentence.
 *
 * @param {Report} report
 * @param {Settings} settings
 */
export function cacheInWords(report, settings) {
  const full =
    report.cache_full_s === null
      ? "The cache never holds a chat out."
      : `The cache first holds a chat out at ${inSeconds(fixed(report.cache_full_s, 3))}.`;
  return (
    `${full} At most ${grouped(report.pages_max)} of ${grouped(settings.pages)} pages are held, ` +
    `and at most ${counted(report.queue_max, "chat")} wait.`
  );
}
