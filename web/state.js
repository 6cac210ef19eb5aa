/**
 * The state of the widget and what follows from it. Nothing in here touches the page.
 */
import { axisEnds } from "./axis-ends.js";
import { LIGHT_RATE, sameSettings, startSettings } from "./settings.js";

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Report} Report */
/** @typedef {import("./messages.js").Stage} Stage */
/** @typedef {import("./settings.js").Settings} Settings */

/**
 * All that is kept; whatever else is shown is derived from it.
 *
 * @typedef {object} State
 * @property {Settings} settings what the sliders say
 * @property {Stage} stage
 * @property {string} failure why Python failed
 * @property {Answer | null} answer the newest answer
 * @property {boolean} isPainted whether that answer has been painted
 * @property {Answer | null} ghost the answer that stood when the last change began, shown faintly
 * @property {{settings: Settings, reason: string} | null} refused settings that Python gave no answer to
 * @property {Map<string, Report>} lightReports reports of the light load, by all that is set beside the rate
 * @property {Report | null} shownLight the light report on the screen, dimmed while the next is awaited
 * @property {boolean} isHeld whether a slider is being dragged
 * @property {import("./axis-ends.js").Ends | null} ends where the axes end
 * @property {"first" | "whole"} span the time that the chart of the cache shows
 * @property {string} note what is said of the reader's last number
 */

/** @returns {State} */
export function startState() {
  return {
    settings: startSettings(),
    stage: "idle",
    failure: "",
    answer: null,
    isPainted: false,
    ghost: null,
    refused: null,
    lightReports: new Map(),
    shownLight: null,
    isHeld: false,
    ends: null,
    span: "first",
    note: "",
  };
}

/**
 * The run that Python should do next: the chosen one until it is answered, then, once that is painted, the light
 * run it is set beside; null if there is nothing to do. What was refused is not asked for again.
 *
 * @param {State} state
 * @returns {{settings: Settings, isChosen: boolean} | null}
 */
export function nextRequest(state) {
  const { stage, settings, answer, isPainted, refused } = state;
  const isChosen = answer === null || !sameSettings(answer.settings, settings);
  const wanted = isChosen ? settings : { ...settings, rate: LIGHT_RATE };
  const isDone = !isChosen && (!isPainted || lightReport(state, settings) !== undefined);
  const isRefused = refused !== null && sameSettings(refused.settings, wanted);
  return stage !== "ready" || isDone || isRefused ? null : { settings: wanted, isChosen };
}

/**
 * Takes an answer: as the newest one, unless it is that of a light run, and as a light run if it is one.
 *
 * @param {State} state
 * @param {Answer} answer
 * @param {boolean} isChosen whether the reader chose these settings
 */
export function acceptAnswer(state, answer, isChosen) {
  if (answer.settings.rate === LIGHT_RATE) {
    state.lightReports.set(besideTheRate(answer.settings), answer.report);
  }
  if (isChosen) {
    state.answer = answer;
    state.isPainted = false;
  }
  if (state.answer !== null) {
    state.shownLight = lightReport(state, state.answer.settings) ?? state.shownLight;
  }
  settleEnds(state);
}

/**
 * Takes a new value of a setting. A change that begins anew makes the answer on the screen the ghost.
 *
 * @param {State} state
 * @param {import("./settings.js").SettingKey} key
 * @param {number} value
 */
export function choose(state, key, value) {
  if (!state.isHeld) {
    state.ghost = state.answer;
    state.isHeld = true;
  }
  state.settings = { ...state.settings, [key]: value };
  state.refused = null;
  state.note = "";
}

/**
 * The slider has been let go: the axes may shrink again.
 *
 * @param {State} state
 */
export function release(state) {
  state.isHeld = false;
  settleEnds(state);
}

/**
 * The report of the light load beside which a run is set, undefined if it has not been made yet.
 *
 * @param {State} state
 * @param {Settings} settings
 */
export function lightReport(state, settings) {
  return state.lightReports.get(besideTheRate(settings));
}

/**
 * The ghost, unless it is the answer itself.
 *
 * @param {State} state
 */
export function visibleGhost({ ghost, answer }) {
  return ghost !== null && answer !== null && !sameSettings(ghost.settings, answer.settings) ? ghost : null;
}

/** @param {Settings} settings */
function besideTheRate({ pages, limit, shuffle }) {
  return `${pages} ${limit} ${shuffle}`;
}

/**
 * Fits the axes to all that is shown, the ghost included.
 *
 * @param {State} state
 */
function settleEnds(state) {
  if (state.answer === null) {
    return;
  }
  const ghost = visibleGhost(state);
  const shown = ghost === null ? [state.answer] : [state.answer, ghost];
  const reports = shown.map(({ report }) => report);
  const loads = state.shownLight === null ? reports : [...reports, state.shownLight];
  const needed = {
    firstWord_s: Math.max(...loads.map(({ ttft_p99_s }) => ttft_p99_s)),
    gap_ms: Math.max(...loads.map(({ tbt_p99_s }) => (tbt_p99_s ?? 0) * 1000)),
    pages: Math.max(...shown.map(({ settings }) => settings.pages)),
    queue: Math.max(...reports.map(({ queue_max }) => queue_max)),
    batch: Math.max(...shown.map(({ settings }) => settings.limit)),
    wholeRun_s: Math.max(...shown.map(({ columns }) => columns.end_s[columns.end_s.length - 1])),
  };
  state.ends = axisEnds(needed, state.ends, state.isHeld);
}
