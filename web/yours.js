/**
 * A reader's own version of the program: the editor, which is loaded when it is asked for, its runs, and what came of
 * them beside the lesson's.
 */
import { FIRST_SECONDS } from "./charts/cache-fill.js";
import { canReset, drawYours, followsSettings, statusText } from "./draw-yours.js";
import { Failed } from "./messages.js";
import { sameSettings } from "./settings.js";
import { yours as said } from "./words/yours.js";
import { makeYoursLayout } from "./yours-layout.js";

/** @typedef {import("./draw-yours.js").YoursState} YoursState */
/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Edited} Edited */
/** @typedef {import("./messages.js").Settings} Settings */
/** @typedef {import("./messages.js").Status} Status */

const FILE = "tiny_server.py";
const RERUN_MS = 250; // between a change of the settings and the run that follows it
const REVOKE_MS = 10_000; // by then the browser has taken what is downloaded

/**
 * What the section is given by the page that it stands in.
 *
 * @typedef {object} YoursHost
 * @property {import("./words/languages.js").Words} words
 * @property {string} source the lesson's own tiny_server.py
 * @property {readonly string[]} modules that a reader's program may import
 * @property {import("./messages.js").Limits} limits of a run
 * @property {() => Settings} settings those of the page at this moment
 * @property {(source: string, settings: Settings) => Promise<Edited>} run rejects with a `Failed` if there is no Python
 * @property {() => void} stop ends the run under way
 * @property {() => void} prepare told that another version will be run soon: an interpreter may be started for it
 * @property {() => Status} status how far the Python is that runs it
 * @property {(listener: (status: Status) => void) => void} listen told of each change of that
 * @property {(settings: Settings) => Promise<Answer>} lessonAnswer
 * @property {(edited: Edited | null, lesson: Answer | null) => void} onResult told of each result, with the lesson's
 *   answer to the same settings if there is one; null once there is none any more
 */

/**
 * Puts the section into an element, in place of what is in there.
 *
 * @param {HTMLElement} root
 * @param {YoursHost} host
 * @returns {{settingsChanged: () => void}} to be told when the page's settings have changed
 */
export function mountYours(root, host) {
  const { words, limits } = host;
  const { ownerDocument } = root;
  const view = ownerDocument.defaultView;
  const layout = makeYoursLayout(ownerDocument, {
    words,
    firstSeconds: FIRST_SECONDS,
    limits,
    modules: host.modules,
  });
  root.replaceChildren(layout.root);

  /** @type {YoursState} */
  const state = {
    editor: "closed",
    original: host.source,
    source: host.source,
    canUndo: false,
    canRedo: false,
    isDiffShown: false,
    isRunning: false,
    status: host.status(),
    failure: "",
    result: null,
    span: "first",
  };
  /** @type {Editor | null} */
  let editor = null;
  /** How often the editor could not be loaded. */
  let failedLoads = 0;
  /** What was downloaded last, which need not be warned of. */
  let saved = host.source;
  /** Counts runs and what makes them void, so that a late result can tell. */
  let turn = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rerunTimer;

  function redraw() {
    drawYours(layout, state, { words, limits, settings: host.settings() });
  }

  // ---- The editor ----------------------------------------------------------------------------------------------

  async function openEditor() {
    if (state.editor === "loading") {
      return;
    }
    state.editor = "loading";
    redraw();
    const script = await loadEditor(failedLoads).catch(() => null);
    if (script === null) {
      failedLoads += 1;
      state.editor = "missing";
      redraw();
      return;
    }
    editor = script.makeEditor(layout.editorHost, {
      source: state.source,
      label: said.editor,
      help: said.editorHelp,
      onChange: sourceChanged,
      onRun: run,
    });
    state.editor = "open";
    host.prepare();
    redraw();
    editor.focus();
  }

  /** @param {string} source */
  function sourceChanged(source) {
    state.source = source;
    state.canUndo = editor?.canUndo() ?? false;
    state.canRedo = editor?.canRedo() ?? false;
    if (source !== state.result?.source) {
      host.prepare();
    }
    guardLeaving();
    redraw();
  }

  /** The browser asks before edits are lost. @param {Event} event */
  const warn = (event) => event.preventDefault();

  /** A page that listens for its end without need is kept from being shown again at once. */
  function guardLeaving() {
    view?.removeEventListener("beforeunload", warn);
    if (state.source !== state.original && state.source !== saved) {
      view?.addEventListener("beforeunload", warn);
    }
  }

  // ---- Runs ----------------------------------------------------------------------------------------------------

  function run() {
    if (!state.isRunning) {
      runSource(state.source);
    }
  }

  /** Runs a version of the program under the page's settings. @param {string} source */
  async function runSource(source) {
    turn += 1;
    const thisTurn = turn;
    const settings = host.settings();
    state.isRunning = true;
    state.failure = "";
    redraw();
    // The lesson's answer is asked for at the same time; without it yours stands alone.
    const asked = host.lessonAnswer(settings).catch(() => null);
    /** @type {Edited | null} */
    let edited = null;
    let failure = "";
    try {
      edited = await host.run(source, settings);
    } catch (error) {
      failure = error instanceof Failed ? words.failures[error.failure.kind](error.failure) : String(error);
    }
    const lesson = await asked;
    if (thisTurn === turn) {
      state.failure = failure;
      finish(edited && { source, edited, lesson });
    }
  }

  /** @param {import("./draw-yours.js").Result | null} result */
  function finish(result) {
    state.isRunning = false;
    state.result = result;
    redraw();
    layout.spoken.textContent = statusText(state, words, limits);
    const trouble = result?.edited.trouble ?? null;
    editor?.markLine(result?.source === state.source && trouble !== null ? trouble.line : null, trouble?.message ?? "");
    host.onResult(result?.edited ?? null, result?.lesson ?? null);
    runForNewSettings();
  }

  /** Runs what was run under other settings again, if it is to follow them. */
  function runForNewSettings() {
    const { result, isRunning } = state;
    const isNew = result !== null && !sameSettings(result.edited.settings, host.settings());
    if (isNew && !isRunning && followsSettings(result)) {
      runSource(result.source);
    }
  }

  /** A slider that is being moved is followed by some runs, not by hundreds. */
  function settingsChanged() {
    redraw();
    rerunTimer ??= setTimeout(() => {
      rerunTimer = undefined;
      runForNewSettings();
    }, RERUN_MS);
  }

  function resetProgram() {
    if (!canReset(state)) {
      return;
    }
    turn += 1;
    if (state.isRunning) {
      host.stop();
    }
    state.isRunning = false;
    state.failure = "";
    state.result = null;
    editor?.setSource(state.original);
    editor?.markLine(null, "");
    host.onResult(null, null);
    redraw();
    editor?.focus();
  }

  function download() {
    const address = URL.createObjectURL(new Blob([state.source], { type: "text/x-python" }));
    const link = layout.make("a", { href: address, download: FILE });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), REVOKE_MS);
    saved = state.source;
    guardLeaving();
  }

  // ---- The reader's hand ---------------------------------------------------------------------------------------

  layout.open.addEventListener("click", openEditor);
  layout.run.addEventListener("click", run);
  layout.reset.addEventListener("click", resetProgram);
  layout.undo.addEventListener("click", () => editor?.undo());
  layout.redo.addEventListener("click", () => editor?.redo());
  layout.download.addEventListener("click", download);
  layout.showChanges.addEventListener("click", () => {
    state.isDiffShown = !state.isDiffShown;
    editor?.showDiff(state.isDiffShown);
    redraw();
  });
  layout.goToLine.addEventListener("click", () => {
    const line = state.result?.edited.trouble?.line ?? null;
    if (line !== null) {
      editor?.goToMark(line);
    }
  });
  for (const radio of layout.spans) {
    radio.addEventListener("change", () => {
      state.span = radio.value === "whole" ? "whole" : "first";
      redraw();
    });
  }

  host.listen((status) => {
    state.status = status;
    redraw();
  });
  const widths = new ResizeObserver(() => requestAnimationFrame(redraw));
  widths.observe(layout.waitsFigure);
  widths.observe(layout.cacheFigure);
  redraw();

  return { settingsChanged };
}

/**
 * The editor's script. Some browsers remember for ever that an address failed, so a new try gets a new one.
 *
 * @param {number} failures so far
 * @returns {Promise<typeof import("./editor.js")>}
 */
function loadEditor(failures) {
  const address = new URL(EDITOR_SCRIPT, import.meta.url);
  address.search = failures === 0 ? "" : `?try=${failures + 1}`;
  return import(address.href);
}
