/**
 * Numbers as text, digit for digit as Python's format() prints them.
 */

/** More decimals than a double can need to tell a tie from a number close to one. */
const ALL_DECIMALS = 100;

/**
 * A number with a fixed count of decimals, a tie rounded to the even digit: Python's f"{value:.2f}".
 * fixed(0.125, 2) is "0.12", where toFixed alone would say "0.13".
 *
 * @param {number} value
 * @param {number} decimals
 */
export function fixed(value, decimals) {
  const rounded = value.toFixed(decimals);
  const exact = value.toFixed(ALL_DECIMALS);
  const kept = decimals === 0 ? exact.indexOf(".") : exact.indexOf(".") + 1 + decimals;
  const rest = exact.slice(exact.indexOf(".") + 1 + decimals);
  const isTie = /^50*$/.test(rest);
  const down = exact.slice(0, kept);
  return isTie && /[02468]$/.test(down) ? down : rounded;
}

/**
 * A whole number with thousands set apart: Python's f"{value:,}". grouped(1291) is "1,291".
 *
 * @param {number} value
 */
export function grouped(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * Seconds as a person reads them: hundredths, but thousandths below a tenth of a second.
 *
 * @param {number} seconds
 */
export function plainSeconds(seconds) {
  return fixed(seconds, seconds < 0.1 ? 3 : 2);
}

/**
 * Seconds shown as milliseconds with one decimal.
 *
 * @param {number} seconds
 */
export function milliseconds(seconds) {
  return fixed(seconds * 1000, 1);
}

/**
 * How many times as large, with about three digits: "1.49", "83.9", "1,204".
 *
 * @param {number} ratio
 */
export function times(ratio) {
  if (ratio >= 100) {
    return grouped(Number(fixed(ratio, 0)));
  }
  return fixed(ratio, ratio >= 10 ? 1 : 2);
}
