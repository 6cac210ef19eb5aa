/**
 * The widget's elements, made once; draw.js fills them. All that a reader can touch is listed in `Layout`.
 */
import { makeChart, makeSpans } from "./chart-parts.js";
import { elementMaker } from "./make-element.js";
import { SETTINGS } from "./settings.js";

/** @typedef {import("./settings.js").SettingKey} SettingKey */
/** @typedef {import("./settings.js").Setting} Setting */
/** @typedef {import("./words/languages.js").Words} Words */
/** @typedef {{slider: HTMLInputElement, box: HTMLInputElement}} Inputs */
/** @typedef {ReturnType<typeof makeLayout>} Layout */

/**
 * Makes the elements.
 *
 * @param {Document} document the one that they will stand in
 * @param {Words} words
 * @param {number} firstSeconds what the chart of the cache shows at first
 * @param {1 | 2} level of its heading in the page
 */
export function makeLayout(document, words, firstSeconds, level) {
  const make = elementMaker(document);

  /** The heading of the whole, and of a part of it. @param {string} text */
  const makeTitle = (text) => make(level === 1 ? "h1" : "h2", { class: "whole" }, text);
  /** @param {string} text @param {Record<string, string>} attributes */
  const makePartTitle = (text, attributes = {}) =>
    make(level === 1 ? "h2" : "h3", { class: "part", ...attributes }, text);

  /** A native range and a number box for one setting. @param {Setting} setting */
  const makeRow = ({ key, min, max, step, start }) => {
    const { name, unit } = words.settings[key];
    const common = { name: key, min, max, step, value: start, autocomplete: "off" };
    const slider = make("input", { type: "range", id: `${key}-range`, ...common });
    const box = make("input", {
      type: "number",
      id: `${key}-number`,
      inputmode: "numeric",
      "aria-label": name,
      "aria-describedby": `${key}-unit`,
      ...common,
    });
    const label = make("label", { for: slider.id }, name);
    const unitText = make("span", { id: `${key}-unit`, class: "unit" }, unit);
    return { slider, box, row: make("div", { class: `row ${key}` }, label, box, unitText, slider) };
  };

  /** A table's head. @param {string[]} heads */
  const makeHead = (heads) =>
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head))));

  // 1. What is said.
  const sentence = make("p", { class: "sentence", id: "sentence" });
  const status = make("p", { class: "status", id: "status", tabindex: -1 });
  const failureTitle = make("strong");
  const failureAdvice = make("span");
  const failureReason = make("pre", { id: "failure-reason" });
  const retry = make("button", { type: "button", class: "retry" });
  const failureText = make("p", {}, failureTitle, " ", failureAdvice);
  const failure = make("div", { class: "failure", id: "failure", hidden: true }, failureText, failureReason, retry);
  const spoken = make("p", { class: "unseen", role: "status" });
  const header = make("header", {}, makeTitle(words.heading), status, sentence, failure, spoken);

  // 2. What the reader moves.
  const rows = SETTINGS.map((setting) => ({ setting, ...makeRow(setting) }));
  const sliders = make("fieldset", { class: "rows", id: "sliders" });
  const moreSliders = make("fieldset", { class: "rows", id: "more-sliders" });
  for (const { setting, row } of rows) {
    (setting.key === "shuffle" ? moreSliders : sliders).append(row);
  }
  const note = make("p", { class: "note", id: "note" });
  const reset = make("button", { type: "button" }, words.reset);
  const copyLink = make("button", { type: "button" }, words.copyLink);
  const hidden = { readonly: true, hidden: true };
  const link = make("input", { type: "text", class: "link", ...hidden, "aria-label": words.linkToCopy });
  const form = make(
    "form",
    { "aria-label": words.settingsForm, id: "settings" },
    sliders,
    make("details", {}, make("summary", {}, words.moreSettings), moreSliders),
    make("div", { class: "buttons" }, reset, copyLink, link),
    note,
  );

  // 3. The clipboard.
  const clipboard = make("tbody", { id: "clipboard" });
  const columns = ["what", "p50", "p99", "in"].map((name) => make("col", { class: name }));
  const clipboardHead = make(
    "tr",
    {},
    make("th", { scope: "col" }, make("span", { class: "unseen" }, words.measured)),
    make("th", { scope: "col" }, "p50"),
    make("th", { scope: "col" }, "p99"),
    make("th", { scope: "col" }, make("span", { class: "unseen" }, words.unit)),
  );
  const clipboardPart = make(
    "section",
    { class: "clipboard", "aria-labelledby": "clipboard-title" },
    makePartTitle(words.clipboard, { id: "clipboard-title" }),
    make("table", {}, make("colgroup", {}, ...columns), make("thead", {}, clipboardHead), clipboard),
  );

  // 4. The charts, and the same as tables.
  const twoWaits = makeChart(document, "two-waits");
  const cacheFill = makeChart(document, "cache-fill");
  const spans = makeSpans(document, "span", words, firstSeconds);
  const before = make("p", { class: "before", id: "before" });
  const waitsTable = make("tbody");
  const cacheTable = make("tbody");
  const tables = make(
    "details",
    { class: "tables" },
    make("summary", {}, words.tables),
    make(
      "table",
      {},
      make("caption", {}, words.waitsTable),
      makeHead([words.load, words.firstWordTitle, words.gapTitle]),
      waitsTable,
    ),
    make(
      "table",
      {},
      make("caption", {}, words.cacheTable),
      makeHead([
        words.timeHead,
        `${words.pagesLane}, ${words.promised}`,
        `${words.pagesLane}, ${words.held}`,
        `${words.queueLane}, ${words.waitingChats}`,
        `${words.batchLane}, ${words.places}`,
      ]),
      cacheTable,
    ),
  );
  const waitsFigure = make(
    "figure",
    {},
    make("figcaption", {}, makePartTitle(words.twoWaits), make("p", {}, words.twoWaitsRule)),
    twoWaits.svg,
    twoWaits.words,
  );
  const cacheFigure = make(
    "figure",
    {},
    make("figcaption", {}, makePartTitle(words.cacheFill), spans.fieldset),
    cacheFill.svg,
    cacheFill.words,
    before,
  );

  const root = make(
    "div",
    { class: "widget", lang: words.language },
    header,
    form,
    make("div", { class: "charts" }, waitsFigure, cacheFigure, tables),
    clipboardPart,
  );
  return {
    make,
    root,
    sentence,
    status,
    failure,
    failureTitle,
    failureAdvice,
    failureReason,
    retry,
    spoken,
    form,
    /** @type {ReadonlyMap<Setting, Inputs>} */
    inputs: new Map(rows.map(({ setting, slider, box }) => [setting, { slider, box }])),
    sliders,
    moreSliders,
    note,
    reset,
    copyLink,
    link,
    clipboard,
    twoWaits,
    cacheFill,
    spans: spans.radios,
    before,
    tables,
    waitsTable,
    cacheTable,
    figures: [waitsFigure, cacheFigure],
  };
}
