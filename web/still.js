/**
 * The widget as a still picture, for the page before its script runs: the build puts it into the HTML.
 */
import { FIRST_SECONDS } from "./charts/cache-fill.js";
import { draw } from "./draw.js";
import { makeLayout } from "./layout.js";
import { startSettings } from "./settings.js";
import { startState } from "./state.js";
import { drawInBothWidths } from "./still-widths.js";

/** Pixels of a chart on a wide screen. */
const WIDE_WIDTH = 664;

/**
 * Draws the first answer into an element, with each chart in both widths.
 *
 * @param {HTMLElement} root
 * @param {import("./messages.js").FirstAnswer} firstAnswer
 * @param {import("./words/languages.js").Words} words
 * @param {1 | 2} level of its heading in the page
 */
export function drawStill(root, firstAnswer, words, level) {
  const state = startState(firstAnswer, startSettings(), new Set());
  const layout = makeLayout(root.ownerDocument, words, FIRST_SECONDS, level);
  const svgs = [layout.twoWaits.svg, layout.cacheFill.svg];
  const drawAt = (/** @type {number} */ width) =>
    draw(layout, state, words, { twoWaits: width, cacheFill: width }, null);
  drawInBothWidths(svgs, drawAt, WIDE_WIDTH);
  layout.status.textContent = words.status.fromBuild;
  root.replaceChildren(layout.root);
}
