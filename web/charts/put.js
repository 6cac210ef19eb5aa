/**
 * Sets attributes and texts of drawn elements, where they are not so already: to set one anew costs a layout, even
 * to what it is.
 */

/**
 * A selection of elements with their data.
 *
 * @template Datum
 * @typedef {import("d3-selection").Selection<any, Datum, any, any>} Selected
 */

/**
 * Sets attributes of all elements of a selection; null takes one away. Gives the selection back.
 *
 * @template Datum
 * @param {Selected<Datum>} selection
 * @param {Record<string, string | number | null | ((datum: Datum) => string | number | null)>} attributes
 */
export function put(selection, attributes) {
  const wanted = Object.entries(attributes);
  return selection.each(function putEach(datum) {
    for (const [name, valueOf] of wanted) {
      const value = typeof valueOf === "function" ? valueOf(datum) : valueOf;
      if (value === null) {
        this.removeAttribute(name);
      } else if (this.getAttribute(name) !== String(value)) {
        this.setAttribute(name, String(value));
      }
    }
  });
}

/**
 * Sets the text of all elements of a selection.
 *
 * @template Datum
 * @param {Selected<Datum>} selection
 * @param {(datum: Datum) => string} textOf
 */
export function say(selection, textOf) {
  selection.each(function sayEach(datum) {
    const text = textOf(datum);
    if (this.textContent !== text) {
      this.textContent = text;
    }
  });
}
