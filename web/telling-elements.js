/**
 * What is told of an answer, as elements.
 */
import { sentence } from "./telling.js";

/** @typedef {import("./messages.js").Report} Report */
/** @typedef {import("./words/languages.js").Words} Words */
/** @typedef {ReturnType<typeof import("./make-element.js").elementMaker>} ElementMaker */

/**
 * The sentence on a run; what names the wall has the wall's colour.
 *
 * @param {ElementMaker} make
 * @param {Report} report
 * @param {Words} words
 */
export function sentenceElements(make, report, words) {
  return sentence(report, words).map(({ text, strong }) =>
    strong ? make("strong", { class: `wall ${report.wall}` }, text) : make("span", {}, text),
  );
}

/**
 * The head of a row of the clipboard: what was measured, and the field's own short name for it.
 *
 * @param {ElementMaker} make
 * @param {{name: string, term: string}} row
 */
export function rowHead(make, { name, term }) {
  const short = term === "" ? [] : [" ", make("small", {}, term)];
  return make("th", { scope: "row" }, name, ...short);
}
