/**
 * Numbers as text: rounded as Python rounds, written as the reader's language writes them. In English the text is,
 * digit for digit, what Python's format() prints.
 */

/** More decimals than a double can need to tell a tie from a number close to one. */
const ALL_DECIMALS = 100;

/**
 * A number with a fixed count of decimals, a tie rounded to the even digit: Python's f"{value:.2f}".
 * rounded(0.125, 2) is "0.12", where toFixed alone would say "0.13".
 *
 * @param {number} value
 * @param {number} decimals
 */
function rounded(value, decimals) {
  const nearest = value.toFixed(decimals);
  const exact = value.toFixed(ALL_DECIMALS);
  const kept = decimals === 0 ? exact.indexOf(".") : exact.indexOf(".") + 1 + decimals;
  const rest = exact.slice(exact.indexOf(".") + 1 + decimals);
  const isTie = /^50*$/.test(rest);
  const down = exact.slice(0, kept);
  return isTie && /[02468]$/.test(down) ? down : nearest;
}

/**
 * How a language writes numbers.
 *
 * @typedef {object} Numbers
 * @property {(value: number, decimals: number) => string} fixed with so many decimals: Python's f"{value:.2f}"
 * @property {(value: number) => string} grouped a whole number, thousands set apart: 1291 is "1,291", as f"{value:,}"
 * @property {(value: number) => string} short with the decimals that it has, up to three: 12.5 is "12.5"
 * @property {(seconds: number) => string} plainSeconds hundredths, but thousandths below a tenth of a second
 * @property {(seconds: number) => string} milliseconds seconds shown as milliseconds with one decimal
 * @property {(ratio: number) => string} times how many times as large, in about three digits: "1.49", "83.9", "1,204"
 */

/**
 * The numbers of a language. They are rounded here, exactly, and handed to the formatter as decimal text, since it
 * would round the shortest text of a double and not the double.
 *
 * @param {string} language such as "en"
 * @returns {Numbers}
 */
export function numbersOf(language) {
  /** @type {Map<number, Intl.NumberFormat>} */
  const formats = new Map();
  /** @param {number} decimals */
  const formatWith = (decimals) => {
    const made =
      formats.get(decimals) ??
      new Intl.NumberFormat(language, {
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
        useGrouping: decimals === 0,
      });
    formats.set(decimals, made);
    return made;
  };
  /** @type {Numbers["fixed"]} */
  const fixed = (value, decimals) => {
    const text = /** @type {Intl.StringNumericLiteral} */ (rounded(value, decimals));
    return formatWith(decimals).format(text);
  };
  /** @type {Numbers["grouped"]} */
  const grouped = (value) => fixed(value, 0);
  const shortest = new Intl.NumberFormat(language, { maximumFractionDigits: 3 });
  return {
    fixed,
    grouped,
    short: (value) => shortest.format(value),
    plainSeconds: (seconds) => fixed(seconds, seconds < 0.1 ? 3 : 2),
    milliseconds: (seconds) => fixed(seconds * 1000, 1),
    times: (ratio) => (ratio >= 100 ? grouped(ratio) : fixed(ratio, ratio >= 10 ? 1 : 2)),
  };
}
