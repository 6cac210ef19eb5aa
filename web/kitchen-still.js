/**
 * The kitchen as a still drawing, for the page before its script runs: the build puts it into the HTML.
 */
import { makeStill } from "./charts/draw-kitchen.js";
import { indexRun } from "./charts/moment.js";
import { drawKitchenLayout, makeKitchenLayout, openingStep } from "./kitchen-layout.js";
import { drawInBothWidths } from "./still-widths.js";

/** Pixels of the drawing on a wide screen. */
const WIDE_WIDTH = 1040;

/**
 * Draws the opening step of a run into an element, in both widths. Nothing in it can be moved yet.
 *
 * @param {HTMLElement} root
 * @param {Pick<import("./messages.js").Answer, "settings" | "columns">} answer
 * @param {import("./messages.js").Intervals} intervals
 * @param {string} title
 */
export function drawKitchenStill(root, { settings, columns }, intervals, title) {
  const run = indexRun(settings, columns, intervals);
  const layout = makeKitchenLayout(root.ownerDocument);
  const { svg, timeBar, player } = layout;
  const step = openingStep(run);
  const shown = { run, step, followed: { lit: null, pinned: null }, isPlaying: false, title };
  const drawAt = (/** @type {number} */ width) => {
    drawKitchenLayout(layout, shown, width);
    makeStill(svg);
  };
  drawInBothWidths([svg], drawAt, WIDE_WIDTH);
  // The properties alone do not reach the HTML.
  timeBar.setAttribute("value", String(step + 1));
  player.setAttribute("disabled", "");
  root.replaceChildren(layout.root);
}
