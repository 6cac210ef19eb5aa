/**
 * The lesson's page: ties the widget, the kitchen, the code, the tasks and the text to each other and to Python.
 */
import firstAnswer from "first-answer";
import { readAsked } from "./address.js";
import { typedAnswer } from "./messages.js";
import { Parts } from "./parts.js";
import { Python } from "./python.js";
import { mount } from "./widget.js";
import { wordsOf } from "./words/languages.js";

const page = document.documentElement;
const query = new URLSearchParams(location.search);
const asked = readAsked((name) => (name === "lang" ? null : query.get(name)));
const words = wordsOf("en");
const parts = new Parts(new URL(location.href));
const python = new Python(parts);

/** @param {string} id */
function byId(id) {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`the page has no element called ${id}`);
  }
  return element;
}

mount(byId("widget"), {
  words,
  level: 2,
  firstAnswer: typedAnswer(firstAnswer),
  asked,
  python,
  isLazy: true,
  want: (isWanted) => {
    if (isWanted && python.status.stage === "idle") {
      python.start();
    }
  },
  onStage: (stage) => {
    page.dataset.stage = stage;
    if (stage === "ready") {
      performance.mark("tinyserve:ready");
    }
  },
  onAnswer: ({ settings, report }) => {
    performance.mark("tinyserve:answer");
    document.dispatchEvent(new CustomEvent("tinyserve:answer", { detail: { settings, report } }));
  },
  onSettings: () => {},
  link: null,
  reload: () => location.reload(),
});
document.getElementById("not-started")?.remove();
