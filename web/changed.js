/**
 * Tells what has to be drawn anew from what is on the screen already, and leaves the rest: to set a text or an
 * attribute anew costs a layout, even to what it is.
 */

/** The values that each element was last drawn from. @type {WeakMap<Element, unknown[]>} */
const drawnFrom = new WeakMap();

/**
 * Whether what an element is drawn from differs from the last time that this was asked for it. Objects are compared
 * by identity.
 *
 * @param {Element} element
 * @param {unknown[]} values
 */
export function hasChanged(element, values) {
  const before = drawnFrom.get(element);
  drawnFrom.set(element, values);
  return before === undefined || before.length !== values.length || values.some((value, at) => value !== before[at]);
}

/** @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** @param {Element} element @param {string} name @param {string} value */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) {
    element.setAttribute(name, value);
  }
}
