/**
 * The kitchen as a still drawing, for the page before its script runs: the build puts it into the HTML.
 */
import { indexRun } from "./charts/moment.js";
import { drawKitchenLayout, makeKitchenLayout, openingStep } from "./kitchen-layout.js";

/** Pixels of the drawing on a phone and on a wide screen; the style sheet shows the one that fits. */
const WIDTHS = { narrow: 350, wide: 1040 };

/**
 * Draws one step of a run into an element, in both widths. Nothing in it can be moved yet.
 *
 * @param {HTMLElement} root
 * @param {Pick<import("./messages.js").Answer, "settings" | "columns">} answer
 * @param {import("./messages.js").Intervals} intervals
 * @param {string} title
 * @param {number | null} step counted from 0; null for the one that is shown at first
 */
export function drawKitchenStill(root, { settings, columns }, intervals, title, step = null) {
  const run = indexRun(settings, columns, intervals);
  const layout = makeKitchenLayout(root.ownerDocument);
  const { svg } = layout;
  const shown = {
    run,
    step: step ?? openingStep(run),
    followed: { lit: null, pinned: null },
    isPlaying: false,
    title,
  };
  drawKitchenLayout(layout, shown, WIDTHS.narrow);
  layout.timeBar.setAttribute("value", String(shown.step + 1)); // the property alone does not reach the HTML
  for (const button of svg.querySelectorAll("[tabindex]")) {
    button.removeAttribute("tabindex");
  }
  const narrow = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  drawKitchenLayout(layout, shown, WIDTHS.wide);
  for (const [each, name] of /** @type {const} */ ([
    [narrow, "narrow"],
    [svg, "wide"],
  ])) {
    each.setAttribute("class", name);
    each.setAttribute("preserveAspectRatio", "xMinYMin");
  }
  svg.before(narrow);
  layout.player.setAttribute("disabled", ""); // the property alone does not reach the HTML
  root.replaceChildren(layout.root);
}
