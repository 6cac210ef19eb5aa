/**
 * A living kitchen: plays a recorded run, follows the reader's hand, and tells the page which moment and which part
 * are being looked at. The same step always looks the same.
 */
import { cacheFillsStep, indexRun, longestQueueStep, stepAt } from "./charts/moment.js";
import { drawKitchenLayout, makeKitchenLayout, openingStep } from "./kitchen-layout.js";

/** @typedef {import("./charts/moment.js").RunIndex} RunIndex */
/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Intervals} Intervals */

/**
 * What the page is told: each moment that comes to be shown, and the part, 1 to 6, whose number the reader points at
 * or focuses, null when that ends.
 *
 * @typedef {{onMoment: (step: number, time_s: number) => void, onPart: (part: number | null) => void}} KitchenHost
 */

/** A play under way: from which step, when it began, and how many steps a second; null is as the run ran.
 * @typedef {{from: number, began_ms: number | null, speed: number | null}} Playing */

const NEXT_KEYS = new Set(["ArrowRight", "ArrowDown"]);
const PREVIOUS_KEYS = new Set(["ArrowLeft", "ArrowUp"]);

/**
 * Ties a kitchen to an element. Until the first run is shown, what stands in the element stays.
 *
 * @param {HTMLElement} root
 * @param {KitchenHost} host
 */
export function mountKitchen(root, host) {
  const { ownerDocument } = root;
  const view = ownerDocument.defaultView;
  if (view === null) {
    throw new Error("the kitchen has to stand in a page that is on a screen");
  }
  const layout = makeKitchenLayout(ownerDocument);
  const stillness = view.matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {RunIndex | null} */
  let run = null;
  let title = "";
  let step = 0;
  let width = 0;
  /** What is to be shown first, if it was asked for before there was a run. @type {number | null} */
  let awaitedStep = null;
  /** @type {Playing | null} */
  let playing = null;
  /** The next frame of the play, in which it goes on. */
  let frame = 0;
  /** The chats that are pointed at, focused and pinned. @type {{pointed: number | null, focused: number | null,
   * pinned: number | null}} */
  const chats = { pointed: null, focused: null, pinned: null };

  // ---- Drawing -------------------------------------------------------------------------------------------

  function redraw() {
    if (run === null || width === 0) {
      return;
    }
    const followed = { lit: chats.pointed ?? chats.focused ?? chats.pinned, pinned: chats.pinned };
    drawKitchenLayout(layout, { run, step, followed, isPlaying: playing !== null, title }, width);
    // Of each group one is on the way of the Tab key; arrow keys lead to the others.
    for (const group of layout.svg.querySelectorAll("g.slips, g.places")) {
      if (group.querySelector('[tabindex="0"]') === null) {
        group.firstElementChild?.setAttribute("tabindex", "0");
      }
    }
    followFocus();
  }

  /** The focus goes with its chat, whose slip or place may be another one by now. Where the chat is nowhere any more,
   * the chat that stands in its stead is followed. */
  function followFocus() {
    const mark = roverOf(ownerDocument.activeElement);
    if (mark === null || !layout.svg.contains(mark) || chatOf(mark) === chats.focused) {
      return;
    }
    const own = layout.svg.querySelector(`:is(g.slip, g.place)[data-chat="${chats.focused}"]`);
    if (own === null) {
      follow("focused", chatOf(mark));
    } else {
      /** @type {SVGGElement} */ (own).focus({ preventScroll: true });
    }
  }

  /** Shows a step, or the nearest that there is. @param {number} wanted */
  function goTo(wanted) {
    if (run === null) {
      awaitedStep = wanted;
      return;
    }
    const nearest = nearestStep(run, wanted);
    if (nearest !== step) {
      step = nearest;
      redraw();
      host.onMoment(step, run.columns.start_s[step]);
    }
  }

  // ---- Playing -------------------------------------------------------------------------------------------

  function pause() {
    if (playing !== null) {
      playing = null;
      view?.cancelAnimationFrame(frame);
      redraw();
    }
  }

  function play() {
    if (run === null) {
      return;
    }
    const speed = layout.speed.value === String(null) ? null : Number(layout.speed.value);
    playing = { from: step === run.steps - 1 ? 0 : step, began_ms: null, speed };
    redraw();
    nextFrame();
  }

  function nextFrame() {
    view?.cancelAnimationFrame(frame); // a change of speed begins a play while one is under way
    frame = view?.requestAnimationFrame(tick) ?? 0;
  }

  /** @param {number} now_ms */
  function tick(now_ms) {
    if (playing === null || run === null) {
      return;
    }
    playing.began_ms ??= now_ms;
    const { from, began_ms, speed } = playing;
    const passed_s = (now_ms - began_ms) / 1000;
    const { columns } = run;
    goTo(speed === null ? stepAt(columns, columns.start_s[from] + passed_s) : from + Math.floor(passed_s * speed));
    if (step === run.steps - 1) {
      pause();
    } else {
      nextFrame();
    }
  }

  /** The reader takes the run into the own hand. @param {number} wanted */
  function take(wanted) {
    pause();
    goTo(wanted);
  }

  function followStillness() {
    layout.play.hidden = stillness.matches;
    layout.speedLabel.hidden = stillness.matches;
    if (stillness.matches) {
      pause();
    }
  }

  // ---- The reader's hand ---------------------------------------------------------------------------------

  layout.play.addEventListener("click", () => (playing === null ? play() : pause()));
  layout.back.addEventListener("click", () => take(step - 1));
  layout.forward.addEventListener("click", () => take(step + 1));
  layout.timeBar.addEventListener("input", () => take(layout.timeBar.valueAsNumber - 1));
  layout.speed.addEventListener("change", () => {
    if (playing !== null) {
      play();
    }
  });
  layout.toCacheFills.addEventListener("click", () => take((run && cacheFillsStep(run.columns)) ?? step));
  layout.toLongestQueue.addEventListener("click", () => take((run && longestQueueStep(run.columns)) ?? step));
  stillness.addEventListener("change", followStillness);
  // Nobody sees what goes on in a hidden page, and no frame comes there: the time would be made up in one leap.
  ownerDocument.addEventListener("visibilitychange", pause);

  /** @param {"pointed" | "focused" | "pinned"} how @param {number | null} chat */
  function follow(how, chat) {
    if (chats[how] !== chat) {
      chats[how] = chat;
      redraw();
    }
  }

  /** @param {number | null} chat */
  const togglePin = (chat) => follow("pinned", chat === chats.pinned ? null : chat);

  const { svg } = layout;
  svg.addEventListener("pointerover", ({ target }) => {
    follow("pointed", chatOf(target));
    const part = partOf(target);
    if (part !== null) {
      host.onPart(part);
    }
  });
  svg.addEventListener("pointerout", ({ target }) => {
    if (partOf(target) !== null) {
      host.onPart(partOf(ownerDocument.activeElement)); // one whose number has the focus stays
    }
  });
  svg.addEventListener("pointerleave", () => follow("pointed", null));
  svg.addEventListener("focusin", ({ target }) => {
    follow("focused", chatOf(target));
    const part = partOf(target);
    if (part !== null) {
      host.onPart(part);
    }
    const chosen = roverOf(target);
    for (const other of chosen?.parentElement?.children ?? []) {
      other.setAttribute("tabindex", other === chosen ? "0" : "-1");
    }
  });
  svg.addEventListener("focusout", ({ target }) => {
    follow("focused", null);
    if (partOf(target) !== null) {
      host.onPart(null);
    }
  });
  svg.addEventListener("click", ({ target }) => togglePin(chatOf(target)));
  svg.addEventListener("keydown", (event) => {
    const chosen = roverOf(event.target);
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return; // the browser's own
    }
    if (event.key === "Escape") {
      follow("pinned", null);
    } else if (chosen === null) {
      return;
    } else if (event.key === "Enter" || event.key === " ") {
      togglePin(chatOf(chosen));
      event.preventDefault();
    } else {
      const next = neighbour(chosen, event.key);
      if (next !== null) {
        next.focus();
        event.preventDefault();
      }
    }
  });

  const widths = new ResizeObserver(() =>
    // In the next frame, for drawing may change the very heights that are being observed.
    view.requestAnimationFrame(() => {
      width = layout.root.clientWidth;
      redraw();
    }),
  );

  return {
    /**
     * Shows a run, at the time of the one before it.
     *
     * @param {Pick<Answer, "settings" | "columns">} answer
     * @param {Intervals} intervals
     * @param {string} newTitle whose run it is
     */
    show({ settings, columns }, intervals, newTitle) {
      const time_s = run === null ? null : run.columns.start_s[step];
      const isFirst = run === null;
      run = indexRun(settings, columns, intervals);
      title = newTitle;
      playing = null;
      Object.assign(chats, { pointed: null, focused: null, pinned: null });
      if (awaitedStep !== null) {
        step = nearestStep(run, awaitedStep);
        awaitedStep = null;
      } else {
        step = time_s === null || time_s === undefined ? openingStep(run) : stepAt(columns, time_s);
      }
      if (isFirst) {
        root.replaceChildren(layout.root);
        followStillness();
        width = layout.root.clientWidth;
        widths.observe(layout.root);
      }
      redraw();
      if (run.steps > 0) {
        host.onMoment(step, columns.start_s[step]);
      }
    },

    /** Shows a step, counted from 0. @param {number} wanted */
    goTo: take,
  };
}

/** @param {RunIndex} run @param {number} wanted */
function nearestStep({ steps }, wanted) {
  return Math.max(0, Math.min(steps - 1, wanted));
}

/** The chat that something drawn belongs to. @param {EventTarget | null} target */
function chatOf(target) {
  return numberAround(target, "data-chat");
}

/** The part whose number something belongs to. @param {EventTarget | null} target */
function partOf(target) {
  return numberAround(target, "data-part");
}

/** The number that the nearest element around has in an attribute. @param {EventTarget | null} target
 * @param {string} attribute */
function numberAround(target, attribute) {
  const number = target instanceof Element ? target.closest(`[${attribute}]`)?.getAttribute(attribute) : null;
  return number === null || number === undefined ? null : Number(number);
}

/** The slip or place that something belongs to. @param {EventTarget | null} target @returns {SVGElement | null} */
function roverOf(target) {
  return target instanceof Element ? target.closest("g.slip, g.place") : null;
}

/** The slip or place that a key leads to. @param {SVGElement} from @param {string} key */
function neighbour(from, key) {
  const siblings = Array.from(from.parentElement?.children ?? []);
  const at = siblings.indexOf(from);
  /** @type {Record<string, number>} */
  const ends = { Home: 0, End: siblings.length - 1 };
  const to = ends[key] ?? (NEXT_KEYS.has(key) ? at + 1 : PREVIOUS_KEYS.has(key) ? at - 1 : at);
  return to === at ? null : /** @type {SVGElement | null} */ (siblings[to] ?? null);
}
