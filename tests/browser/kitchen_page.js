// The kitchen on a page of its own, for the tests: they hand it runs that CPython has made.
import "../../web/style.css";
import "../../web/kitchen.css";
import { readAsked } from "../../web/address.js";
import { typedAnswer } from "../../web/messages.js";
import { mountKitchen } from "../../web/kitchen.js";
import { mount } from "../../web/widget.js";
import { wordsOf } from "../../web/words/languages.js";
import { typedRun } from "./typed_run.js";

const told = { moments: [], parts: [], settings: [] };
const root = document.querySelector("main");
const kitchen = mountKitchen(root, {
  onMoment: (step, time_s) => told.moments.push([step, time_s]),
  onPart: (part) => told.parts.push(part),
});

window.kitchen = {
  told,
  goTo: kitchen.goTo,
  shapesNow,
  show(plain, title) {
    const { settings, columns, intervals } = typedRun(plain);
    kitchen.show({ settings, columns }, intervals, title);
  },

  /** Puts a widget below, whose Python never answers. @param {object} firstAnswer @param {string} lock */
  mountWidget(firstAnswer, lock) {
    const below = document.body.appendChild(document.createElement("main"));
    const attributes = { lock };
    window.widget = mount(below, {
      words: wordsOf("en"),
      firstAnswer: typedAnswer(firstAnswer),
      asked: readAsked((name) => attributes[name] ?? null),
      python: {
        status: { stage: "ready", loaded_bytes: 0, total_bytes: 0, failure: null },
        listen: () => () => {},
        answer: () => new Promise(() => {}),
      },
      isLazy: false,
      want: () => {},
      onStage: () => {},
      onAnswer: () => {},
      onSettings: (settings) => told.settings.push(settings),
      link: null,
      reload: () => {},
    });
  },

  /** All that is to be seen in every step, read from the drawn elements. */
  shapes() {
    const bar = document.querySelector(".time-bar");
    const steps = Number(bar.max);
    const seen = [];
    for (let step = 1; step <= steps; step += 1) {
      bar.value = String(step);
      bar.dispatchEvent(new Event("input"));
      seen.push(shapesNow());
    }
    return seen;
  },
};

function shapesNow() {
  const svg = document.querySelector(".kitchen svg");
  const chatOf = (node) => (node.dataset.chat === undefined ? null : Number(node.dataset.chat));
  const width = (node) => Number(node.getAttribute("width"));
  return {
    slips: Array.from(svg.querySelectorAll(".slip"), chatOf),
    slipTexts: Array.from(svg.querySelectorAll(".slip text"), ({ textContent }) => textContent),
    more: svg.querySelector(".labels .more").textContent,
    places: Array.from(svg.querySelectorAll(".place"), (node) => {
      const [state] = node.getAttribute("class").replace("place ", "").split(" ");
      const share = width(node.querySelector(".made")) / width(node.querySelector(".track"));
      return [chatOf(node), state, share, node.querySelector(".number").textContent];
    }),
    pages: Array.from(svg.querySelectorAll(".page"), (node) => {
      const isFree = node.classList.contains("free");
      return isFree === (chatOf(node) === null) ? chatOf(node) : "drawn otherwise than named";
    }),
    hues: Array.from(svg.querySelectorAll(".page:not(.free)"), (node) => /hue\d/.exec(node.getAttribute("class"))[0]),
    labels: Array.from(svg.querySelectorAll(".labels text"), ({ textContent }) => textContent),
    missing: Array.from(svg.querySelectorAll(".mark.missing"), (node) =>
      node.classList.contains("cache") ? "cache" : "batch",
    ),
    isShut: svg.querySelector(".leaf.shut") !== null,
    time: document.querySelector(".time-bar").getAttribute("aria-valuetext"),
  };
}
