/**
 * All that the widget says, in English. A translation is one file like this one, added to words/languages.js.
 */
import { numbersOf } from "../format.js";

/** @typedef {import("../messages.js").Failure} Failure */
/** @typedef {import("../messages.js").PartName} PartName */
/** @typedef {import("../settings.js").Setting} Setting */
/** @typedef {import("../settings.js").Settings} Settings */

const numbers = numbersOf("en");
const { grouped, short } = numbers;

/** A number and what follows it stay on one line. @param {string} figure @param {string} unit */
const together = (figure, unit) => `${figure}\u00a0${unit}`;

/** counted(1, "step") is "1 step", counted(2, "step") is "2 steps". @param {number} count @param {string} noun */
const counted = (count, noun) => together(grouped(count), count === 1 ? noun : `${noun}s`);

/** @param {Settings} settings */
const inWords = ({ rate, pages, limit, shuffle }) => {
  const order = shuffle === 0 ? "" : `, order ${shuffle}`;
  return `${counted(rate, "chat")} a second, ${counted(pages, "page")}, ${counted(limit, "chat")} per step${order}`;
};

/** @type {Record<PartName, string>} */
const PARTS = { worker: "The worker’s script", wasm: "Python itself", stdlib: "Python’s library", wheel: "The program" };

/** The part that is to blame. @param {Failure} failure */
const blamed = ({ part }) => (part === null ? "A file" : PARTS[part]);

const megabytes = (/** @type {number} */ bytes) => numbers.fixed(bytes / 1e6, 1);

export const en = {
  language: "en",
  numbers,
  inWords,

  // What never changes
  title: "tinyserve: see why a model server makes people wait",
  heading: "A tiny model server under load: drag a slider and see what makes people wait",
  settingsForm: "Settings",
  moreSettings: "More settings",
  reset: "Reset",
  copyLink: "Copy link",
  clipboard: "The clipboard",
  measured: "What was measured",
  unit: "Unit",
  twoWaits: "The two waits",
  twoWaitsRule: "99 of 100 waits are no longer than the bar (p99)",
  cacheFill: "How the cache fills",
  timeShown: "Time shown",
  tables: "The charts as tables",

  /** @type {Record<keyof Settings, {name: string, unit: string, inWords: (value: number) => string}>} */
  settings: {
    rate: { name: "Chats a second", unit: "chats/s", inWords: (value) => `${counted(value, "chat")} a second` },
    pages: { name: "Cache pages", unit: "pages", inWords: (value) => counted(value, "page") },
    limit: { name: "Chats per step", unit: "chats", inWords: (value) => `${counted(value, "chat")} per step` },
    shuffle: { name: "Shuffle the chats", unit: "order", inWords: (value) => `order ${value}` },
  },

  // What is said of the program's life
  status: {
    fromBuild: "Computed when this page was made.",
    other: (/** @type {Settings} */ settings) => `Shown: ${inWords(settings)}.`,
    idle: "Python starts when this comes into view.",
    download: (/** @type {number} */ loaded_bytes, /** @type {number} */ total_bytes) =>
      `Python is loading: ${megabytes(loaded_bytes)} of ${together(megabytes(total_bytes), "MB")}`,
    start: "Python is starting …",
    ready: "Every answer is computed by Python, in this page.",
  },
  standing: (/** @type {Settings} */ settings) => `What is shown is the answer to ${inWords(settings)}.`,
  retry: "Try again",
  reload: "Reload the page",
  failed: "Python could not be started in this page.",
  stopped: "Python has stopped in this page.",

  /** What went wrong and what to do, by the kind of failure. @type {Record<Failure["kind"], (failure: Failure) => string>} */
  failures: {
    missing: (failure) =>
      `${blamed(failure)} is missing on the server. Whoever keeps the site can copy the folder anew.`,
    unreachable: (failure) => `${blamed(failure)} could not be fetched. See whether you are online, then try again.`,
    "cut-off": (failure) =>
      `${blamed(failure)} arrived only in part. Try again; if that does not help, the copy on the server is cut off.`,
    damaged: (failure) =>
      `${blamed(failure)} arrived damaged. Try again; if that does not help, the copy on the server is damaged.`,
    updated: () => "This page has been updated since you opened it. Reload it to get the new one.",
    policy: () =>
      "The site’s security policy keeps Python from running. Whoever keeps the site has to allow 'wasm-unsafe-eval' in " +
      "script-src and blob: in worker-src.",
    "old-browser": () => "This browser is too old for Python. Update it or take another one.",
    memory: () => "The browser did not give this page the memory that Python needs. Close other tabs, then try again.",
    silent: () => "Python gave no sign of life any more. Try again.",
    crashed: () => "Python broke off. Try again.",
    mismatch: () => "The parts of this page are of different versions. Whoever keeps the site can copy the folder anew.",
    python: () => "Python broke off while it started. Try again.",
  },

  // What is said of the reader's hand
  outOfRange: (/** @type {string} */ name, /** @type {Setting} */ { min, max, step }, /** @type {number} */ taken) =>
    `${name}: ${grouped(min)} to ${grouped(max)}${step === 1 ? "" : ` in steps of ${step}`}; set to ${grouped(taken)}.`,
  notANumber: (/** @type {string} */ name, /** @type {number} */ taken) =>
    `${name}: not a number; it stays at ${grouped(taken)}.`,
  ignored: (/** @type {string} */ name, /** @type {readonly string[]} */ known) =>
    `${name}: only ${known.slice(0, -1).join(", ")} or ${known[known.length - 1]}; anything else is ignored.`,
  locked: (/** @type {string} */ name, /** @type {number} */ value) =>
    `${name}: locked in this page; it stays at ${grouped(value)}.`,
  linkCopied: "The link is on your clipboard.",
  linkToCopy: "The link to copy:",
  before: (/** @type {Settings} */ settings) => `Thin line: before, with ${inWords(settings)}`,

  // The sentence
  /** @type {Record<import("../messages.js").Wall, string>} */
  wallSentences: {
    none: "No wall.",
    cache: "The cache is the wall.",
    batch: "The batch limit is the wall.",
    both: "Cache and batch limit are both the wall.",
  },
  slowest: (/** @type {string} */ wait) =>
    `the slowest 1 in 100 chats wait ${together(wait, "s")} or longer for their first word.`,
  nobodyHeldOut: (/** @type {string} */ slowest) => `No chat is ever held out; ${slowest}`,
  neverByCache: (/** @type {string} */ slowest) => `The cache never holds a chat out; ${slowest}`,
  /** When the cache first holds a chat out, after the sentence of the wall.
   * @type {Record<"cache" | "batch" | "both", (at: string, slowest: string) => string>} */
  cacheFirst: {
    cache: (at, slowest) => `It first holds a chat out at ${together(at, "s")}, and ${slowest}`,
    batch: (at, slowest) =>
      `The cache holds a chat out too, but in fewer steps, first at ${together(at, "s")}; ${slowest}`,
    both: (at, slowest) => `The cache first holds a chat out at ${together(at, "s")}, and ${slowest}`,
  },
  yet: (/** @type {string[]} */ heldOut, /** @type {number} */ queue_max, /** @type {string} */ slowest) =>
    `Yet ${heldOut.join(", and ")}; at most ${counted(queue_max, "chat")} waited at once; ${slowest}`,
  cacheHeldOut: (/** @type {number} */ steps, /** @type {string} */ at) =>
    `the cache held a chat out in ${counted(steps, "step")}, first at ${together(at, "s")}`,
  /** `isToo` where the cache has just been said to. @type {(steps: number, isToo: boolean) => string} */
  batchHeldOut: (steps, isToo) => `the batch limit ${isToo ? "did" : "held a chat out"} in ${counted(steps, "step")}`,

  // The clipboard
  /** @type {Record<import("../messages.js").Wall, string>} */
  wallNames: { none: "none", cache: "the cache", batch: "the batch limit", both: "both" },
  rows: {
    wall: "The wall",
    firstWord: "First word",
    gap: "Gap between words",
    meanGap: "A chat’s mean gap",
    queue: "Longest queue",
    pages: "Most pages held",
    cacheFirst: "Cache first holds out",
    byCache: "Held out by the cache",
    byBatch: "Held out by the batch",
    steps: "Steps in all",
    finished: "Chats finished",
  },
  units: { s: "s", ms: "ms", chats: "chats", pages: "pages", steps: "steps", perSecond: "/s" },

  // The chart of the waits
  firstWordTitle: "Wait for the first word",
  gapTitle: "Gap between words",
  rateLabel: (/** @type {number} */ rate) => `${grouped(rate)} chats/s`,
  grew: (/** @type {string} */ times) => `${times} times`,
  asLong: (/** @type {number} */ rate) => `as long as at ${grouped(rate)} chats/s`,
  shorter: (/** @type {number} */ rate) => `shorter than at ${grouped(rate)} chats/s`,
  noGap: "no gap",
  notYet: "…",
  waitsInWords: (/** @type {number} */ rate, /** @type {string} */ wait, /** @type {string} */ gap) =>
    `At ${counted(rate, "chat")} a second, p99: first word ${together(wait, "s")}, ${gap}.`,
  gapInWords: (/** @type {string} */ gap) => `gap ${together(gap, "ms")}`,

  // The chart of the cache
  pagesLane: "Pages",
  promised: "promised",
  held: "held",
  ceiling: (/** @type {number} */ pages) => `all ${grouped(pages)}`,
  queueLane: "Queue",
  waitingChats: "chats waiting",
  batchLane: "Batch",
  places: "places in use",
  limit: (/** @type {number} */ limit) => `limit ${grouped(limit)}`,
  stepsByCache: (/** @type {number} */ steps) => `Held out by the cache: ${counted(steps, "step")} in all`,
  stepsByBatch: (/** @type {number} */ steps) => `Held out by the batch: ${counted(steps, "step")} in all`,
  firstHeldOut: (/** @type {string} */ at) => `cache first holds a chat out: ${together(at, "s")}`,
  firstSpan: (/** @type {number} */ seconds) => `first ${counted(seconds, "second")}`,
  wholeSpan: "whole run",
  timeAxis: "seconds since the first chat was sent",
  cacheInWords: (/** @type {string | null} */ at, /** @type {number} */ most, /** @type {number} */ pages, /** @type {number} */ queue_max) =>
    `${at === null ? "The cache never holds a chat out." : `The cache first holds a chat out at ${together(at, "s")}.`} ` +
    `At most ${grouped(most)} of ${counted(pages, "page")} are held, and at most ${counted(queue_max, "chat")} wait at once.`,

  // The charts as tables
  waitsTable: "The two waits, p99",
  load: "Load",
  cacheTable: "How the cache fills",
  time: (/** @type {number} */ time_s) => together(short(time_s), "s"),
  timeHead: "Time",
};
