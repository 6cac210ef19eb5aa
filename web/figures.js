/**
 * The lesson's drawings, made at build time by the same charts: in the page in two widths, and as files that stand
 * alone.
 */
import firstAnswer from "first-answer";
import firstIntervals from "first-intervals";
import style from "figure-style";
import { axisEnds } from "./axis-ends.js";
import { FIRST_SECONDS, cacheFill } from "./charts/cache-fill.js";
import { drawCacheFill } from "./charts/draw-cache-fill.js";
import { drawKitchen, makeStill } from "./charts/draw-kitchen.js";
import { drawSettingsBars } from "./charts/draw-settings-bars.js";
import { drawTwoWaits } from "./charts/draw-two-waits.js";
import { kitchen } from "./charts/kitchen.js";
import { cacheFillsStep, indexRun, momentOf } from "./charts/moment.js";
import { settingsBars } from "./charts/settings-bars.js";
import { loadOf, twoWaits } from "./charts/two-waits.js";
import { SVG, makeSvg } from "./make-element.js";
import { typedAnswer, typedIntervals } from "./messages.js";
import { neededEnds } from "./state.js";
import { drawInBothWidths } from "./still-widths.js";
import { cacheInWords, waitsInWords } from "./telling.js";
import { kitchenWords } from "./words/kitchen.js";

/** @typedef {import("./lesson-text.js").Figures} Figures */
/** @typedef {import("./words/languages.js").Words} Words */
/** A drawing: its title, what it shows in words, and how it is drawn at a width.
 * @typedef {{title: string, description: string, className: string,
 *   draw: (svg: SVGSVGElement, width: number) => void}} Drawing */

/** Pixels of a drawing on a wide screen, and of one that stands alone. */
const WIDE_WIDTH = 1040;
/** Room around a drawing that stands alone. */
const MARGIN = 16;
/** The runs of the fourth drawing, as the figures call them. */
const FOUR = ["heavy", "more_pages", "twice_more", "more_places"];

/**
 * The drawings by the names of their files.
 *
 * @param {Figures} figures
 * @param {Words} words
 * @returns {Record<string, Drawing>}
 */
export function drawings(figures, words) {
  const { chosen, light } = typedAnswer(firstAnswer);
  const loads = [loadOf(light.settings.rate, light.report), loadOf(chosen.settings.rate, chosen.report)];
  const ends = axisEnds(neededEnds([chosen], [chosen.report, light.report]), null, false);
  const value = (/** @type {string} */ name) => {
    if (!Object.hasOwn(figures, name)) {
      throw new Error(`a drawing needs ${name}, which is not among the figures`);
    }
    return figures[name];
  };
  const run = indexRun(chosen.settings, chosen.columns, typedIntervals(firstIntervals));
  const fills = cacheFillsStep(run.columns);
  if (fills === null) {
    throw new Error("the lesson draws the kitchen where the cache fills, and it never does");
  }
  const moment = momentOf(run, fills);
  const followsNobody = { lit: null, pinned: null };
  const four = FOUR.map((name) => ({
    label: `${value(`${name}.pages`).text} pages, ${value(`${name}.limit`).text} places`,
    ttft_p99_s: Number(value(`${name}.ttft_p99_s`).value),
    wall: /** @type {import("./messages.js").Wall} */ (value(`${name}.wall`).value),
  }));
  const early = `In the first ${value("early_s").text} seconds at most ${value("heavy.queue_early").text} chats wait.`;
  const inAll = `Of the whole run: ${cacheInWords(chosen.report, chosen.settings, words)}`;
  return {
    kitchen: {
      title: "The server as a kitchen",
      className: "kitchen",
      description: kitchenWords.moment(moment, run.steps, run.settings),
      draw: (svg, width) => {
        drawKitchen(svg, kitchen(run, moment, followsNobody, width, kitchenWords), "");
        makeStill(svg);
      },
    },
    "first-seconds": {
      className: "chart",
      title: `${words.cacheFill}: ${words.firstSpan(FIRST_SECONDS)}`,
      description: `${early} ${inAll}`,
      draw: (svg, width) => drawCacheFill(svg, cacheFill(chosen, null, FIRST_SECONDS, ends, width, words)),
    },
    "two-waits": {
      className: "chart",
      title: words.twoWaits,
      description: waitsInWords(loads, words),
      draw: (svg, width) =>
        drawTwoWaits(svg, twoWaits(loads[1], { load: loads[0], isThisOne: true }, null, ends, width, words)),
    },
    "four-settings": {
      className: "chart",
      title: `${words.firstWordTitle}, p99, at four settings`,
      description: four
        .map(({ label, ttft_p99_s }) => `${label}: ${words.numbers.plainSeconds(ttft_p99_s)} ${words.units.s}.`)
        .join(" "),
      draw: (svg, width) => drawSettingsBars(svg, settingsBars(four, width, words)),
    },
  };
}

/**
 * Puts a drawing into the page, once for a phone and once for a wide screen.
 *
 * @param {Element} place
 * @param {Drawing} drawing
 */
export function placeDrawing(place, { title, description, draw }) {
  const svg = makeSvg(place.ownerDocument);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${title}. ${description}`);
  place.append(svg);
  drawInBothWidths([svg], (width) => draw(svg, width), WIDE_WIDTH);
}

/**
 * A drawing as the text of an SVG file, with title, description and style, in the reader's light or dark.
 *
 * @param {Document} document
 * @param {Drawing} drawing
 * @returns {string}
 */
export function fileOf(document, { title, description, draw, className }) {
  const make = (/** @type {string} */ tag, /** @type {Record<string, string | number>} */ attributes, text = "") => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) {
      element.setAttribute(name, String(value));
    }
    element.textContent = text;
    return element;
  };
  const drawing = makeSvg(document);
  draw(drawing, WIDE_WIDTH);
  const width = WIDE_WIDTH + 2 * MARGIN;
  const height = Number(drawing.getAttribute("height")) + 2 * MARGIN;
  const file = make("svg", {
    xmlns: SVG,
    class: className,
    viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-labelledby": "title-of-drawing description-of-drawing",
  });
  file.append(
    make("title", { id: "title-of-drawing" }, title),
    make("desc", { id: "description-of-drawing" }, description),
    make("style", {}, style),
    make("rect", { class: "ground", x: -MARGIN, y: -MARGIN, width, height }),
    drawing,
  );
  return `${file.outerHTML}\n`;
}
