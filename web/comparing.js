/**
 * A reader's run beside the lesson's: which figures it has, and which of them differ.
 */
import { cacheFillsStep } from "./charts/moment.js";
import { clipboard } from "./telling.js";

/** @typedef {import("./messages.js").Columns} Columns */
/** @typedef {import("./messages.js").Report} Report */
/** @typedef {import("./telling.js").Measured} Measured */
/** @typedef {import("./words/languages.js").Words} Words */
/** @typedef {"same" | "more" | "less" | "other"} Change "other" where one of the two is no number */
/** @typedef {{name: string, term: string, unit: string, lesson: string, yours: string, change: Change}} ComparedRow */

/**
 * What can be told of a run that broke off: counts up to there, and no wait, for whose end some chats still waited.
 *
 * @param {Columns} columns of at least one step
 * @returns {Measured & Pick<Report, "cache_steps" | "batch_steps" | "steps">}
 */
export function soFar(columns) {
  const { start_s, queue, held, cache_held_out, batch_held_out } = columns;
  const fills = cacheFillsStep(columns);
  const count = (/** @type {Int32Array} */ flags) => flags.reduce((sum, flag) => sum + flag, 0);
  return {
    ttft_p50_s: null,
    ttft_p99_s: null,
    tbt_p50_s: null,
    tbt_p99_s: null,
    tpot_p50_s: null,
    tpot_p99_s: null,
    queue_max: greatest(queue),
    pages_max: greatest(held),
    cache_full_s: fills === null ? null : start_s[fills],
    cache_steps: count(cache_held_out),
    batch_steps: count(batch_held_out),
    steps: start_s.length,
    chats_per_s: null,
    wall: null,
  };
}

/** The greatest of at least one number, of which there may be too many for Math.max. @param {Int32Array} numbers */
export function greatest(numbers) {
  return numbers.reduce((most, number) => Math.max(most, number));
}

/**
 * The clipboards of both, a figure in each row. Figures count as the same if they are shown the same.
 *
 * @param {Measured} lesson
 * @param {Measured} yours
 * @param {Words} words
 * @returns {ComparedRow[]}
 */
export function comparedRows(lesson, yours, words) {
  const rows = clipboard(yours, words);
  return clipboard(lesson, words).flatMap(({ name, term, unit, keys, figures }, at) =>
    keys.map((key, column) => {
      const [lessonText, yoursText] = [figures[column], rows[at].figures[column]];
      const change = lessonText === yoursText ? "same" : changeOf(lesson[key], yours[key]);
      const percentile = /_(p\d+)_/.exec(key)?.[1] ?? "";
      return { name, term: `${term} ${percentile}`.trim(), unit, lesson: lessonText, yours: yoursText, change };
    }),
  );
}

/** @param {Measured[keyof Measured]} lesson @param {Measured[keyof Measured]} yours @returns {Change} */
function changeOf(lesson, yours) {
  if (typeof lesson !== "number" || typeof yours !== "number") {
    return "other";
  }
  return yours > lesson ? "more" : "less";
}
