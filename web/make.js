/**
 * Makes elements of HTML.
 */

/**
 * A function that makes an element with attributes and content. An attribute that is false is left out, one that is
 * true is empty.
 *
 * @param {Document} document the one that the elements will stand in
 */
export function makerFor(document) {
  /**
   * @template {keyof HTMLElementTagNameMap} Tag
   * @param {Tag} tag
   * @param {Record<string, string | number | boolean>} attributes
   * @param {(Element | string)[]} content
   * @returns {HTMLElementTagNameMap[Tag]}
   */
  const make = (tag, attributes = {}, ...content) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== false) {
        made.setAttribute(name, value === true ? "" : String(value));
      }
    }
    made.append(...content);
    return made;
  };
  return make;
}
