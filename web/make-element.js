/**
 * Makes elements of HTML and SVG.
 */

export const SVG = "http://www.w3.org/2000/svg";

/** An empty drawing. @param {Document} document the one that it will stand in */
export function makeSvg(document) {
  return /** @type {SVGSVGElement} */ (document.createElementNS(SVG, "svg"));
}

/**
 * A function that makes HTML elements of a document, with attributes and content. An attribute that is false is left
 * out, one that is true is empty.
 *
 * @param {Document} document the one that they will stand in
 */
export function elementMaker(document) {
  /**
   * @template {keyof HTMLElementTagNameMap} Tag
   * @param {Tag} tag
   * @param {Record<string, string | number | boolean>} attributes
   * @param {(Element | string)[]} content
   * @returns {HTMLElementTagNameMap[Tag]}
   */
  return (tag, attributes = {}, ...content) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== false) {
        made.setAttribute(name, value === true ? "" : String(value));
      }
    }
    made.append(...content);
    return made;
  };
}
