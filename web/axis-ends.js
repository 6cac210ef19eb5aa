/**
 * Where the axes end: few named steps, so that a picture keeps its scale while a slider moves.
 */

/** Values at which an axis may end, smallest first. */
export const AXIS_ENDS = {
  firstWord_s: [4, 20, 100, 200],
  gap_ms: [40, 100, 400, 1600],
  pages: [120, 240, 480, 960],
  queue: [100, 200, 400],
  batch: [8, 16, 40],
  wholeRun_s: [15, 50, 150, 500, 1500],
};

/** @typedef {keyof typeof AXIS_ENDS} AxisName */
/** @typedef {Record<AxisName, number>} Ends */

/**
 * The smallest named step that a value fits under. axisEnd("firstWord_s", 3.49) is 4.
 * A value beyond the last step ends the axis itself, so that nothing is ever cut off.
 *
 * @param {AxisName} name
 * @param {number} value
 */
export function axisEnd(name, value) {
  return AXIS_ENDS[name].find((end) => value <= end) ?? value;
}

/**
 * The ends for what is to be shown. While a slider is held, an axis may grow but not shrink.
 *
 * @param {Ends} needed values that must fit
 * @param {Ends | null} before ends on the screen
 * @param {boolean} isHeld whether a slider is being dragged
 * @returns {Ends}
 */
export function axisEnds(needed, before, isHeld) {
  const names = /** @type {AxisName[]} */ (Object.keys(AXIS_ENDS));
  const ends = names.map((name) => {
    const end = axisEnd(name, needed[name]);
    return [name, isHeld && before !== null ? Math.max(end, before[name]) : end];
  });
  return Object.fromEntries(ends);
}
