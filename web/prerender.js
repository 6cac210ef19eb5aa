/**
 * Makes the pages' HTML at build time, under Node: the still widget in English, the program and its figures in the
 * lesson's text, and the names of the files beside the page.
 */
import firstAnswer from "first-answer";
import firstIntervals from "first-intervals";
import { parseHTML } from "linkedom";
import source from "tiny-server-source";
import { drawings, fileOf, placeDrawing } from "./figures.js";
import { drawKitchenStill } from "./kitchen-still.js";
import { fillFigures, pointAtLines, writeProgram } from "./lesson-text.js";
import { typedAnswer, typedIntervals } from "./messages.js";
import { drawStill } from "./still.js";
import { kitchenWords } from "./words/kitchen.js";
import { wordsOf } from "./words/languages.js";

/** Attributes that name a file beside the page. */
const NAMING = ["src", "href"];

/**
 * The page with its first answer in it.
 *
 * @param {string} template an HTML file of web/
 * @param {Record<string, string>} names of files as the template names them -> as they are called in dist/
 * @param {import("./lesson-text.js").Figures} figures those that the template names
 * @returns {string}
 */
export function renderPage(template, names, figures) {
  const { document } = parseHTML(template);
  const page = document.documentElement;
  fillFigures(page, figures);
  const program = document.getElementById("program");
  if (program !== null) {
    writeProgram(program, source);
  }
  pointAtLines(page, source);
  const drawn = drawings(figures, wordsOf("en"));
  for (const place of document.querySelectorAll("[data-drawing]")) {
    const name = place.getAttribute("data-drawing") ?? "";
    if (!Object.hasOwn(drawn, name)) {
      throw new Error(`the lesson names the drawing ${name}, which is not made`);
    }
    placeDrawing(place, drawn[name]);
  }
  const first = typedAnswer(firstAnswer);
  const kitchen = document.getElementById("kitchen-live");
  if (kitchen !== null) {
    drawKitchenStill(kitchen, first.chosen, typedIntervals(firstIntervals), kitchenWords.lessons);
  }
  const root = /** @type {HTMLElement | null} */ (document.querySelector(".widget-place"));
  if (root === null) {
    throw new Error("the template has no place for the widget");
  }
  drawStill(root, first, wordsOf("en"), root.tagName === "MAIN" ? 1 : 2);
  for (const attribute of NAMING) {
    for (const element of document.querySelectorAll(`head [${attribute}]`)) {
      const name = element.getAttribute(attribute) ?? "";
      if (!Object.hasOwn(names, name)) {
        throw new Error(`the template names ${name}, which the build does not make`);
      }
      element.setAttribute(attribute, names[name]);
    }
  }
  return `${document.toString()}\n`;
}

/**
 * The drawings that stand alone: names of files -> their text.
 *
 * @param {import("./lesson-text.js").Figures} figures
 * @returns {Record<string, string>}
 */
export function renderDrawings(figures) {
  const { document } = parseHTML("<!doctype html><html></html>");
  const all = Object.entries(drawings(figures, wordsOf("en")));
  return Object.fromEntries(all.map(([name, drawing]) => [`${name}.svg`, fileOf(document, drawing)]));
}
