/**
 * Where the axes end: few named steps, so that a picture keeps its scale while a slider moves.
 */

/** Values at which an axis may end, smallest first. At the lesson's pages and limit no load changes the waits' ends. */
const AXIS_ENDS = {
  firstWord_s: [8, 20, 50, 150],
  gap_ms: [100],
  pages: [300, 600, 1000],
  queue: [200, 400],
  batch: [10, 20, 50],
  wholeRun_s: [15, 50, 150, 500],
};

/** @typedef {keyof typeof AXIS_ENDS} AxisName */
/** @typedef {Record<AxisName, number>} Ends */

/**
 * The ends for what is to be shown: the smallest step that a value fits under, firstWord_s 3.49 under 8. A value
 * beyond the last step ends its axis itself, so that nothing is ever cut off. While a slider is held, an axis may
 * grow but not shrink.
 *
 * @param {Ends} needed values that must fit
 * @param {Ends | null} before ends on the screen
 * @param {boolean} isHeld whether a slider is being dragged
 * @returns {Ends}
 */
export function axisEnds(needed, before, isHeld) {
  const names = /** @type {AxisName[]} */ (Object.keys(AXIS_ENDS));
  const ends = names.map((name) => {
    const end = AXIS_ENDS[name].find((step) => needed[name] <= step) ?? needed[name];
    return [name, isHeld && before !== null ? Math.max(end, before[name]) : end];
  });
  return Object.fromEntries(ends);
}
