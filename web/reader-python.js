/**
 * The Python that runs a reader's own program, apart from the one that answers for the lesson: what a program does to
 * its interpreter ends with it.
 */
import { Failed } from "./messages.js";
import { NoAnswer, Python } from "./python.js";
import { yours as said } from "./words/yours.js";

/** @typedef {import("./messages.js").Edited} Edited */
/** @typedef {import("./messages.js").Failure} Failure */
/** @typedef {import("./messages.js").Limits} Limits */
/** @typedef {import("./messages.js").Settings} Settings */
/** @typedef {import("./messages.js").Status} Status */
/** @typedef {import("./messages.js").Trouble} Trouble */

export class ReaderPython {
  #python;
  /** The program that the interpreter has run; null while it is fresh. @type {string | null} */
  #source = null;
  /** When the run under way began; null before that. @type {number | null} */
  #began_ms = null;
  /** The run under way; null if there is none. @type {object | null} */
  #run = null;

  /**
   * @param {import("./parts.js").Parts} parts
   * @param {Limits} limits
   */
  constructor(parts, limits) {
    this.#python = new Python(parts, limits);
    this.#python.listen(({ stage }) => {
      if (stage === "ready") {
        this.#began_ms ??= performance.now();
      }
    });
  }

  get status() {
    return this.#python.status;
  }

  /** @param {(status: Status) => void} listener */
  listen(listener) {
    return this.#python.listen(listener);
  }

  /** Ends the interpreter, and with it the run under way; the next run starts a fresh one. */
  stop() {
    this.#run = null;
    this.#source = null;
    this.#python.stop();
  }

  /** Has a fresh interpreter ready for the next run, if none is under way. What failed to start is not tried again. */
  prepare() {
    if (this.#run === null && this.#python.status.stage !== "failed") {
      if (this.#source !== null) {
        this.stop();
      }
      this.#python.startOnce();
    }
  }

  /**
   * Runs a program, in a fresh interpreter unless the one that is there has run nothing else. One run at a time: a
   * second ends the first.
   *
   * @param {string} source
   * @param {Settings} settings
   * @returns {Promise<Edited>} rejects with a `Failed` if there is no Python, and with a `NoAnswer` if it was ended
   */
  async run(source, settings) {
    if (this.#run !== null || (this.#source !== source && this.#source !== null)) {
      this.#python.stop();
    }
    const run = {};
    this.#run = run;
    this.#source = source;
    this.#began_ms = this.#python.status.stage === "ready" ? performance.now() : null;
    this.#python.start();
    try {
      return await this.#python.ask({ kind: "edited", source, settings });
    } catch (error) {
      const { failure } = this.#python.status;
      if (!(error instanceof NoAnswer) || error.why === "stopped") {
        throw error;
      }
      if (error.why === "refused") {
        this.stop(); // it would refuse the next run too
        return broken(settings, { kind: "broken", line: null, message: said.refused(error.message), traceback: "" });
      }
      this.#source = null;
      if (failure === null || this.#began_ms === null) {
        throw new Failed(failure?.kind ?? "python", failure?.part ?? null, error.message);
      }
      return broken(settings, troubleOf(failure, performance.now() - this.#began_ms));
    } finally {
      if (this.#run === run) {
        this.#run = null;
      }
    }
  }
}

/** @param {Settings} settings @param {Trouble} trouble @returns {Edited} */
function broken(settings, trouble) {
  return { settings, printed: "", trouble, run: null };
}

/**
 * What an interpreter died of, as a trouble of the program that it ran.
 *
 * @param {Failure} failure
 * @param {number} ran_ms
 * @returns {Trouble}
 */
function troubleOf({ kind, detail }, ran_ms) {
  return kind === "silent"
    ? { kind: "endless", line: null, message: said.uninterruptible(Math.round(ran_ms / 1000) * 1000), traceback: "" }
    : { kind: "exception", line: null, message: said.crashed, traceback: detail };
}
