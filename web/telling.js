/**
 * What is told of an answer: which of the widget's words, with which figures. The words themselves, in each
 * language, stand in words/.
 */

/** @typedef {import("./messages.js").Report} Report */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./words/languages.js").Words} Words */

/**
 * A piece of a sentence; a strong piece names the wall.
 *
 * @typedef {{text: string, strong?: boolean}} Piece
 */

/**
 * What a run means, in one or two sentences.
 *
 * @param {Report} report
 * @param {Words} words
 * @returns {Piece[]}
 */
export function sentence(report, words) {
  return [{ text: words.wallSentences[report.wall], strong: true }, { text: ` ${whatHappens(report, words)}` }];
}

/** @param {Report} report @param {Words} words */
function whatHappens(report, words) {
  const { cache_steps, batch_steps, wall, queue_max, cache_full_s, ttft_p99_s } = report;
  const slowest = words.slowest(words.numbers.plainSeconds(ttft_p99_s));
  if (cache_steps === 0 && batch_steps === 0) {
    return words.nobodyHeldOut(slowest);
  }
  if (wall === "none") {
    return words.yet(heldOut(report, words), queue_max, slowest);
  }
  if (cache_full_s === null) {
    return words.neverByCache(slowest);
  }
  return words.cacheFirst[wall](words.numbers.fixed(cache_full_s, 3), slowest);
}

/** @param {Report} report @param {Words} words */
function heldOut({ cache_steps, cache_full_s, batch_steps }, words) {
  const parts = [];
  if (cache_full_s !== null) {
    parts.push(words.cacheHeldOut(cache_steps, words.numbers.fixed(cache_full_s, 3)));
  }
  if (batch_steps > 0) {
    parts.push(words.batchHeldOut(batch_steps, parts.length > 0));
  }
  return parts;
}

/** What stands where nothing was measured. */
export const NOTHING = "–";

/**
 * What was measured, null where nothing was.
 *
 * @typedef {{[Key in keyof Report]: Report[Key] | null}} Measured
 */

/**
 * A row of the clipboard, with the keys of its figures in a report. Waits have two figures, p50 and p99; everything
 * else has one.
 *
 * @typedef {{name: string, term: string, unit: string, keys: (keyof Report)[], figures: string[]}} Row
 */

/**
 * The clipboard as rows of text.
 *
 * @param {Measured} report
 * @param {Words} words
 * @returns {Row[]}
 */
export function clipboard(report, words) {
  const { rows, units, numbers, wallNames } = words;
  const { grouped, milliseconds } = numbers;
  /**
   * @param {string} name
   * @param {string} unit
   * @param {(value: number) => string} textOf
   * @param {Exclude<keyof Report, "wall">[]} keys
   * @param {string} [term] the field's own short name
   * @returns {Row}
   */
  const row = (name, unit, textOf, keys, term = "") => {
    const values = keys.map((key) => report[key]);
    return { name, unit, term, keys, figures: values.map((value) => (value === null ? NOTHING : textOf(value))) };
  };
  const seconds = (/** @type {number} */ value) => numbers.fixed(value, 3);
  const perSecond = (/** @type {number} */ value) => numbers.fixed(value, 1);
  const wall = report.wall === null ? NOTHING : wallNames[report.wall];
  return [
    { name: rows.wall, unit: "", term: "", keys: ["wall"], figures: [wall] },
    row(rows.firstWord, units.s, seconds, ["ttft_p50_s", "ttft_p99_s"], "TTFT"),
    row(rows.gap, units.ms, milliseconds, ["tbt_p50_s", "tbt_p99_s"], "TBT"),
    row(rows.meanGap, units.ms, milliseconds, ["tpot_p50_s", "tpot_p99_s"], "TPOT"),
    row(rows.queue, units.chats, grouped, ["queue_max"]),
    row(rows.pages, units.pages, grouped, ["pages_max"]),
    row(rows.cacheFirst, units.s, seconds, ["cache_full_s"]),
    row(rows.byCache, units.steps, grouped, ["cache_steps"]),
    row(rows.byBatch, units.steps, grouped, ["batch_steps"]),
    row(rows.steps, units.steps, grouped, ["steps"]),
    row(rows.finished, units.perSecond, perSecond, ["chats_per_s"]),
  ];
}

/**
 * The chart of the waits as sentences, for who does not see it.
 *
 * @param {{rate: number, ttft_p99_s: number, tbt_p99_s: number | null}[]} loads
 * @param {Words} words
 */
export function waitsInWords(loads, words) {
  const { plainSeconds, milliseconds } = words.numbers;
  return loads
    .map(({ rate, ttft_p99_s, tbt_p99_s }) => {
      const gap = tbt_p99_s === null ? words.noGap : words.gapInWords(milliseconds(tbt_p99_s));
      return words.waitsInWords(rate, plainSeconds(ttft_p99_s), gap);
    })
    .join(" ");
}

/**
 * The chart of the cache as sentences.
 *
 * @param {Report} report
 * @param {Settings} settings
 * @param {Words} words
 */
export function cacheInWords({ cache_full_s, pages_max, queue_max }, settings, words) {
  const at = cache_full_s === null ? null : words.numbers.fixed(cache_full_s, 3);
  return words.cacheInWords(at, pages_max, settings.pages, queue_max);
}

/**
 * What a wait has grown to against another, as a figure and what it is compared with; both empty where there is
 * nothing to compare.
 *
 * @param {number | null} ratio
 * @param {{asLong: string, shorter: string}} than what it is compared with, in words
 * @param {Words} words
 */
export function growth(ratio, { asLong, shorter }, words) {
  const { times } = words.numbers;
  if (ratio === null) {
    return { grew: "", than: "" };
  }
  return ratio < 1 && times(1 / ratio) !== times(1)
    ? { grew: words.grew(times(1 / ratio)), than: shorter }
    : { grew: words.grew(times(ratio)), than: asLong };
}
