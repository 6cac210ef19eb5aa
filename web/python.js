/**
 * The page's end of the worker: sends requests, and sees to it that each of them settles.
 */

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Reply} Reply */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {{resolve: (answer: Answer) => void, reject: (error: Error) => void}} Promised */

/** Seconds without a sign after which a stage or a run has failed: Pyodide can wait for ever without an error. */
const PATIENCE_S = { download: 300, start: 60, run: 60 };

export class Python {
  /** @type {import("./messages.js").Status} */
  status = { stage: "idle", loaded_bytes: 0, total_bytes: 0, failure: null };
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Set<(status: import("./messages.js").Status) => void>} */
  #listeners = new Set();
  #newestId = 0;
  /** @type {Map<number, Promised>} what has been asked and not answered yet */
  #promised = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #watchdog;

  /** @param {(status: import("./messages.js").Status) => void} listener */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start() {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.#fail(event.message || "its script could not be loaded");
    this.#enter("download");
  }

  stop() {
    this.#worker?.terminate();
    this.#enter("idle");
  }

  /**
   * Asks for a run, once the stage is "ready". It always settles: with the answer, or with an error if the run
   * or Python as a whole failed.
   *
   * @param {Settings} settings
   * @returns {Promise<Answer>}
   */
  ask(settings) {
    return new Promise((resolve, reject) => {
      if (this.status.stage !== "ready") {
        reject(new Error( `Python cannot answer while its stage is "${this.status.stage}"`));
        return;
      }
      this.#newestId += 1;
      this.#promised.set(this.#newestId, { resolve, reject });
      this.#worker?.postMessage({ id: this.#newestId, settings });
      this.#expectASign(PATIENCE_S.run);
    });
  }

  /** @param {Reply} reply */
  #receive(reply) {
    if (this.status.stage === "failed") {
      return;
    }
    if (reply.kind === "stage") {
      this.#enter(reply.stage);
    } else if (reply.kind === "failed") {
      this.#fail(reply.reason);
    } else {
      this.#settle(reply);
    }
  }

  /** @param {import("./messages.js").AnswerMessage | import("./messages.js").ErrorMessage} reply */
  #settle(reply) {
    const promised = this.#promised.get(reply.id);
    this.#promised.delete(reply.id);
    if (this.#promised.size === 0) {
      clearTimeout(this.#watchdog);
    }
    if (reply.kind === "answer") {
      promised?.resolve(reply.answer);
    } else {
      promised?.reject(new Error(reply.reason));
    }
  }

  /** @param {"idle" | "download" | "start" | "ready"} stage */
  #enter(stage) {
    this.status = { ...this.status, stage };
    if (stage === "ready" || stage === "idle") {
      clearTimeout(this.#watchdog);
    } else {
      this.#expectASign(PATIENCE_S[stage]);
    }
    this.#listeners.forEach((listener) => listener(this.status));
  }

  /** @param {number} seconds */
  #expectASign(seconds) {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#fail(`it gave no sign for ${seconds} s`), seconds * 1000);
  }

  /** @param {string} reason */
  #fail(reason) {
    if (this.status.stage === "failed") {
      return;
    }
    // All that waits is settled first: whatever the page does when it is told cannot keep it waiting.
    this.status = { ...this.status, stage: "failed", failure: { kind: "python", part: "", detail: reason } };
    clearTimeout(this.#watchdog);
    this.#worker?.terminate();
    for (const { reject } of this.#promised.values()) {
      reject(new Error(reason));
    }
    this.#promised.clear();
    this.#listeners.forEach((listener) => listener(this.status));
  }
}
