/**
 * All that the kitchen says. The lesson is in English, and so is this.
 */
import { numbersOf } from "../format.js";

/** @typedef {import("../charts/moment.js").Moment} Moment */
/** @typedef {import("../charts/moment.js").Percentiles} Percentiles */
/** @typedef {import("../messages.js").Settings} Settings */

const { fixed, grouped, milliseconds, plainSeconds } = numbersOf("en");

/** counted(1, "step") is "1 step", counted(2, "step") is "2 steps". @param {number} count @param {string} noun */
const counted = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

const NOT_YET = "–";

/** @param {Percentiles} percentiles @param {(seconds: number) => string} written @param {string} unit */
const both = ({ p50, p99 }, written, unit) =>
  p50 === null || p99 === null ? NOT_YET : `${written(p50)} / ${written(p99)} ${unit}`;

/** What a chat waits for, by what is missing. @param {boolean} isCacheMissing @param {boolean} isBatchMissing */
const missing = (isCacheMissing, isBatchMissing) =>
  [isBatchMissing ? "a place" : "", isCacheMissing ? "pages" : ""].filter(Boolean).join(" and ");

/** @param {number} time_s */
const at = (time_s) => `${fixed(time_s, 3)} s`;

export const kitchenWords = {
  // Whose run it is
  lessons: "The lesson’s server",
  yours: "Your server",

  // The player
  player: "Player of the run",
  play: "Play",
  pause: "Pause",
  // Where there is little room only a part of a button's name is shown; all of it is read out.
  back: "Back",
  backHow: " one step",
  forward: "One step",
  timeBar: "Step of the run",
  speed: "Speed",
  /** @type {(steps: number) => string} */
  stepsASecond: (steps) => `${grouped(steps)} steps/s`,
  asItRan: "real time",
  jump: "Jump ",
  cacheFills: "to where the cache fills",
  longestQueue: "to the longest queue",
  nothingToShow: "This run has no step that could be shown.",
  /** @type {(settings: Settings) => string} */
  settings: ({ rate, pages, limit, shuffle }) =>
    `${counted(rate, "chat")} a second, ${counted(pages, "page")}, ${counted(limit, "place")} in the batch` +
    (shuffle === 0 ? "" : `, order ${shuffle}`),
  /** @type {(step: number, steps: number, start_s: number) => string} */
  stepOf: (step, steps, start_s) => `step ${grouped(step + 1)} of ${grouped(steps)}, ${at(start_s)}`,
  /** @type {(took_s: number) => string} */
  took: (took_s) => `took ${milliseconds(took_s)} ms`,

  // The six parts, with the field's word for each
  /** @type {readonly {title: string, name: string}[]} */
  parts: [
    { title: "The order rail", name: "the queue" },
    { title: "The door", name: "admission" },
    { title: "The cook’s plates", name: "the batch" },
    { title: "The shelf", name: "the cache" },
    { title: "The clipboard", name: "the metrics" },
    { title: "The dining room", name: "the load" },
  ],
  /** @type {(part: number, title: string, name: string) => string} */
  partButton: (part, title, name) => `Part ${part}: ${title}, ${name}`,
  /** @type {(count: number) => string} */
  waiting: (count) => (count === 0 ? "queue: nobody waits" : `queue: ${counted(count, "chat")} waiting`),
  /** @type {(count: number) => string} */
  more: (count) => (count === 0 ? "" : `+ ${grouped(count)} more`),
  admission: "admission: two conditions",
  /** @type {(taken: number, limit: number) => string} */
  taken: (taken, limit) => `batch: ${grouped(taken)} of ${counted(limit, "place")}`,
  /** @type {(held: number, pages: number) => string} */
  held: (held, pages) => `cache: ${grouped(held)} of ${counted(pages, "page")} held`,
  metrics: "metrics, up to here",
  /** @type {(rate: number) => string} */
  load: (rate) => `load: ${counted(rate, "chat")} a second`,

  // The door
  /** @type {(door: Moment["door"]) => string} */
  verdict: ({ front, isCacheMissing, isBatchMissing }) => {
    if (front === null) {
      return "Open: nobody has to wait";
    }
    const lacks = missing(isCacheMissing, isBatchMissing);
    return `Chat ${front.chat} waits${lacks === "" ? "" : ` for ${lacks}`}`;
  },
  /** @type {(taken: number, limit: number, isMissing: boolean) => string} */
  placeCondition: (taken, limit, isMissing) =>
    isMissing ? `no free place: ${taken} of ${limit} taken` : `a free place: ${taken} of ${limit} taken`,
  /** Those who leave in this step had not given their pages back when the door was looked at: then fewer were left than
   * are. @type {(door: Moment["door"], leftNow: number) => string} */
  pageCondition: ({ front, unpromised, isCacheMissing }, leftNow) => {
    const name = isCacheMissing ? "too few pages" : "enough pages";
    if (unpromised === null) {
      return name;
    }
    const left = `${grouped(unpromised)} ${unpromised === leftNow ? "left" : "were left"}`;
    return front === null ? `${name}: ${left}` : `${name}: needs ${front.needs}, ${left}`;
  },
  /** @type {(chats: number[]) => string} */
  cameIn: (chats) => {
    if (chats.length === 0) {
      return "in this step nobody came in";
    }
    return chats.length === 1
      ? `in this step chat ${chats[0]} came in`
      : chats.length <= 3
        ? `in this step ${chats.slice(0, -1).join(", ")} and ${chats[chats.length - 1]} came in`
        : `in this step ${counted(chats.length, "chat")} came in`;
  },

  // Plates and shelf
  isNew: "new",
  leaves: "leaves",
  /** @type {(words: number, reply: number) => string} */
  made: (words, reply) => `${words}/${reply}`,
  /** @type {(count: number) => string} */
  heldKey: (count) => `${grouped(count)} held`,
  /** @type {(count: number) => string} */
  owedKey: (count) => `${grouped(count)} owed`,
  /** @type {(count: number) => string} */
  leftKey: (count) => `${grouped(count)} left`,
  owedPages: "Owed: promised, not taken; any will do.",

  // The dining room
  /** @type {(sent: number, chats: number) => string} */
  sent: (sent, chats) => `${grouped(sent)} of ${counted(chats, "chat")} sent`,
  /** @type {(served: number, inside: number) => string} */
  servedAndNot: (served, inside) => `${grouped(served)} served, ${grouped(inside)} not yet`,

  // The clipboard
  clipboard: {
    finished: "chats finished",
    firstWord: "first word, p50 / p99",
    gap: "gap, p50 / p99",
    queue: "longest queue",
    byCache: "steps held out by cache",
    byBatch: "steps held out by batch",
  },
  count: grouped,
  /** @type {(percentiles: Percentiles) => string} */
  seconds: (percentiles) => both(percentiles, plainSeconds, "s"),
  /** @type {(percentiles: Percentiles) => string} */
  milliseconds: (percentiles) => both(percentiles, milliseconds, "ms"),

  // A chat's story
  story: {
    chat: "Chat",
    sent: "Sent",
    admitted: "Admitted",
    first: "First word",
    last: "Last word",
    prompt: "Prompt",
    reply: "Reply",
    pages: "Pages",
  },
  pointAtOne: "pick one",
  notYet: NOT_YET,
  at,
  /** @type {(step: number) => string} */
  inStep: (step) => `step ${grouped(step + 1)}`,
  /** @type {(wait_s: number) => string} */
  afterWait: (wait_s) => `after ${plainSeconds(wait_s)} s`,
  /** @type {(count: number) => string} */
  wordsOf: (count) => counted(count, "word"),
  /** @type {(made: number) => string} */
  madeSoFar: (made) => `${grouped(made)} made`,
  /** @type {(held: number) => string} */
  heldNow: (held) => `${grouped(held)} held`,
  /** Where a chat is. */
  standing: {
    toCome: "not yet sent",
    waits: "waits",
    runs: "in the batch",
    leaves: "leaves now",
    gone: "served",
  },
  /** @type {(chat: number) => string} */
  chat: (chat) => `chat ${chat}`,
  /** @type {(place: number) => string} */
  emptyPlace: (place) => `place ${place + 1}, empty`,

  /** The moment in one sentence, for who does not see the drawing. @type {(moment: Moment, steps: number,
   * settings: Settings) => string} */
  moment: ({ step, start_s, waiting, batch, held, owed, door }, steps, { pages, limit }) => {
    const lacks = missing(door.isCacheMissing, door.isBatchMissing);
    const atDoor =
      door.front === null ? "" : `; chat ${door.front.chat} is next${lacks === "" ? "" : ` and waits for ${lacks}`}`;
    return (
      `The kitchen in step ${grouped(step + 1)} of ${grouped(steps)}, at ${at(start_s)}: ` +
      `${counted(waiting.length, "chat")} waiting, ${grouped(batch.length)} of ${counted(limit, "place")} taken, ` +
      `${grouped(held)} of ${counted(pages, "page")} held and ${grouped(owed)} owed${atDoor}.`
    );
  },
};
