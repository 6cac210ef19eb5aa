/**
 * The widget's page: puts the widget into it, and ties it to the address, to the frame that it may stand in, and to
 * whoever observes it.
 */
import firstAnswer from "first-answer";
import { queryWith, readAsked } from "./address.js";
import { typedAnswer } from "./messages.js";
import { tellAnswer, tellStage } from "./observed.js";
import { Parts } from "./parts.js";
import { Python } from "./python.js";
import { mount } from "./widget.js";
import { wordsOf } from "./words/languages.js";

const ADDRESS_MS = 500; // between two changes of the address: a browser refuses many in a row

const query = new URLSearchParams(location.search);
// What is asked for twice is read as one text, which is then no number.
const asked = readAsked((name) => (query.has(name) ? query.getAll(name).join(",") : null));
const isFramed = window.parent !== window;
const page = document.documentElement;
const root = document.querySelector("main");
if (root === null) {
  throw new Error("the page has no <main>");
}
const words = wordsOf(asked.language);
const python = new Python(new Parts(new URL(location.href)));

page.lang = words.language;
document.title = words.title;
if (asked.theme !== null) {
  page.dataset.theme = asked.theme;
}
page.classList.toggle("framed", isFramed);

/** @type {import("./settings.js").Settings} */
let settings = asked.settings;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let addressTimer;

/** The address of what is shown. */
function link() {
  return location.href.replace(/[?#].*$/, "") + queryWith(location.search, settings);
}

/** Puts what is shown into the address, unless the browser refuses: the widget does not need it. */
function followAddress() {
  try {
    history.replaceState(null, "", link());
  } catch {
    // Too many changes in a short time, or a frame without an origin of its own: the next change tries anew.
  }
}

if (!isFramed) {
  python.startOnce(); // before the widget is drawn: what has to be fetched is on its way meanwhile
}
mount(root, {
  words,
  level: 1,
  firstAnswer: typedAnswer(firstAnswer),
  asked,
  python,
  isLazy: isFramed,
  want: (isWanted) => (isWanted ? python.startOnce() : python.stop()),
  onStage: (stage) => tellStage(page, stage),
  onAnswer: (answer) => tellAnswer(page, answer),
  onSettings: (changed) => {
    settings = changed;
    addressTimer ??= setTimeout(() => {
      addressTimer = undefined;
      followAddress();
    }, ADDRESS_MS);
  },
  link,
  reload: () => location.reload(),
});

// Whatever stands in the page for the case that this script does not run has served its purpose.
document.getElementById("not-started")?.remove();

if (isFramed) {
  // A page of any origin may hold the frame, and how high the widget is tells nobody anything.
  const tell = () => window.parent.postMessage({ type: "tinyserve:height", height: page.offsetHeight }, "*");
  new ResizeObserver(tell).observe(page);
  tell(); // at once: a browser lays out a frame that is far below the view only when it is asked
}
