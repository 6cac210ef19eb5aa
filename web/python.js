/**
 * Python as the page sees it: started, stopped and started again, asked, and never waited for without end.
 */
import { checkBrowser } from "./browser-check.js";
import { Failed } from "./messages.js";

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Failure} Failure */
/** @typedef {import("./messages.js").Reply} Reply */
/** @typedef {import("./messages.js").Request} Request */
/** @typedef {import("./messages.js").Results} Results */
/** @typedef {import("./messages.js").Stage} Stage */
/** @typedef {import("./messages.js").Status} Status */
/** @typedef {import("./messages.js").Task} Task */
/** @typedef {import("./parts.js").Parts} Parts */

/**
 * @typedef {{task: Task, resolve: (result: any) => void, reject: (error: Error) => void}} Asked
 */

/** Seconds without a sign after which the worker is given up. */
const PATIENCE_S = { start: 60, run: 10 };
/** The same beyond a run's own limit, at which the worker should have ended it by itself. */
const PATIENCE_BEYOND_LIMIT_S = 3;
/** Workers that may die between two answers; the last of them is the failure. A reader's program is not tried twice. */
const DEATHS_ALLOWED = { lessons: 2, readers: 1 };

/** Why a request got no answer: Python raised an exception, there is no Python, or it was stopped. */
export class NoAnswer extends Error {
  /** @param {"refused" | "failed" | "stopped"} why @param {string} reason */
  constructor(why, reason) {
    super(reason);
    this.why = why;
  }
}

export class Python {
  #parts;
  #limits;
  #patience_s;
  #deathsAllowed;
  /** @type {Stage} */
  #stage = "idle";
  /** @type {Failure | null} */
  #failure = null;
  /** @type {Set<(status: Status) => void>} */
  #listeners = new Set();
  /** @type {string | undefined} */
  #workerAddress;
  /** @type {Worker | null} the one whose replies count */
  #worker = null;
  /** Counts starts and stops, so that what belongs to an earlier one can tell. */
  #turn = 0;
  #deaths = 0;
  /** @type {Asked[]} what has been asked and not answered; the first is being answered once Python is ready */
  #asked = [];
  #newestId = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #watchdog;

  /**
   * @param {Parts} parts what it is started from, which others may be started from as well
   * @param {import("./messages.js").Limits | null} limits null for the lesson's own program, which needs none;
   *   `READER_LIMITS` for a reader's
   */
  constructor(parts, limits = null) {
    this.#parts = parts;
    this.#limits = limits;
    const run_s = limits === null ? PATIENCE_S.run : limits.run_ms / 1000 + PATIENCE_BEYOND_LIMIT_S;
    this.#patience_s = { ...PATIENCE_S, run: run_s };
    this.#deathsAllowed = limits === null ? DEATHS_ALLOWED.lessons : DEATHS_ALLOWED.readers;
    parts.listen(() => {
      if (this.#stage === "download") {
        this.#tell();
      }
    });
  }

  /** @returns {Status} */
  get status() {
    const { loaded_bytes, total_bytes } = this.#parts;
    return { stage: this.#stage, loaded_bytes, total_bytes, failure: this.#failure };
  }

  /**
   * @param {(status: Status) => void} listener called after every change
   * @returns {() => void} ends it
   */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts Python, also after a failure: what has arrived already is not fetched again. */
  start() {
    if (this.#stage === "idle" || this.#stage === "failed") {
      this.#failure = null;
      this.#deaths = 0;
      this.#startWorker();
    }
  }

  /** Starts Python unless it has been started: after a failure it is for the reader to try again. */
  startOnce() {
    if (this.#stage === "idle") {
      this.start();
    }
  }

  /** Ends the worker, if there is one, and keeps what it was started from. What waits for an answer gets none. */
  stop() {
    if (this.#stage === "failed") {
      return; // why it failed is still to be read
    }
    this.#endWorker();
    this.#rejectAll(new NoAnswer("stopped", "Python was stopped"));
    this.#enter("idle");
  }

  /**
   * Asks for a run of the lesson's program, as `ask` does.
   *
   * @param {import("./settings.js").Settings} settings
   * @returns {Promise<Answer>}
   */
  answer(settings) {
    return this.ask({ kind: "answer", settings });
  }

  /**
   * Asks for something, at once or as soon as Python is ready. It always settles: with what comes of it or with
   * `NoAnswer`.
   *
   * @template {keyof Results} Kind
   * @param {Extract<Task, {kind: Kind}>} task
   * @returns {Promise<Results[Kind]>}
   */
  ask(task) {
    return new Promise((resolve, reject) => {
      if (this.#stage === "idle" || this.#stage === "failed") {
        const why = this.#stage === "failed" ? "failed" : "stopped";
        reject(new NoAnswer(why, this.#failure?.detail ?? "Python has not been started"));
        return;
      }
      this.#asked.push({ task, resolve, reject });
      if (this.#stage === "ready" && this.#asked.length === 1) {
        this.#askFirst();
      }
    });
  }

  // ---- The worker's life -------------------------------------------------------------------------------------

  async #startWorker() {
    this.#endWorker();
    const turn = this.#turn;
    this.#enter(this.#parts.areHere ? "start" : "download");
    try {
      checkBrowser();
      const [source, parts] = [this.#parts.workerSource(), this.#parts.bootParts()];
      parts.catch(() => {}); // awaited below, once the worker loads its script beside it
      const script = await source;
      if (turn === this.#turn) {
        this.#worker = this.#makeWorker(script);
      }
      const handedOver = await parts;
      if (turn === this.#turn) {
        this.#post({ kind: "boot", parts: handedOver, limits: this.#limits });
        this.#expectASign("start");
        if (this.#stage === "download") {
          this.#enter("start");
        }
      }
    } catch (error) {
      if (turn === this.#turn) {
        this.#fail(failureOf(error));
      }
    }
  }

  /**
   * A worker from the script's text: so it is bound by the page's own policy, which a worker with an address is not,
   * and can be made again after the site has been changed.
   *
   * @param {string} script
   */
  #makeWorker(script) {
    this.#workerAddress ??= URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(this.#workerAddress, { type: "module", name: "tinyserve" });
    // Replies of a worker that was ended may still be on their way.
    const ifCurrent = (/** @type {() => void} */ act) => worker === this.#worker && act();
    worker.onmessage = ({ data }) => ifCurrent(() => this.#receive(data));
    worker.onerror = (event) => ifCurrent(() => this.#workerFailed(event));
    // Not every engine has a property for this one.
    worker.addEventListener("messageerror", () =>
      ifCurrent(() => this.#die("crashed", "a message of the worker could not be read")),
    );
    return worker;
  }

  #endWorker() {
    this.#turn += 1;
    clearTimeout(this.#watchdog);
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** @param {Request} request */
  #post(request) {
    this.#worker?.postMessage(request);
  }

  /** @param {Reply} reply */
  #receive(reply) {
    if (reply.kind === "ready") {
      clearTimeout(this.#watchdog);
      this.#stage = "ready";
      this.#askFirst(); // before listeners can ask for more
      this.#tell();
    } else if (reply.kind === "failed") {
      this.#fail(reply.failure);
    } else if (reply.kind === "crashed") {
      this.#die("crashed", reply.detail);
    } else {
      this.#settleFirst(reply);
    }
  }

  /** @param {ErrorEvent} event */
  #workerFailed(event) {
    if (event.message === undefined) {
      // The script itself was checked, so it is the worker that is not allowed.
      this.#fail({ kind: "policy", part: "worker", detail: "worker-src does not allow blob:" });
    } else {
      this.#die("crashed", event.message);
    }
  }

  /**
   * The worker is dead: the next one is asked again, unless too many have died of the same request.
   *
   * @param {"crashed" | "silent"} kind
   * @param {string} detail
   */
  #die(kind, detail) {
    this.#deaths += 1;
    if (this.#stage === "ready" && this.#deaths < this.#deathsAllowed) {
      this.#startWorker();
    } else {
      this.#fail({ kind, part: null, detail });
    }
  }

  /** @param {Failure} failure */
  #fail(failure) {
    this.#endWorker();
    this.#failure = failure;
    this.#rejectAll(new NoAnswer("failed", failure.detail));
    this.#enter("failed");
  }

  /** @param {Stage} stage */
  #enter(stage) {
    this.#stage = stage;
    this.#tell();
  }

  #tell() {
    const { status } = this;
    for (const listener of this.#listeners) {
      listener(status);
    }
  }

  // ---- Requests ----------------------------------------------------------------------------------------------

  /** Has the first of what was asked answered; the others wait here, so that it is known which one a worker dies of. */
  #askFirst() {
    if (this.#asked.length > 0) {
      this.#newestId += 1;
      this.#post({ kind: "ask", id: this.#newestId, task: this.#asked[0].task });
      this.#expectASign("run");
    }
  }

  /** @param {import("./messages.js").AnswerMessage | import("./messages.js").RefusedMessage} reply */
  #settleFirst(reply) {
    if (reply.id !== this.#newestId) {
      return;
    }
    clearTimeout(this.#watchdog);
    this.#deaths = 0;
    const asked = this.#asked.shift();
    this.#askFirst();
    if (reply.kind === "answer") {
      asked?.resolve(reply.result);
    } else {
      asked?.reject(new NoAnswer("refused", reply.reason));
    }
  }

  /** @param {NoAnswer} error */
  #rejectAll(error) {
    const asked = this.#asked;
    this.#asked = [];
    for (const { reject } of asked) {
      reject(error);
    }
  }

  /** @param {"start" | "run"} what */
  #expectASign(what) {
    const seconds = this.#patience_s[what];
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => {
      const stage = what === "start" ? "while starting" : "in a run";
      this.#die("silent", `Python gave no sign for ${seconds} s ${stage}`);
    }, seconds * 1000);
  }
}

/** @param {unknown} error @returns {Failure} */
function failureOf(error) {
  if (error instanceof Failed) {
    return error.failure;
  }
  // WebKit refuses a worker by an exception, where the other engines send an event.
  const isRefused = error instanceof DOMException && error.name === "SecurityError";
  return isRefused
    ? { kind: "policy", part: "worker", detail: `worker-src does not allow blob: (${error})` }
    : { kind: "python", part: null, detail: String(error) };
}
