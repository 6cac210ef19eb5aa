/**
 * Makes the page's HTML at build time, under Node: the still widget in English, and the names of the files beside it.
 */
import firstAnswer from "first-answer";
import { parseHTML } from "linkedom";
import { typedAnswer } from "./messages.js";
import { drawStill } from "./still.js";
import { wordsOf } from "./words/languages.js";

/** Attributes that name a file beside the page. */
const NAMING = ["src", "href"];

/**
 * The page with its first answer in it.
 *
 * @param {string} template web/widget.html
 * @param {Record<string, string>} names of files as the template names them -> as they are called in dist/
 * @returns {string}
 */
export function renderPage(template, names) {
  const { document } = parseHTML(template);
  const root = document.querySelector("main");
  if (root === null) {
    throw new Error("the template has no <main>");
  }
  drawStill(root, typedAnswer(firstAnswer), wordsOf("en"));
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
