/**
 * What stands around a chart, in the widget as beside the editor; made once, and filled by others.
 */
import { elementMaker, makeSvg } from "./make-element.js";

/**
 * A chart, and the element that holds its words, for who does not see it.
 *
 * @param {Document} document the one that they will stand in
 * @param {string} id of the chart
 */
export function makeChart(document, id) {
  const make = elementMaker(document);
  const svg = makeSvg(document);
  svg.setAttribute("id", id);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-labelledby", `${id}-words`);
  return { svg, words: make("p", { class: "unseen", id: `${id}-words` }) };
}

/**
 * The choice between the first seconds and the whole run.
 *
 * @param {Document} document
 * @param {string} name of the choice
 * @param {import("./words/languages.js").Words} words
 * @param {number} firstSeconds
 */
export function makeSpans(document, name, words, firstSeconds) {
  const make = elementMaker(document);
  const spans = [
    { value: "first", text: words.firstSpan(firstSeconds) },
    { value: "whole", text: words.wholeSpan },
  ].map(({ value, text }, at) => {
    const radio = make("input", { type: "radio", name, value, checked: at === 0 });
    return { radio, label: make("label", {}, radio, make("span", {}, text)) };
  });
  return {
    radios: spans.map(({ radio }) => radio),
    fieldset: make(
      "fieldset",
      { class: "span" },
      make("legend", { class: "unseen" }, words.timeShown),
      ...spans.map(({ label }) => label),
    ),
  };
}
