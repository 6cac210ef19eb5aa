/**
 * A living widget: listens to the reader and to Python, keeps the state, and has it drawn.
 */
import { FIRST_SECONDS } from "./charts/cache-fill.js";
import { draw, drawTimeCursor } from "./draw.js";
import { makeLayout } from "./layout.js";
import { NoAnswer } from "./python.js";
import { SETTINGS, nearest, startSettings } from "./settings.js";
import { acceptAnswer, choose, chooseAll, nextRequest, release, startState } from "./state.js";
import { sentence } from "./telling.js";

/** @typedef {import("./address.js").Asked} Asked */
/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Status} Status */
/** @typedef {import("./settings.js").Setting} Setting */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./words/languages.js").Words} Words */

const REST_MS = 800; // without a change, after which the sentence is spoken
const NEAR = "300px"; // how far from the view Python is started
const AWAY_MS = 30_000; // out of view, after which Python is no longer wanted

/**
 * Where a widget lives and what it is given.
 *
 * @typedef {object} Host
 * @property {Words} words
 * @property {1 | 2} level of the widget's heading in the page
 * @property {import("./messages.js").FirstAnswer} firstAnswer
 * @property {Asked} asked
 * @property {import("./python.js").Python} python
 * @property {boolean} isLazy whether Python waits until the widget comes into view, and ends when it is long out of it
 * @property {(isWanted: boolean) => void} want told when the widget begins or ceases to need Python
 * @property {(stage: Status["stage"]) => void} onStage
 * @property {(answer: Answer) => void} onAnswer told of each answer of Python's that has been painted
 * @property {(settings: Settings) => void} onSettings told of each change of the sliders
 * @property {(() => string) | null} link the address of what is shown; null if there is none to copy
 * @property {() => void} reload
 */

/**
 * What can be done with a living widget from outside.
 *
 * @typedef {object} Mounted
 * @property {() => void} end
 * @property {() => Settings} settings what the sliders say
 * @property {(settings: Partial<Settings>) => void} set moves sliders, but for those that are locked; what cannot be
 *   becomes the nearest value that can
 * @property {(time_s: number | null) => void} showTime marks a moment in the chart of the cache, null for none
 */

/**
 * Puts a living widget into an element, in place of what is in there.
 *
 * @param {HTMLElement | ShadowRoot} root
 * @param {Host} host
 * @returns {Mounted}
 */
export function mount(root, host) {
  const { words, asked, python } = host;
  const { ownerDocument } = root;
  const state = startState(host.firstAnswer, asked.settings, asked.locked);
  state.note = [
    ...asked.corrections.map((correction) => correctionText(correction, words)),
    ...asked.ignored.map(({ name, known }) => words.ignored(name, known)),
  ].join(" ");
  state.status = python.status;
  const layout = makeLayout(ownerDocument, words, FIRST_SECONDS, host.level);
  layout.copyLink.hidden = host.link === null;
  root.replaceChildren(layout.root);

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let speakTimer;
  let isAsking = false;
  let isEnded = false;

  // ---- Drawing -------------------------------------------------------------------------------------------

  const room = () => ({ twoWaits: widthOf(layout.figures[0]), cacheFill: widthOf(layout.figures[1]) });
  let roomNow = room();

  /** The element of the widget that the reader is in, null if it is none. */
  function focused() {
    const { activeElement } = /** @type {Document | ShadowRoot} */ (layout.root.getRootNode());
    return layout.root.contains(activeElement) ? activeElement : null;
  }

  function redraw() {
    draw(layout, state, words, roomNow, focused());
  }

  /** Has the note and the sentence spoken, once nothing has changed for a while. */
  function speakLater() {
    clearTimeout(speakTimer);
    speakTimer = setTimeout(() => {
      const said = sentence(state.answer.report, words).map(({ text }) => text);
      const failure = layout.failure.hidden ? "" : layout.failure.textContent ?? "";
      layout.spoken.textContent = [layout.note.textContent, failure, said.join("")].filter(Boolean).join(" ");
    }, REST_MS);
  }

  // ---- Python --------------------------------------------------------------------------------------------

  /** Has Python do the next run, if there is one to do and none is under way. */
  async function askPython() {
    const request = isAsking || isEnded ? null : nextRequest(state);
    if (request === null) {
      return;
    }
    const { settings, isChosen } = request;
    const isFirst = state.answer.isFromBuild === true;
    isAsking = true;
    /** @type {Answer | null} */
    let answer = null;
    try {
      answer = await python.answer(settings);
    } catch (error) {
      if (error instanceof NoAnswer && error.why !== "refused") {
        // There is no Python any more: the stage tells why, and what is wanted is asked for once it is back.
        isAsking = false;
        return;
      }
      state.refused = { settings, reason: error instanceof Error ? error.message : String(error) };
    }
    if (answer !== null) {
      acceptAnswer(state, answer, isChosen);
    }
    isAsking = false;
    askPython(); // before this answer is drawn, so that Python works meanwhile
    redraw();
    if (answer !== null && isChosen) {
      if (!isFirst) {
        speakLater();
      }
      tellPainted(answer);
    }
  }

  /** Tells the host of an answer once it is painted, if it is still the newest. @param {Answer} answer */
  async function tellPainted(answer) {
    await painted();
    if (state.answer === answer && !isEnded) {
      state.isPainted = true;
      host.onAnswer(answer);
      askPython();
    }
  }

  const stopListening = python.listen((status) => {
    const hasFailed = status.stage === "failed" && state.status.stage !== "failed";
    const isNewStage = status.stage !== state.status.stage;
    const inUse = focused();
    state.status = status;
    redraw();
    if (hasFailed) {
      speakLater();
      if (inUse?.matches(":disabled")) {
        layout.retry.focus({ preventScroll: true }); // a slider that cannot be moved does not keep the focus
      }
    }
    if (isNewStage) {
      host.onStage(status.stage);
    }
    askPython();
  });

  // ---- The reader's hand ---------------------------------------------------------------------------------

  /** Takes a new value of a setting. @param {Setting} setting @param {number} value */
  function take({ key }, value) {
    if (state.settings[key] !== value) {
      choose(state, key, value);
      settingsChanged();
    }
  }

  function settingsChanged() {
    wantPython();
    askPython(); // before anything is drawn, so that Python works meanwhile
    layout.link.hidden = true; // it names the settings before
    redraw();
    host.onSettings(state.settings);
  }

  /** A slider has been let go, or a number has been typed to its end. */
  function letGo() {
    release(state);
    redraw();
  }

  /**
   * What was typed and cannot be becomes the nearest value that can, and that is said.
   *
   * @param {Setting} setting
   * @param {HTMLInputElement} box
   */
  function settleBox(setting, box) {
    const { name } = words.settings[setting.key];
    if (!box.validity.valid || box.value === "") {
      const typed = box.valueAsNumber;
      if (Number.isNaN(typed)) {
        state.note = words.notANumber(name, state.settings[setting.key]);
      } else {
        const value = nearest(setting, typed);
        take(setting, value);
        state.note = words.outOfRange(name, setting, value);
      }
      speakLater();
    }
    box.value = String(state.settings[setting.key]);
    letGo();
  }

  for (const [setting, { slider, box }] of layout.inputs) {
    slider.addEventListener("input", () => take(setting, slider.valueAsNumber));
    slider.addEventListener("change", letGo);
    // Not every engine sends "change" when a slider comes back to where it was taken.
    slider.addEventListener("pointerup", letGo);
    slider.addEventListener("pointercancel", letGo);
    box.addEventListener("input", () => {
      if (box.validity.valid && box.value !== "") {
        take(setting, box.valueAsNumber);
      }
    });
    box.addEventListener("change", () => settleBox(setting, box));
    box.addEventListener("blur", letGo); // typed back to what it was, a number is no "change"
  }
  layout.form.addEventListener("submit", (event) => event.preventDefault());
  layout.reset.addEventListener("click", () => {
    chooseAll(state, startSettings());
    settingsChanged();
  });
  layout.copyLink.addEventListener("click", async () => {
    const address = host.link?.() ?? "";
    const isCopied = await copied(ownerDocument, address);
    state.note = isCopied ? words.linkCopied : "";
    layout.link.hidden = isCopied;
    layout.link.value = address;
    redraw();
    speakLater();
    if (!isCopied) {
      layout.link.select();
    }
  });
  layout.retry.addEventListener("click", () => {
    if (state.status.failure?.kind === "updated") {
      host.reload();
    } else {
      state.refused = null;
      python.start();
      if (layout.failure.hidden) {
        layout.status.focus({ preventScroll: true }); // the button is gone, and here stands what it has begun
      }
    }
  });
  for (const radio of layout.spans) {
    radio.addEventListener("change", () => {
      state.span = radio.value === "whole" ? "whole" : "first";
      redraw();
    });
  }
  layout.tables.addEventListener("toggle", () => {
    state.areTablesOpen = layout.tables.open;
    redraw();
  });

  // ---- In view or not ------------------------------------------------------------------------------------

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let leaveTimer;

  function wantPython() {
    clearTimeout(leaveTimer);
    leaveTimer = undefined;
    host.want(true);
  }

  const view = new IntersectionObserver(
    (entries) => {
      if (entries[entries.length - 1].isIntersecting) {
        wantPython();
      } else {
        leaveTimer ??= setTimeout(() => host.want(false), AWAY_MS);
      }
    },
    { rootMargin: NEAR },
  );
  // In the next frame, for drawing may change the very heights that are being observed.
  const widths = new ResizeObserver(() =>
    requestAnimationFrame(() => {
      roomNow = room();
      redraw();
    }),
  );

  redraw();
  host.onStage(state.status.stage);
  layout.figures.forEach((figure) => widths.observe(figure));
  if (host.isLazy) {
    view.observe(layout.root);
    layout.root.addEventListener("pointerdown", wantPython);
    layout.root.addEventListener("focusin", wantPython);
  } else {
    wantPython();
  }
  askPython(); // another widget may have started Python already

  return {
    end() {
      isEnded = true;
      stopListening();
      view.disconnect();
      widths.disconnect();
      clearTimeout(leaveTimer);
      clearTimeout(speakTimer);
      host.want(false);
    },
    settings: () => state.settings,

    set(settings) {
      const wanted = { ...state.settings };
      for (const setting of SETTINGS) {
        wanted[setting.key] = nearest(setting, settings[setting.key] ?? wanted[setting.key]);
      }
      const kept = SETTINGS.filter(({ key }) => state.locked.has(key) && state.settings[key] !== wanted[key]);
      chooseAll(state, wanted);
      state.note = kept.map(({ key }) => words.locked(words.settings[key].name, state.settings[key])).join(" ");
      settingsChanged();
      if (kept.length > 0) {
        speakLater();
      }
    },
    showTime(time_s) {
      if (state.cursor_s !== time_s) {
        state.cursor_s = time_s;
        drawTimeCursor(layout, state, roomNow);
      }
    },
  };
}

/** Settles when what was drawn has been painted: in the task after the next frame. */
function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** Pixels that the chart of a figure may fill. @param {HTMLElement} figure */
function widthOf(figure) {
  return figure.clientWidth;
}

/** What is said of what the address asks for and cannot be. @param {import("./address.js").Correction} correction
 * @param {Words} words */
function correctionText({ setting, isNumber, taken }, words) {
  const { name } = words.settings[setting.key];
  return isNumber ? words.outOfRange(name, setting, taken) : words.notANumber(name, taken);
}

/**
 * Whether a text could be put on the clipboard, which a browser refuses outside https and in some frames.
 *
 * @param {Document} document
 * @param {string} text
 */
async function copied(document, text) {
  try {
    await document.defaultView?.navigator.clipboard.writeText(text);
    return document.defaultView !== null;
  } catch {
    return false;
  }
}
