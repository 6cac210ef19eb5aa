/**
 * The state of the widget and what follows from it. Nothing in here touches the page.
 */
import { axisEnds } from "./axis-ends.js";
import { LIGHT_RATE, SETTINGS, sameSettings } from "./settings.js";

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Report} Report */
/** @typedef {import("./messages.js").Status} Status */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./settings.js").SettingKey} SettingKey */
/** @typedef {import("./messages.js").FirstAnswer} FirstAnswer */
/** @typedef {{report: Report, isFromBuild: boolean}} LightRun */

/**
 * All that is kept; whatever else is shown is derived from it.
 *
 * @typedef {object} State
 * @property {Settings} settings what the sliders say
 * @property {ReadonlySet<SettingKey>} locked settings that the reader cannot change
 * @property {Status} status how far Python is
 * @property {Answer} answer the newest answer; at first the one that was computed when the page was made
 * @property {boolean} isPainted whether that answer has been painted
 * @property {Answer | null} ghost the answer that stood when the last change began, shown faintly
 * @property {{settings: Settings, reason: string} | null} refused settings that Python gave no answer to
 * @property {Map<string, LightRun>} lightRuns runs at the light load, by all that is set beside the rate
 * @property {Report | null} shownLight the light report on the screen, dimmed while the next is awaited
 * @property {boolean} isHeld whether a slider is being dragged
 * @property {import("./axis-ends.js").Ends} ends where the axes end
 * @property {"first" | "whole"} span the time that the chart of the cache shows
 * @property {number | null} cursor_s the moment that another part of the page is at; null if there is none
 * @property {boolean} areTablesOpen whether the charts are shown as tables too
 * @property {string} note what is said of the reader's last number
 */

/**
 * @param {FirstAnswer} first what was computed when the page was made
 * @param {Settings} settings what the sliders say at first
 * @param {ReadonlySet<SettingKey>} locked
 * @returns {State}
 */
export function startState(first, settings, locked) {
  const answer = { ...first.chosen, isFromBuild: true };
  return {
    settings,
    locked,
    status: { stage: "idle", loaded_bytes: 0, total_bytes: 0, failure: null },
    answer,
    isPainted: true,
    ghost: null,
    refused: null,
    lightRuns: new Map([[besideTheRate(first.light.settings), { report: first.light.report, isFromBuild: true }]]),
    shownLight: first.light.report,
    isHeld: false,
    ends: axisEnds(neededEnds([answer], [answer.report, first.light.report]), null, false),
    span: "first",
    cursor_s: null,
    areTablesOpen: false,
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
  const { status, settings, answer, isPainted, refused } = state;
  const isChosen = answer.isFromBuild === true || !sameSettings(answer.settings, settings);
  const wanted = isChosen ? settings : { ...settings, rate: LIGHT_RATE };
  const light = state.lightRuns.get(besideTheRate(settings));
  const isDone = !isChosen && (!isPainted || light?.isFromBuild === false);
  const isRefused = refused !== null && sameSettings(refused.settings, wanted);
  return status.stage !== "ready" || isDone || isRefused ? null : { settings: wanted, isChosen };
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
    state.lightRuns.set(besideTheRate(answer.settings), { report: answer.report, isFromBuild: false });
  }
  if (isChosen) {
    state.answer = answer;
    state.isPainted = false;
  }
  state.shownLight = lightReport(state, state.answer.settings) ?? state.shownLight;
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
 * Takes new values of all settings but those that are locked. It is one change, as a drag is.
 *
 * @param {State} state
 * @param {Settings} settings
 */
export function chooseAll(state, settings) {
  for (const { key } of SETTINGS) {
    if (!state.locked.has(key) && state.settings[key] !== settings[key]) {
      choose(state, key, settings[key]);
    }
  }
  state.note = "";
  release(state);
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
  return state.lightRuns.get(besideTheRate(settings))?.report;
}

/**
 * The ghost, unless it is the answer itself.
 *
 * @param {State} state
 */
export function visibleGhost({ ghost, answer }) {
  return ghost !== null && !sameSettings(ghost.settings, answer.settings) ? ghost : null;
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
  const ghost = visibleGhost(state);
  const shown = ghost === null ? [state.answer] : [state.answer, ghost];
  const reports = shown.map(({ report }) => report);
  const loads = state.shownLight === null ? reports : [...reports, state.shownLight];
  state.ends = axisEnds(neededEnds(shown, loads), state.ends, state.isHeld);
}

/**
 * What has to fit under the ends of the axes.
 *
 * @param {Answer[]} shown
 * @param {Report[]} loads those of the two waits
 * @returns {import("./axis-ends.js").Ends}
 */
export function neededEnds(shown, loads) {
  return {
    firstWord_s: Math.max(...loads.map(({ ttft_p99_s }) => ttft_p99_s)),
    gap_ms: Math.max(...loads.map(({ tbt_p99_s }) => (tbt_p99_s ?? 0) * 1000)),
    pages: Math.max(...shown.map(({ settings }) => settings.pages)),
    queue: Math.max(...shown.map(({ report }) => report.queue_max)),
    batch: Math.max(...shown.map(({ settings }) => settings.limit)),
    wholeRun_s: Math.max(...shown.map(({ columns }) => columns.end_s[columns.end_s.length - 1])),
  };
}
