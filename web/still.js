/**
 * The widget as a still picture, for the page before its script runs: the build puts it into the HTML.
 */
import { FIRST_SECONDS, draw } from "./draw.js";
import { makeLayout } from "./layout.js";
import { startSettings } from "./settings.js";
import { startState } from "./state.js";

/** Pixels of a chart on a phone and on a wide screen; the style sheet shows the one that fits. */
const WIDTHS = { narrow: 350, wide: 664 };

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

  drawAt(WIDTHS.narrow);
  const narrow = svgs.map((svg) => /** @type {SVGSVGElement} */ (svg.cloneNode(true)));
  drawAt(WIDTHS.wide);
  svgs.forEach((svg, at) => {
    svg.setAttribute("class", "wide");
    narrow[at].setAttribute("class", "narrow");
    narrow[at].removeAttribute("id");
    svg.before(narrow[at]);
  });
  for (const svg of [...svgs, ...narrow]) {
    svg.setAttribute("preserveAspectRatio", "xMinYMin");
  }
  layout.status.textContent = words.status.fromBuild;
  root.replaceChildren(layout.root);
}
