/**
 * All that is said around the editor. The lesson is English, and so is this.
 */
import { numbersOf } from "../format.js";

/** @typedef {import("../messages.js").Limits} Limits */
/** @typedef {import("../messages.js").Trouble} Trouble */

const { grouped, short } = numbersOf("en");

const seconds = (/** @type {number} */ ms) => `${short(ms / 1000)}\u00a0s`;
const mebibytes = (/** @type {number} */ bytes) => `${grouped(bytes / 2 ** 20)}\u00a0MiB`;
const atLine = (/** @type {number | null} */ line) => (line === null ? "" : ` at line ${grouped(line)}`);

export const yours = {
  title: "Your program",
  open: "Edit this program",
  promise: (/** @type {Limits} */ { run_ms, heap_bytes }) =>
    `It runs here, in a Python of its own: a run may take ${seconds(run_ms)} and ${mebibytes(heap_bytes)} of memory. ` +
    "What you write is not stored and goes nowhere, unless you download it.",
  loading: "The editor is loading …",
  notLoaded: "The editor could not be loaded. See whether you are online, then try again.",

  // The editor
  editor: "Your tiny_server.py",
  editorHelp:
    "Tab indents. To leave the editor press Esc, then Tab. Ctrl-Enter runs the program, on a Mac also Cmd-Enter.",

  // The buttons
  tools: "Your program",
  run: "Run",
  reset: "Back to the lesson’s",
  showChanges: "Show changes",
  undo: "Undo",
  redo: "Redo",
  download: "Download your version",
  modules: "Modules that you can import",

  // How it stands
  notRun: "Not run yet. Change a line and run it.",
  isOriginal: "This is the lesson’s program.",
  running: "Running …",
  ran: (/** @type {string} */ settings) => `Ran in the page: ${settings}.`,
  under: (/** @type {string} */ settings) => `Settings: ${settings}.`,
  unavailable: "Your program could not be run.",
  programChanged: "Your program has changed since: this is what an earlier version did.",
  settingsChanged: "The settings have changed since: run it again.",

  // What went wrong
  /** @type {Record<Trouble["kind"], (line: number | null, limits: Limits) => string>} */
  stopped: {
    syntax: (line) => `Not run: Python cannot read it${atLine(line)}.`,
    exception: (line) => `Broke off${atLine(line)}.`,
    endless: (line, { run_ms }) =>
      line === null
        ? `Stopped: it did not end within ${seconds(run_ms)}.`
        : `Stopped after ${seconds(run_ms)}${atLine(line)}.`,
    memory: (line) => `Stopped${atLine(line)}: too much memory.`,
    broken: (line) => `Ran, but what it gave back cannot be shown${atLine(line)}.`,
  },
  line: (/** @type {number} */ line) => `Line ${grouped(line)}`,
  goToLine: (/** @type {number} */ line) => `Go to line ${grouped(line)}`,
  traceback: "The whole traceback",
  uninterruptible: (/** @type {number} */ run_ms) =>
    `After ${seconds(run_ms)} it could still not be interrupted, so its Python was ended. The next run gets a new one.`,
  refused: (/** @type {string} */ detail) =>
    `It changed something in Python that the page needs to tell what came of it (${detail}). ` +
    "The next run gets a new Python.",
  crashed:
    "Its Python broke down: for want of memory, because calls or data were nested too deep, or because the program " +
    "ended it. " +
    "The next run gets a new one.",
  console: "Printed",
  nothingPrinted: "Nothing was printed.",

  // The results
  results: "The lesson’s and yours",
  lesson: "lesson’s",
  yours: "yours",
  lessonSays: "The lesson’s",
  yoursSays: "Yours",
  brokeOff: (/** @type {string} */ at, /** @type {string} */ steps) =>
    `Broke off at ${at}\u00a0s, after ${steps}. What follows is up to there.`,
  allTheSame: "Every figure is the same as the lesson’s.",
  /** What stands before a figure that is not the lesson's, and how it is read aloud.
   * @type {Record<"more" | "less" | "other", {sign: string, spoken: string}>} */
  changes: {
    more: { sign: "▲", spoken: "more than the lesson’s" },
    less: { sign: "▼", spoken: "less than the lesson’s" },
    other: { sign: "≠", spoken: "not as the lesson’s" },
  },
  asLong: "as long as the lesson’s",
  equal: { grew: "Just as long", than: "as the lesson’s" },
  shorter: "shorter than the lesson’s",
  waits: "The two waits: the lesson’s and yours",
  cache: "How the cache fills in yours",
  thinLine: "Thin line: the lesson’s program, at the same settings",
};
