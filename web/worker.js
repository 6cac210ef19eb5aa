/**
 * The worker: boots Pyodide with the wheel from what the page hands over, and does one task after the other: those of
 * the lesson's program with `tinyserve.view`, a reader's own with `tinyserve.edited`. It fetches nothing itself.
 */
import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { DEEPEST_CALLS, Deadline, capHeap, isStackOverflow } from "./limits.js";
import { COLUMN_NAMES, Failed, INTERVAL_NAMES } from "./messages.js";

/** @typedef {import("./messages.js").BootParts} BootParts */
/** @typedef {import("./messages.js").Columns} Columns */
/** @typedef {import("./messages.js").Edited} Edited */
/** @typedef {import("./messages.js").EditedTask} EditedTask */
/** @typedef {import("./messages.js").Intervals} Intervals */
/** @typedef {import("./messages.js").Limits} Limits */
/** @typedef {import("./messages.js").Reply} Reply */
/** @typedef {import("./messages.js").Request} Request */
/** @typedef {import("./messages.js").Results} Results */
/** @typedef {import("./messages.js").Task} Task */
/** @typedef {import("./settings.js").Settings} Settings */

/** This file is checked with the page's types, in which `self` is a window; here it is a worker's scope. */
const scope = /** @type {{postMessage(message: Reply, transfer?: Transferable[]): void, fetch: typeof fetch,
  onmessage: ((event: MessageEvent<Request>) => void) | null}} */ (/** @type {unknown} */ (self));

/** Where Pyodide looks for its files; no network has such addresses. */
const MEMORY = "memory:/";
const STDLIB_ADDRESS = `${MEMORY}python_stdlib.zip`;
/** Python imports the wheel as it is: a wheel is a zip, and Python looks into zips. */
const WHEEL_FILE = "/lib/tinyserve.whl";
/** Runs after the start, until the engine has compiled what the first run a reader waits for will use. */
const IDLE_RUNS = 20;
/** Milliseconds without a request after which the worker counts as idle. */
const IDLE_AFTER_MS = 100;

/**
 * Boots Python.
 *
 * @param {BootParts} parts
 * @param {Limits | null} limits
 */
async function boot({ module, stdlib, wheel }, limits) {
  if (limits !== null) {
    capHeap(limits.heap_bytes);
  }
  const { putBack, wasmFailed } = answerFromMemory(module, stdlib);
  const starting = loadPyodide({
    createPyodideModule,
    indexURL: MEMORY,
    stdLibURL: STDLIB_ADDRESS,
    packageBaseUrl: MEMORY,
    lockFileContents: { info: PYODIDE_INFO, packages: {} },
  });
  // Pyodide waits for ever if its WebAssembly cannot be started.
  const python = await Promise.race([starting, wasmFailed]);
  putBack();

  python.FS.writeFile(WHEEL_FILE, wheel);
  python.pyimport("sys").path.append(WHEEL_FILE);
  const version = python.pyimport("tinyserve").__version__;
  if (version !== TINYSERVE_VERSION) {
    throw mismatch(`the wheel is of version ${version}, the page of version ${TINYSERVE_VERSION}`);
  }
  const view = python.pyimport("tinyserve.view");
  checkNames("columns", view.Columns, COLUMN_NAMES);
  checkNames("intervals", view.Intervals, INTERVAL_NAMES);
  return {
    view,
    limited: limits === null ? null : limit(python, limits),
    lesson: python.pyimport("tinyserve.lesson"),
    printTrace: python.pyimport("tinyserve.print_trace"),
    PythonError: python.ffi.PythonError,
  };
}

/**
 * Makes Python fit for a reader's own program: it can be interrupted, and has no doors to the browser. Who digs for
 * objects of JavaScript may still find some: what keeps all of it from the network is the page's policy.
 *
 * @param {import("pyodide").PyodideInterface} python
 * @param {Limits} limits
 */
function limit(python, limits) {
  const edited = python.pyimport("tinyserve.edited");
  python.setStdin({ stdin: () => undefined }); // nobody types: input() is at the end of what there is to read
  python.unregisterJsModule("js");
  python.unregisterJsModule("pyodide_js");
  edited.draw_all_chats();
  edited.shut_the_browser_out();
  python.pyimport("sys").setrecursionlimit(DEEPEST_CALLS);
  const deadline = new Deadline(limits.run_ms);
  // Pyodide asks for an array of shared memory, which needs headers that this page's host need not send.
  python.setInterruptBuffer(/** @type {any} */ (deadline));
  return { edited, deadline, limits };
}

/**
 * Makes sure that the wheel's arrays are those that the page reads.
 *
 * @param {string} what
 * @param {any} namedTuple the class in Python
 * @param {readonly string[]} names
 */
function checkNames(what, namedTuple, names) {
  const fields = namedTuple._fields.toJs().join(" ");
  if (fields !== names.join(" ")) {
    throw mismatch(`the wheel's ${what} are ${fields}, the page's ${names.join(" ")}`);
  }
}

/** @param {string} detail */
function mismatch(detail) {
  return new Failed("mismatch", "wheel", detail);
}

/**
 * Answers what Pyodide fetches with what the page has handed over.
 *
 * @param {WebAssembly.Module} module
 * @param {Uint8Array} stdlib
 */
function answerFromMemory(module, stdlib) {
  const { fetch } = scope;
  const { instantiateStreaming } = WebAssembly;
  /** @type {Promise<never>} */
  const wasmFailed = new Promise((_, reject) => {
    WebAssembly.instantiateStreaming = async (_response, imports) => {
      try {
        return { module, instance: await WebAssembly.instantiate(module, imports) };
      } catch (error) {
        reject(error);
        throw error;
      }
    };
  });
  scope.fetch = async (address) => {
    const isStdlib = String(address) === STDLIB_ADDRESS;
    return new Response(isStdlib ? /** @type {Uint8Array<ArrayBuffer>} */ (stdlib) : null);
  };
  const putBack = () => {
    WebAssembly.instantiateStreaming = instantiateStreaming;
    scope.fetch = fetch;
  };
  return { putBack, wasmFailed };
}

/** Python as it stands ready to answer. */
class Answerer {
  #python;
  #idleRunsLeft = IDLE_RUNS;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #idleTimer;

  /** @param {Awaited<ReturnType<typeof boot>>} python */
  constructor(python) {
    this.#python = python;
    if (python.limited !== null) {
      this.#idleRunsLeft = 0; // it is the reader's, who may have changed what such a run needs
    }
    this.#becomeIdle();
  }

  /**
   * Does one task and posts what comes of it. The arrays change hands instead of being copied once more.
   *
   * @param {number} id
   * @param {Task} task
   */
  reply(id, task) {
    clearTimeout(this.#idleTimer);
    try {
      const { result, arrays } = this.#do(task);
      const buffers = arrays.map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer));
      scope.postMessage({ kind: "answer", id, result }, buffers);
    } catch (error) {
      const isOfPython = error instanceof this.#python.PythonError;
      scope.postMessage(isOfPython ? { kind: "refused", id, reason: detailOf(error) } : crashed(error));
    }
    this.#becomeIdle();
  }

  /**
   * Does a task; the arrays are those in the result.
   *
   * @param {Task} task
   * @returns {{result: Results[keyof Results], arrays: ArrayBufferView[]}}
   */
  #do(task) {
    if (task.kind === "answer") {
      const { report, columns } = this.#run(task.settings);
      return { result: { settings: task.settings, report, columns }, arrays: Object.values(columns) };
    }
    if (task.kind === "intervals") {
      const { rate, pages, limit, shuffle } = task.settings;
      const intervals = /** @type {Intervals} */ (
        taken(this.#python.view.lesson_intervals(rate, pages, limit, shuffle), INTERVAL_NAMES)
      );
      return { result: intervals, arrays: Object.values(intervals) };
    }
    if (task.kind === "edited") {
      const result = this.#runEdited(task);
      const arrays = result.run === null ? [] : [result.run.columns, result.run.intervals].flatMap(Object.values);
      return { result, arrays };
    }
    return { result: this.#python.printTrace.trace(), arrays: [] };
  }

  /** @param {EditedTask} task @returns {Edited} */
  #runEdited({ source, settings }) {
    if (this.#python.limited === null) {
      throw new Error("a reader's program was sent to an interpreter without limits");
    }
    const { edited, deadline, limits } = this.#python.limited;
    const { rate, pages, limit, shuffle } = settings;
    deadline.begin();
    try {
      const result = edited.run_edited(source, rate, pages, limit, shuffle, limits.run_ms, limits.heap_bytes);
      const [text, columns, intervals] = result;
      result.destroy();
      const { report, trouble, printed } = JSON.parse(text);
      const run =
        columns === undefined
          ? null
          : {
              report,
              columns: /** @type {Columns} */ (taken(columns, COLUMN_NAMES)),
              intervals: /** @type {Intervals} */ (taken(intervals, INTERVAL_NAMES)),
            };
      return { settings, printed, trouble, run };
    } finally {
      deadline.end();
    }
  }

  /** @param {Settings} settings */
  #run({ rate, pages, limit, shuffle }) {
    const result = this.#python.view.answer(rate, pages, limit, shuffle);
    const [report, columns] = result;
    result.destroy();
    return { report: JSON.parse(report), columns: /** @type {Columns} */ (taken(columns, COLUMN_NAMES)) };
  }

  #becomeIdle() {
    if (this.#idleRunsLeft > 0) {
      this.#idleTimer = setTimeout(() => this.#runIdly(), IDLE_AFTER_MS);
    }
  }

  /** One heavy run and then the next, with a gap in which a request can come in between. */
  #runIdly() {
    const { RATE_HEAVY: rate, PAGES: pages, LIMIT: limit } = this.#python.lesson;
    try {
      this.#run({ rate, pages, limit, shuffle: 0 });
    } catch (error) {
      scope.postMessage(crashed(error));
      return;
    }
    this.#idleRunsLeft -= 1;
    if (this.#idleRunsLeft > 0) {
      this.#idleTimer = setTimeout(() => this.#runIdly());
    }
  }
}

/**
 * The arrays of a named tuple, taken out of Python.
 *
 * @param {any} proxy
 * @param {readonly string[]} names
 */
function taken(proxy, names) {
  const arrays = proxy.toJs();
  proxy.destroy();
  return Object.fromEntries(names.map((name, at) => [name, arrays[at]]));
}

/** @param {unknown} error @returns {Reply} */
function crashed(error) {
  const cause = isStackOverflow(error) ? "calls or data were nested deeper than this browser's stack: " : "";
  return { kind: "crashed", detail: cause + detailOf(error) };
}

/** @param {unknown} error @returns {Reply} */
function failed(error) {
  if (error instanceof Failed) {
    return { kind: "failed", failure: error.failure };
  }
  const detail = detailOf(error);
  const isOutOfMemory = error instanceof RangeError || detail.startsWith("MemoryError");
  return { kind: "failed", failure: { kind: isOutOfMemory ? "memory" : "python", part: null, detail } };
}

/**
 * What went wrong, in a line: of a Python traceback, which is an error's whole message, the last. What Pyodide
 * throws need not be an Error: its file system throws a name and a number.
 *
 * @param {unknown} error
 */
function detailOf(error) {
  const hasMessage = typeof error === "object" && error !== null && "message" in error && error.message;
  const message = hasMessage ? String(error.message) : describe(error);
  return message.trim().split("\n").at(-1) ?? message;
}

/** @param {unknown} error */
function describe(error) {
  return typeof error === "object" ? JSON.stringify(error) : String(error);
}

/** @type {Answerer | undefined} */
let answerer;

/** @param {MessageEvent<Request>} event */
async function receive({ data }) {
  if (data.kind === "ask") {
    // The page asks for nothing before it has been told that Python is ready.
    answerer?.reply(data.id, data.task);
    return;
  }
  try {
    answerer = new Answerer(await boot(data.parts, data.limits));
    scope.postMessage({ kind: "ready" });
  } catch (error) {
    scope.postMessage(failed(error));
  }
}

scope.onmessage = receive;
