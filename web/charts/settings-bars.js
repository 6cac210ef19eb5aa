/**
 * The chart of one wait at several settings, as bars below each other.
 *
 * This works out the whole picture as numbers and text; draw-settings-bars.js puts it into an <svg>.
 */
import { scaleLinear } from "d3-scale";

/** @typedef {{label: string, ttft_p99_s: number, wall: import("../messages.js").Wall}} Run */
/** @typedef {{label: string, y: number, width: number, text: string, wall: string}} SettingBar */
/** @typedef {{width: number, height: number, left: number, barHeight: number, title: string,
 *   bars: SettingBar[]}} SettingsBars */

const TITLE_ROOM = 28;
const LABEL_ROOM = 20; // on a narrow drawing a label stands above its bar
const LEFT = 168; // on a wide one beside it
const VALUE_ROOM = 190;
const NARROW_VALUE_ROOM = 60;
const BAR_HEIGHT = 24;
const BETWEEN = 12;
const NARROW = 500; // pixels

/**
 * Works out the picture.
 *
 * @param {Run[]} runs
 * @param {number} width pixels
 * @param {import("../words/languages.js").Words} words
 * @returns {SettingsBars}
 */
export function settingsBars(runs, width, words) {
  const isNarrow = width < NARROW;
  const left = isNarrow ? 0 : LEFT;
  const top = TITLE_ROOM + (isNarrow ? LABEL_ROOM : 0);
  const step = BAR_HEIGHT + BETWEEN + (isNarrow ? LABEL_ROOM : 0);
  const longest = Math.max(...runs.map(({ ttft_p99_s }) => ttft_p99_s));
  const x = scaleLinear([0, longest], [0, width - left - (isNarrow ? NARROW_VALUE_ROOM : VALUE_ROOM)]);
  return {
    width,
    height: top + runs.length * step,
    left,
    barHeight: BAR_HEIGHT,
    title: `${words.firstWordTitle}, p99`,
    bars: runs.map(({ label, ttft_p99_s, wall }, at) => ({
      label,
      y: top + at * step,
      width: x(ttft_p99_s),
      text: `${words.numbers.plainSeconds(ttft_p99_s)} ${words.units.s}`,
      wall: isNarrow ? "" : `${words.rows.wall}: ${words.wallNames[wall]}`,
    })),
  };
}
