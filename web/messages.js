/**
 * All that passes between the page and its worker. A request carries an id, and its reply carries the same one.
 *
 * @typedef {import("./settings.js").Settings} Settings
 *
 * @typedef {"idle" | "download" | "start" | "ready" | "failed"} Stage
 *
 * How Python stands. Bytes are those of the files, without the compression of a transfer.
 * @typedef {{stage: Stage, loaded_bytes: number, total_bytes: number, failure: Failure | null}} Status
 *
 * @typedef {"none" | "cache" | "batch" | "both"} Wall
 *
 * A report as `tinyserve.report` gives it; seconds in ..._s, null where nothing was measured.
 * @typedef {object} Report
 * @property {number} ttft_p50_s
 * @property {number} ttft_p99_s
 * @property {number | null} tbt_p50_s
 * @property {number | null} tbt_p99_s
 * @property {number | null} tpot_p50_s
 * @property {number | null} tpot_p99_s
 * @property {number} queue_max
 * @property {number} pages_max
 * @property {number | null} cache_full_s
 * @property {number} cache_steps
 * @property {number} batch_steps
 * @property {number} steps
 * @property {number} chats_per_s
 * @property {Wall} wall
 *
 * One entry for each step in every column: `tinyserve.view.Columns`, copied out of Python once and then handed over.
 * @typedef {object} Columns
 * @property {Float64Array} start_s
 * @property {Float64Array} end_s
 * @property {Int32Array} promised
 * @property {Int32Array} held
 * @property {Int32Array} queue
 * @property {Int32Array} stepped
 * @property {Int32Array} cache_held_out
 * @property {Int32Array} batch_held_out
 *
 * An answer; `isFromBuild` where it was computed when the page was made, and not by the page's own Python.
 * @typedef {{settings: Settings, report: Report, columns: Columns, isFromBuild?: boolean}} Answer
 *
 * What is shown at first: the answer to the lesson's settings, and the light load beside it. In JSON the columns are
 * plain lists.
 * @typedef {{chosen: Answer, light: {settings: Settings, report: Report}}} FirstAnswer
 * @typedef {{chosen: {settings: Settings, report: Report, columns: Record<string, number[]>},
 *   light: {settings: Settings, report: Report}}} PlainFirstAnswer
 *
 * Who was where in a run, from which step to which: `tinyserve.view.Intervals`.
 * @typedef {object} Intervals
 * @property {Float64Array} sent_s
 * @property {Int32Array} prompt_tokens
 * @property {Int32Array} reply_tokens
 * @property {Int32Array} promise
 * @property {Int32Array} sent_step
 * @property {Int32Array} joined_step
 * @property {Int32Array} last_step
 * @property {Int32Array} is_served
 * @property {Int32Array} page
 * @property {Int32Array} page_chat
 * @property {Int32Array} page_from
 * @property {Int32Array} page_to
 *
 * What can be asked of Python, and what comes back: an `Answer`, `Intervals`, the lesson's trace as text, or how a
 * reader's own tiny_server.py fared.
 * @typedef {{kind: "answer", settings: Settings}} AnswerTask
 * @typedef {{kind: "intervals", settings: Settings}} IntervalsTask
 * @typedef {{kind: "trace"}} TraceTask
 * @typedef {{kind: "edited", source: string, settings: Settings}} EditedTask
 * @typedef {AnswerTask | IntervalsTask | TraceTask | EditedTask} Task
 * @typedef {{answer: Answer, intervals: Intervals, trace: string, edited: Edited}} Results
 *
 * What went wrong in a reader's program: the kind of trouble, the reader's own line where it was, the message in plain
 * words, and the whole traceback without frames that are not the reader's.
 * @typedef {{kind: "syntax" | "exception" | "endless" | "memory" | "broken", line: number | null, message: string,
 *   traceback: string}} Trouble
 *
 * How a reader's program fared. Where it broke off midway, `run` is what it had done until then, without a report;
 * `run` is null where there is nothing to draw.
 * @typedef {{settings: Settings, printed: string, trouble: Trouble | null,
 *   run: {report: Report | null, columns: Columns, intervals: Intervals} | null}} Edited
 *
 * Page to worker: once what Python is started from, and then one task at a time. An interpreter for a reader's own code
 * has limits: milliseconds of a run and bytes of Python's memory.
 * @typedef {{module: WebAssembly.Module, stdlib: Uint8Array, wheel: Uint8Array}} BootParts
 * @typedef {{run_ms: number, heap_bytes: number}} Limits
 * @typedef {{kind: "boot", parts: BootParts, limits: Limits | null}} BootMessage
 * @typedef {{kind: "ask", id: number, task: Task}} AskMessage
 * @typedef {BootMessage | AskMessage} Request
 *
 * Worker to page: "failed" ends a start, "refused" is Python's own exception, after "crashed" nothing more comes.
 * @typedef {{kind: "ready"}} ReadyMessage
 * @typedef {{kind: "failed", failure: Failure}} FailedMessage
 * @typedef {{kind: "answer", id: number, result: Results[keyof Results]}} AnswerMessage
 * @typedef {{kind: "refused", id: number, reason: string}} RefusedMessage
 * @typedef {{kind: "crashed", detail: string}} CrashedMessage
 * @typedef {ReadyMessage | FailedMessage | AnswerMessage | RefusedMessage | CrashedMessage} Reply
 *
 * What has to be fetched before Python can start.
 * @typedef {"worker" | "wasm" | "stdlib" | "wheel"} PartName
 *
 * Why there is no Python; `part` is the part that is to blame, null if none is.
 * @typedef {{kind: FailureKind, part: PartName | null, detail: string}} Failure
 *
 * @typedef {"missing" | "unreachable" | "cut-off" | "damaged" | "updated" | "policy" | "old-browser" | "memory"
 *   | "silent" | "crashed" | "mismatch" | "python"} FailureKind
 * missing: the host has no such file; unreachable: the host gave no answer, or one of trouble; cut-off: the file ended
 * too early; damaged: it is another file than the one built; updated: the same, and the page is no longer this one;
 * policy: the site's Content-Security-Policy forbids what Python needs; old-browser: the browser lacks a feature;
 * memory: the browser gives none; silent: no sign for too long; crashed: the worker died; mismatch: wheel and page
 * are of different builds; python: any other exception of the start.
 */

/** An error that carries a failure. */
export class Failed extends Error {
  /** @param {FailureKind} kind @param {PartName | null} part @param {string} detail */
  constructor(kind, part, detail) {
    super(detail);
    /** @type {Failure} */
    this.failure = { kind, part, detail };
  }
}

/** The columns in the order in which `tinyserve.view.Columns` holds them. */
export const COLUMN_NAMES = /** @type {const} */ ([
  "start_s",
  "end_s",
  "promised",
  "held",
  "queue",
  "stepped",
  "cache_held_out",
  "batch_held_out",
]);

/** The intervals in the order in which `tinyserve.view.Intervals` holds them. */
export const INTERVAL_NAMES = /** @type {const} */ ([
  "sent_s",
  "prompt_tokens",
  "reply_tokens",
  "promise",
  "sent_step",
  "joined_step",
  "last_step",
  "is_served",
  "page",
  "page_chat",
  "page_from",
  "page_to",
]);

/** @typedef {typeof INTERVAL_NAMES[number]} IntervalName */

/** The columns and intervals of seconds; all others count. @type {ReadonlySet<string>} */
const SECONDS = new Set(["start_s", "end_s", "sent_s"]);

/**
 * The first answer with its columns as the worker would send them.
 *
 * @param {PlainFirstAnswer} plain
 * @returns {FirstAnswer}
 */
export function typedAnswer({ chosen, light }) {
  return { chosen: { ...chosen, columns: /** @type {Columns} */ (typed(COLUMN_NAMES, chosen.columns)) }, light };
}

/** Intervals as the worker would send them. @param {Record<IntervalName, number[]>} plain @returns {Intervals} */
export function typedIntervals(plain) {
  return /** @type {Intervals} */ (typed(INTERVAL_NAMES, plain));
}

/** @param {readonly string[]} names @param {Record<string, number[]>} lists */
function typed(names, lists) {
  return Object.fromEntries(
    names.map((name) => [name, (SECONDS.has(name) ? Float64Array : Int32Array).from(lists[name])]),
  );
}
