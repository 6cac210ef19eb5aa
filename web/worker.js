/**
 * The worker: boots Pyodide with the wheel and answers requests with `tinyserve.view.answer`.
 */
import { loadPyodide } from "pyodide";
import { COLUMN_NAMES } from "./messages.js";

/** @typedef {import("./messages.js").Reply} Reply */
/** @typedef {import("./messages.js").Request} Request */
/** @typedef {import("./messages.js").Columns} Columns */

/** This file is checked with the page's types, in which `self` is a window; here it is a worker's scope. */
const scope = /** @type {{postMessage(message: Reply, transfer?: Transferable[]): void,
  onmessage: ((event: MessageEvent<Request>) => void) | null}} */ (/** @type {unknown} */ (self));

/**
 * Boots Python. Throws if any part is missing, damaged or of another version than this file.
 *
 * @returns {Promise<any>} the Python module `tinyserve.view`
 */
async function boot() {
  scope.postMessage({ kind: "stage", stage: "download" });
  const wasmFailed = watchWasm();
  const indexURL = new URL("./pyodide/", import.meta.url).href;
  const python = await Promise.race([loadPyodide({ indexURL, packages: ["tinyserve"] }), wasmFailed]);

  // A wheel that is missing or has the wrong hash only logs an error while Pyodide loads; importing it tells.
  const version = python.pyimport("tinyserve").__version__;
  if (version !== TINYSERVE_VERSION) {
    throw new Error(`the wheel is of version ${version}, the page of version ${TINYSERVE_VERSION}`);
  }
  const view = python.pyimport("tinyserve.view");
  const columns = view.Columns._fields.toJs().join(" ");
  if (columns !== COLUMN_NAMES.join(" ")) {
    throw new Error(`the wheel's columns are ${columns}, the page's ${COLUMN_NAMES.join(" ")}`);
  }
  return view;
}

/**
 * Says "start" once the WebAssembly part has arrived. Pyodide waits for ever if it cannot be compiled, so
 * the promise that this returns is rejected then; it never resolves.
 *
 * @returns {Promise<never>}
 */
function watchWasm() {
  const instantiate = WebAssembly.instantiateStreaming;
  return new Promise((_, reject) => {
    WebAssembly.instantiateStreaming = async (source, imports) => {
      try {
        const result = await instantiate(source, imports);
        scope.postMessage({ kind: "stage", stage: "start" });
        return result;
      } catch (error) {
        reject(error);
        throw error;
      }
    };
  });
}

/**
 * Serves one request and posts its reply. The columns change hands instead of being copied once more.
 *
 * @param {any} view the Python module
 * @param {Request} request
 */
function reply(view, { id, settings }) {
  try {
    const { rate, pages, limit, shuffle } = settings;
    const result = view.answer(rate, pages, limit, shuffle);
    const [report, arrays] = result.toJs();
    result.destroy();
    const columns = /** @type {Columns} */ (
      Object.fromEntries(COLUMN_NAMES.map((name, at) => [name, arrays[at]]))
    );
    const answer = { settings, report: JSON.parse(report), columns };
    const buffers = COLUMN_NAMES.map((name) => /** @type {ArrayBuffer} */ (columns[name].buffer));
    scope.postMessage({ kind: "answer", id, answer }, buffers);
  } catch (error) {
    scope.postMessage({ kind: "error", id, reason: reasonOf(error) });
  }
}

/** What went wrong, in a line: of a Python traceback, which is an error's whole message, the last. @param {unknown} error */
function reasonOf(error) {
  const hasMessage = typeof error === "object" && error !== null && "message" in error && error.message;
  const message = hasMessage ? String(error.message) : `a part of Python is missing or damaged (${describe(error)})`;
  return message.trim().split("\n").at(-1) ?? message;
}

/** What Pyodide throws need not be an Error: its file system throws a name and a number. @param {unknown} error */
function describe(error) {
  return typeof error === "object" ? JSON.stringify(error) : String(error);
}

// The page asks for nothing before it has been told that Python is ready.
boot().then(
  (view) => {
    scope.onmessage = ({ data }) => reply(view, data);
    scope.postMessage({ kind: "stage", stage: "ready" });
  },
  (error) => scope.postMessage({ kind: "failed", reason: reasonOf(error) }),
);
