/**
 * The chart "How the cache fills" as a table: what holds at some moments, evenly apart.
 */

/** @typedef {import("../messages.js").Columns} Columns */
/** @typedef {{time_s: number, promised: number, held: number, queue: number, stepped: number}} CacheRow */

const SPACES = 12; // between the moments: quarters of a second where three are shown

/**
 * One row for each moment, from the start to the end of the axis or of the run. In each the values of the step
 * that runs then, or of the last one before it.
 *
 * @param {Columns} columns
 * @param {number} timeEnd_s where the axis of time ends
 * @returns {CacheRow[]}
 */
export function cacheRows({ start_s, end_s, promised, held, queue, stepped }, timeEnd_s) {
  const end = end_s[end_s.length - 1];
  const rows = [];
  let step = 0;
  for (let moment = 0; moment <= SPACES; moment += 1) {
    const time_s = (timeEnd_s * moment) / SPACES;
    while (step + 1 < start_s.length && start_s[step + 1] <= time_s) {
      step += 1;
    }
    if (time_s <= end) {
      const isRunning = start_s[step] <= time_s && time_s < end_s[step];
      rows.push({
        time_s,
        promised: promised[step],
        held: held[step],
        queue: queue[step],
        stepped: isRunning ? stepped[step] : 0,
      });
    }
  }
  return rows;
}
