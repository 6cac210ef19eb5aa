/**
 * The page's end of the worker: sends requests, and sees to it that each of them settles.
 */

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Reply} Reply */
/** @typedef {import("./messages.js").Stage} Stage */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {{resolve: (answer: Answer) => void, reject: (error: Error) => void}} Promised */

/** Seconds without a sign after which a stage or a run has failed: Pyodide can wait for ever without an error. */
const PATIENCE_S = { download: 300, start: 60, run: 60 };

export class Python {
  /** @type {Stage} */
  stage = "idle";
  /** Why it failed; empty unless the stage is "failed". */
  failure = "";
  #worker;
  #onStage;
  #newestId = 0;
  /** @type {Map<number, Promised>} what has been asked and not answered yet */
  #promised = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #watchdog;

  /**
   * @param {Worker} worker that runs web/worker.js
   * @param {(python: Python) => void} onStage called after every change of the stage
   */
  constructor(worker, onStage) {
    this.#worker = worker;
    this.#onStage = onStage;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => this.#fail(event.message || "its script could not be loaded");
    worker.addEventListener("messageerror", () => this.#fail("one of its messages could not be read"));
    this.#enter("download");
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
      if (this.stage !== "ready") {
        reject(new Error(this.failure || `Python cannot answer while its stage is "${this.stage}"`));
        return;
      }
      this.#newestId += 1;
      this.#promised.set(this.#newestId, { resolve, reject });
      this.#worker.postMessage({ id: this.#newestId, settings });
      this.#expectASign(PATIENCE_S.run);
    });
  }

  /** @param {Reply} reply */
  #receive(reply) {
    if (this.stage === "failed") {
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

  /** @param {"download" | "start" | "ready"} stage */
  #enter(stage) {
    this.stage = stage;
    if (stage === "ready") {
      clearTimeout(this.#watchdog);
    } else {
      this.#expectASign(PATIENCE_S[stage]);
    }
    this.#onStage(this);
  }

  /** @param {number} seconds */
  #expectASign(seconds) {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#fail(`it gave no sign for ${seconds} s`), seconds * 1000);
  }

  /** @param {string} reason */
  #fail(reason) {
    if (this.stage === "failed") {
      return;
    }
    // All that waits is settled first: whatever the page does when it is told cannot keep it waiting.
    this.stage = "failed";
    this.failure = reason;
    clearTimeout(this.#watchdog);
    this.#worker.terminate();
    for (const { reject } of this.#promised.values()) {
      reject(new Error(reason));
    }
    this.#promised.clear();
    this.#onStage(this);
  }
}
