/**
 * The page's end of the worker: one run at a time, and only the newest request waits for its turn.
 */

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Reply} Reply */
/** @typedef {import("./messages.js").Stage} Stage */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {{settings: Settings, resolve: (answer: Answer | null) => void, reject: (error: Error) => void}} Ask */

/** A start or a run that gives no sign for so long has failed: Pyodide can wait for ever without an error. */
const STALLED_MS = 60_000;

export class Python {
  /** @type {Stage} */
  stage = "idle";
  /** @type {Ask | null} */
  #running = null;
  /** @type {Ask | null} */
  #waiting = null;
  #id = 0;
  #failure = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #watchdog;
  #onStage;
  #worker;

  /**
   * @param {Worker} worker as web/worker.js
   * @param {(stage: Stage, reason: string) => void} onStage told of every stage; the reason of a failure
   */
  constructor(worker, onStage) {
    this.#worker = worker;
    this.#onStage = onStage;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => this.#fail(event.message || "the worker could not be loaded");
    worker.onmessageerror = () => this.#fail("a message of the worker could not be read");
    this.#enter("download");
  }

  /**
   * Asks for a run. Resolves with its answer, or with null if a newer request overtook it while it waited;
   * rejects if Python failed. It always settles.
   *
   * @param {Settings} settings
   * @returns {Promise<Answer | null>}
   */
  ask(settings) {
    return new Promise((resolve, reject) => {
      if (this.stage === "failed") {
        reject(new Error(this.#failure));
        return;
      }
      this.#waiting?.resolve(null);
      this.#waiting = { settings, resolve, reject };
      this.#next();
    });
  }

  #next() {
    if (this.#running === null && this.#waiting !== null && this.stage === "ready") {
      this.#running = this.#waiting;
      this.#waiting = null;
      this.#id += 1;
      this.#worker.postMessage({ id: this.#id, settings: this.#running.settings });
      this.#expectASign();
    }
  }

  /** @param {Reply} reply */
  #receive(reply) {
    if (reply.kind === "stage") {
      this.#enter(reply.stage);
      this.#next();
    } else if (reply.kind === "failed") {
      this.#fail(reply.reason);
    } else if (reply.id === this.#id && this.#running !== null) {
      const ask = this.#running;
      this.#running = null;
      clearTimeout(this.#watchdog);
      this.#next();
      if (reply.kind === "answer") {
        ask.resolve(reply.answer);
      } else {
        ask.reject(new Error(reply.reason));
      }
    }
  }

  /** @param {Stage} stage */
  #enter(stage) {
    if (this.stage === "failed") {
      return;
    }
    this.stage = stage;
    clearTimeout(this.#watchdog);
    if (stage === "download" || stage === "start") {
      this.#expectASign();
    }
    this.#onStage(stage, this.#failure);
  }

  #expectASign() {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#fail(`no sign of it for ${STALLED_MS / 1000} s`), STALLED_MS);
  }

  /** @param {string} reason */
  #fail(reason) {
    if (this.stage === "failed") {
      return;
    }
    this.#failure = reason;
    this.#enter("failed");
    this.#worker.terminate();
    const left = [this.#running, this.#waiting];
    this.#running = null;
    this.#waiting = null;
    for (const ask of left) {
      ask?.reject(new Error(reason));
    }
  }
}
