/**
 * Tells what has to be drawn anew from what is on the screen already.
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
