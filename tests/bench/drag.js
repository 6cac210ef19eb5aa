/**
 * What tests/bench/drag.py has the page do, and what it notes there. Times are those of performance.now();
 * a frame is known by the timestamp of its animation frames.
 */
window.bench = (() => {
  const FRAME_MS = 1000 / 60;
  const PATIENCE_MS = 20_000;

  /** The newest frame. */
  let frame_ms = performance.now();
  /** @type {((frame_ms: number) => void)[]} what waits for the next frame */
  let waiting = [];
  /** @type {{text: string, frame_ms: number}[]} what Python has been asked, and in which frame */
  const asked = [];
  /** @type {number[]} */
  const longTasks_ms = [];

  /** @param {object} settings */
  const textOf = (settings) => JSON.stringify(settings);

  requestAnimationFrame(function beat(now_ms) {
    frame_ms = now_ms;
    const resolves = waiting;
    waiting = [];
    resolves.forEach((resolve) => resolve(now_ms));
    requestAnimationFrame(beat);
  });
  new PerformanceObserver((list) => {
    longTasks_ms.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: "longtask" });
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function noteAndPost(message, ...rest) {
    if (message?.task?.kind === "answer") {
      asked.push({ text: textOf(message.task.settings), frame_ms });
    }
    return postMessage.call(this, message, ...rest);
  };

  /** Settles in the next frame, before it is painted. @returns {Promise<number>} */
  const nextFrame = () => new Promise((resolve) => waiting.push(resolve));

  /** @param {number} ms */
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  /** Moves a slider as a hand would that does not let go. @param {string} key @param {number} value */
  function move(key, value) {
    const slider = document.querySelector(`input[type=range][name=${key}]`);
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** @param {string} key */
  function letGo(key) {
    const slider = document.querySelector(`input[type=range][name=${key}]`);
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** Settles with the moment in which these settings' answer is announced. @param {object} settings */
  function announced(settings) {
    const text = textOf(settings);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${text}`)), PATIENCE_MS);
      document.addEventListener("tinyserve:answer", function listen({ detail }) {
        if (textOf(detail.settings) === text) {
          document.removeEventListener("tinyserve:answer", listen);
          clearTimeout(timer);
          resolve({ now_ms: performance.now(), painted_ms: frame_ms });
        }
      });
    });
  }

  /** Settles once the light run beside the chosen one has been made and drawn. */
  async function lightRunDone() {
    while (document.querySelector("#two-waits .bar.light.dimmed") !== null) {
      await nextFrame();
    }
  }

  /**
   * Goes through settings of which each differs from the one before in one slider, which is moved at a
   * moment chosen at random: `pause_ms` after the last answer at most and, if the hand is at rest, not
   * before the light run is done. Gives the milliseconds from each move to its painted answer, and to the
   * frame that painted it.
   *
   * @param {{settings: Record<string, number>[], pause_ms: number, isAtRest: boolean}} walk
   */
  async function walk({ settings, pause_ms, isAtRest }) {
    const taken = [];
    let before = settings[0];
    for (const next of settings.slice(1)) {
      if (isAtRest) {
        await lightRunDone();
      }
      await nextFrame();
      await sleep(Math.random() * pause_ms);
      const [key] = Object.keys(next).filter((name) => next[name] !== before[name]);
      const answer = announced(next);
      const start_ms = performance.now();
      move(key, next[key]);
      const { now_ms, painted_ms } = await answer;
      letGo(key);
      taken.push({ toTask_ms: now_ms - start_ms, toFrame_ms: painted_ms - start_ms });
      before = next;
    }
    return taken;
  }

  /** Sets one slider after the other, each once the one before has been answered. @param {object} settings */
  async function goTo(settings) {
    const now = {};
    for (const slider of document.querySelectorAll("input[type=range]")) {
      now[slider.name] = slider.valueAsNumber;
    }
    for (const [key, value] of Object.entries(settings)) {
      if (now[key] !== value) {
        now[key] = value;
        const answer = announced(now);
        move(key, value);
        await answer;
        letGo(key);
      }
    }
    await lightRunDone();
  }

  /**
   * Moves one slider there and back over some values, to the next in each frame, and gives for each of these
   * frames how many frames old the setting is whose answer it shows.
   *
   * @param {{key: string, values: number[], frames: number}} drag
   */
  async function drag({ key, values, frames }) {
    const thereAndBack = [...values, ...values.slice(1, -1).reverse()];
    let shownSince_ms = frame_ms; // the frame in which the slider stood at what is shown
    /** @type {{painted_ms: number, since_ms: number}[]} */
    const shown = [];
    const note = ({ detail }) => {
      const text = textOf(detail.settings);
      // Python is asked one thing at a time, so the newest request for these settings is meant.
      const since_ms = asked.findLast((each) => each.text === text).frame_ms;
      shown.push({ painted_ms: frame_ms, since_ms });
    };
    document.addEventListener("tinyserve:answer", note);
    const drawn_ms = [];
    for (let at = 1; at <= frames; at += 1) {
      const now_ms = await nextFrame();
      drawn_ms.push(now_ms);
      move(key, thereAndBack[at % thereAndBack.length]);
    }
    await nextFrame();
    letGo(key);
    await sleep(10 * FRAME_MS);
    document.removeEventListener("tinyserve:answer", note);

    let at = 0;
    return drawn_ms.map((now_ms) => {
      while (at < shown.length && shown[at].painted_ms <= now_ms) {
        shownSince_ms = shown[at].since_ms;
        at += 1;
      }
      return Math.round((now_ms - shownSince_ms) / FRAME_MS);
    });
  }

  return { walk, goTo, drag, longTasks_ms };
})();
