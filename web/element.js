/**
 * The custom element `<tiny-server rate="40" pages="240" limit="16" shuffle="0" lock="rate" theme="dark" lang="de">`
 * for pages of the same origin. All elements of a page share one Python.
 */
import firstAnswer from "first-answer";
import style from "widget-style";
import { readAsked } from "./address.js";
import { typedAnswer } from "./messages.js";
import { Parts } from "./parts.js";
import { Python } from "./python.js";
import { mount } from "./widget.js";
import { wordsOf } from "./words/languages.js";

const REM_PX = 16; // what a browser starts with

// The one script whose name never changes, and which names this one.
const python = new Python(new Parts(new URL("./tiny-server.js", import.meta.url)));
const first = typedAnswer(firstAnswer);
const sheet = new CSSStyleSheet();
// A rem is measured by the page, which may set its own, as in `html { font-size: 62.5% }`.
sheet.replaceSync(style.replace(/([\d.]+)rem\b/g, (_, rem) => `${Number(rem) * REM_PX}px`));

/** The elements that need Python now, or `CHANGING`. @type {Set<object>} */
const wanting = new Set();
/** Keeps Python while an element makes its widget anew. */
const CHANGING = {};

class TinyServer extends HTMLElement {
  static observedAttributes = ["rate", "pages", "limit", "shuffle", "lock", "lang"];
  #shadow = this.attachShadow({ mode: "open" });
  /** The widget in here; null while there is none. @type {import("./widget.js").Mounted | null} */
  #widget = null;

  connectedCallback() {
    this.#shadow.adoptedStyleSheets = [sheet];
    this.#begin();
  }

  disconnectedCallback() {
    this.#widget?.end();
    this.#widget = null;
  }

  /** @param {string} _name @param {string | null} before @param {string | null} now */
  attributeChangedCallback(_name, before, now) {
    // Attributes that the page's HTML gives are told before the element stands in the page.
    if (this.#widget !== null && before !== now) {
      const isWanting = wanting.has(this);
      wanting.add(CHANGING);
      this.#widget.end();
      this.#begin();
      if (isWanting) {
        wanting.add(this);
      }
      wanting.delete(CHANGING);
    }
  }

  #begin() {
    const asked = readAsked((name) => this.getAttribute(name));
    this.#widget = mount(this.#shadow, {
      words: wordsOf(asked.language),
      level: 2,
      firstAnswer: first,
      asked,
      python,
      isLazy: true,
      want: (isWanted) => this.#want(isWanted),
      onStage: (stage) => {
        this.dataset.stage = stage;
      },
      onAnswer: ({ settings, report }) => {
        const detail = { settings, report };
        this.dispatchEvent(new CustomEvent("tinyserve:answer", { detail, bubbles: true, composed: true }));
      },
      onSettings: () => {},
      link: null, // the address is the page's
      reload: () => location.reload(),
    });
  }

  /** @param {boolean} isWanted */
  #want(isWanted) {
    if (isWanted) {
      wanting.add(this);
      python.startOnce();
    } else {
      wanting.delete(this);
      if (wanting.size === 0) {
        python.stop();
      }
    }
  }
}

customElements.define("tiny-server", TinyServer);
