/**
 * Puts the program's figures and lines into the lesson's text, at build time: a name or a line that is not there ends
 * the build, so that no sentence can drift from the program.
 */
import { highlightCode, tagHighlighter, tags } from "@lezer/highlight";
import { parser } from "@lezer/python";
import { numbersOf } from "./format.js";

/** A figure, its text, and the run that it comes from.
 * @typedef {{value: number | string | null, text: string, source: string}} Figure */
/** @typedef {Record<string, Figure>} Figures by name */

/** {{name}} is a figure with the decimals that go by its unit, {{name:3}} one with three. */
const PLACEHOLDER = /\{\{([^{}]+)\}\}/g;
/** Elements whose text is set as it is: a figure in them is no element of its own. */
const PLAIN = new Set(["TITLE", "PRE", "OPTION", "SCRIPT", "STYLE"]);

/** The kinds of words that the code is coloured by. */
const CODE = tagHighlighter([
  { tag: tags.comment, class: "code-comment" },
  { tag: tags.keyword, class: "code-keyword" },
  { tag: tags.string, class: "code-string" },
  { tag: tags.number, class: "code-number" },
  { tag: tags.definition(tags.variableName), class: "code-name" },
]);

/**
 * Replaces every placeholder below an element: in text by an element that tells where the figure comes from, in
 * attributes by plain text.
 *
 * @param {Element} root
 * @param {Figures} figures
 */
export function fillFigures(root, figures) {
  for (const element of [root, ...root.querySelectorAll("*")]) {
    for (const { name, value } of [...element.attributes]) {
      refuseStrayBraces(value);
      if (value.includes("{{")) {
        element.setAttribute(name, value.replace(PLACEHOLDER, (_, inside) => lookUp(figures, inside).text));
      }
    }
    for (const node of [...element.childNodes]) {
      const text = node.nodeType === 3 ? node.textContent ?? "" : "";
      refuseStrayBraces(text);
      if (!text.includes("{{")) {
        continue;
      }
      if (PLAIN.has(element.tagName)) {
        node.textContent = text.replace(PLACEHOLDER, (_, inside) => lookUp(figures, inside).text);
      } else {
        node.replaceWith(...withFigures(element.ownerDocument, text, figures));
      }
    }
  }
}

/** A placeholder that is not closed would stand in the page as it is. @param {string} text of the template */
function refuseStrayBraces(text) {
  if (/\{\{|\}\}/.test(text.replace(PLACEHOLDER, ""))) {
    throw new Error(`the lesson has braces that hold no figure: ${text.trim()}`);
  }
}

/** @param {Document} page @param {string} text @param {Figures} figures */
function withFigures(page, text, figures) {
  return text.split(PLACEHOLDER).map((piece, at) => {
    if (at % 2 === 0) {
      return page.createTextNode(piece);
    }
    const figure = lookUp(figures, piece);
    const element = page.createElement("span");
    element.setAttribute("class", "figure");
    element.setAttribute("title", figure.source);
    element.textContent = figure.text;
    return element;
  });
}

/** The figure of a placeholder, its text with the decimals asked for. @param {Figures} figures
 * @param {string} inside the braces */
function lookUp(figures, inside) {
  const [name, ...rest] = inside.split(":");
  if (!Object.hasOwn(figures, name)) {
    throw new Error(`the lesson names ${name}, which is not among its figures`);
  }
  const figure = figures[name];
  if (rest.length === 0) {
    return figure;
  }
  const decimals = rest.join(":");
  if (typeof figure.value !== "number" || !/^\d$/.test(decimals)) {
    throw new Error(`the lesson asks for ${decimals} decimals of ${name}, which is ${figure.value}`);
  }
  return { ...figure, text: numbersOf("en").fixed(figure.value, Number(decimals)) };
}

/**
 * The program with line numbers to link to. Each line is `<li id="L12">`.
 *
 * @param {Element} list an empty <ol>
 * @param {string} source
 */
export function writeProgram(list, source) {
  const { ownerDocument } = list;
  /** @type {Element} */
  let code;
  let number = 0;
  const nextLine = () => {
    number += 1;
    const line = ownerDocument.createElement("li");
    line.setAttribute("id", `L${number}`);
    const link = ownerDocument.createElement("a");
    link.setAttribute("href", `#L${number}`);
    link.setAttribute("aria-label", `Line ${number}`);
    link.textContent = String(number);
    code = ownerDocument.createElement("code");
    line.append(link, code);
    list.append(line);
  };
  /** @param {string} text @param {string} className */
  const write = (text, className) => {
    const span = ownerDocument.createElement("span");
    span.setAttribute("class", className);
    span.textContent = text;
    code.append(className === "" ? ownerDocument.createTextNode(text) : span);
  };
  nextLine();
  highlightCode(source.trimEnd(), parser.parse(source.trimEnd()), CODE, write, nextLine);
}

/**
 * Points every `<a data-line="text">` at the one line of the program that contains the text; with `data-to`, at the
 * lines from there to the one that contains the other text.
 *
 * @param {Element} root
 * @param {string} source
 */
export function pointAtLines(root, source) {
  for (const link of root.querySelectorAll("a[data-line]")) {
    const from = lineOf(source, link.getAttribute("data-line") ?? "");
    const to = link.hasAttribute("data-to") ? lineOf(source, link.getAttribute("data-to") ?? "") : from;
    if (to < from) {
      throw new Error(`the lesson points at lines ${from} to ${to} of the program, which end before they begin`);
    }
    link.setAttribute("href", `#L${from}`);
    link.setAttribute("data-from-line", String(from));
    link.setAttribute("data-to-line", String(to));
    link.removeAttribute("data-line");
    link.removeAttribute("data-to");
    if (link.textContent === "") {
      link.textContent = from === to ? `line ${from}` : `lines ${from} to ${to}`;
    }
  }
}

/** The number of the one line that contains a text. @param {string} source @param {string} text */
function lineOf(source, text) {
  const found = source.split("\n").flatMap((line, at) => (line.includes(text) ? [at + 1] : []));
  if (found.length !== 1) {
    throw new Error(`the lesson points at the line of tiny_server.py with "${text}": found ${found.length} times`);
  }
  return found[0];
}
