/**
 * Drawings of the HTML, which has no script to ask for the room that there is: each stands there once for a phone and
 * once for a wide screen, and the style sheet shows the one that fits.
 */

/** Pixels of a drawing on a phone. */
const NARROW_WIDTH = 350;

/**
 * Draws <svg> elements that stand in a document, in both widths.
 *
 * @param {SVGSVGElement[]} svgs
 * @param {(width: number) => void} drawAt draws all of them, so many pixels wide
 * @param {number} wideWidth pixels on a wide screen
 */
export function drawInBothWidths(svgs, drawAt, wideWidth) {
  drawAt(NARROW_WIDTH);
  const narrow = svgs.map((svg) => /** @type {SVGSVGElement} */ (svg.cloneNode(true)));
  drawAt(wideWidth);
  svgs.forEach((svg, at) => {
    svg.setAttribute("class", "wide");
    narrow[at].setAttribute("class", "narrow");
    narrow[at].removeAttribute("id");
    svg.before(narrow[at]);
  });
  for (const svg of [...svgs, ...narrow]) {
    svg.setAttribute("preserveAspectRatio", "xMinYMin");
  }
}
