/**
 * The kitchen in one step of a run, as numbers and text; draw-kitchen.js puts it into an <svg>.
 *
 * Its six numbered parts are the lesson's: 1 the queue, 2 admission, 3 the batch, 4 the cache, 5 the metrics, 6 the
 * load.
 */
import { BADGE_RADIUS, PAPER, PLACE_GAP, SLIP, planKitchen } from "./kitchen-plan.js";

/** @typedef {import("./kitchen-plan.js").Plan} Plan */
/** @typedef {import("./moment.js").Moment} Moment */
/** @typedef {import("./moment.js").RunIndex} RunIndex */
/** @typedef {import("./moment.js").Seat} Seat */
/** @typedef {typeof import("../words/kitchen.js").kitchenWords} KitchenWords */

/** @typedef {{className: string, x: number, y: number, text: string}} Label */
/** @typedef {{className: string, x: number, y: number, width: number, height: number}} Box */
/** @typedef {{className: string, d: string}} Path */
/** @typedef {{part: number, x: number, y: number, name: string}} Badge */
/** @typedef {{chat: number, x: number, y: number, isFront: boolean, isLit: boolean, isPinned: boolean,
 *   name: string}} Slip */
/**
 * A place of the batch. `chat` is null where it is empty; `share` is how much of its reply has been made.
 *
 * @typedef {{place: number, chat: number | null, hue: number, x: number, y: number, width: number, height: number,
 *   barX: number, barWidth: number, share: number, words: number, text: string, textX: number,
 *   state: "empty" | "new" | "runs" | "leaves", isLit: boolean, isPinned: boolean, name: string}} Place
 */
/** The chat that the reader points at, and the one that is kept in sight until further notice.
 * @typedef {{lit: number | null, pinned: number | null}} Followed */
/** @typedef {{x: number, y: number, columns: number, cell: number, chats: (number | null)[], hues: number[],
 *   lit: number | null}} Shelf */
/** @typedef {{width: number, height: number, isFollowing: boolean, boxes: Box[], paths: Path[], labels: Label[],
 *   badges: Badge[], slips: Slip[], places: Place[], shelf: Shelf}} Kitchen */

const NUMBER = 30; // pixels of a chat's number before its bar
const COUNT = 56; // and of its words behind it
const MOST_PLACES = 48; // a reader's program may go beyond any limit

/**
 * @param {RunIndex} run
 * @param {Moment} moment
 * @param {Followed} followed
 * @param {number} width pixels
 * @param {KitchenWords} words
 * @returns {Kitchen}
 */
export function kitchen(run, moment, followed, width, words) {
  const { settings } = run;
  const places = Math.min(run.places, MOST_PLACES);
  const plan = planKitchen(width, settings.pages, places);
  const load = loadPicture(plan, run, moment, words);
  const rail = railPicture(plan, moment, followed, words);
  const door = doorPicture(plan, run, moment, words);
  const shares = sharesPicture(plan, run, moment, words);
  const clipboard = clipboardPicture(plan, moment, words);
  return {
    width,
    height: plan.height,
    isFollowing: followed.lit !== null,
    boxes: [...load.boxes, ...rail.boxes, ...shares.boxes, ...clipboard.boxes],
    paths: [...plan.arrows.map((d) => ({ className: "arrow", d })), ...door.paths, ...clipboard.paths],
    labels: [
      ...headLabels(plan, run, moment, words),
      ...load.labels,
      ...rail.labels,
      ...door.labels,
      ...shares.labels,
      ...clipboard.labels,
    ],
    badges: plan.heads.map(({ x, y }, at) => {
      const { title, name } = words.parts[at];
      const part = at + 1;
      return { part, x: x + BADGE_RADIUS, y: y + BADGE_RADIUS + 4, name: words.partButton(part, title, name) };
    }),
    slips: rail.slips,
    places: placePictures(plan, run, moment, places, followed, words),
    shelf: { ...plan.shelf, chats: moment.chatOnPage, hues: run.hueOf, lit: followed.lit },
  };
}

/** Title and current count of each part. @param {Plan} plan @param {RunIndex} run @param {Moment} moment
 * @param {KitchenWords} words @returns {Label[]} */
function headLabels({ heads }, { settings }, { waiting, batch, held }, words) {
  const counts = [
    words.waiting(waiting.length),
    words.admission,
    words.taken(batch.length, settings.limit),
    words.held(held, settings.pages),
    words.metrics,
    words.load(settings.rate),
  ];
  return heads.flatMap(({ x, y }, at) => [
    { className: "title", x: x + 2 * BADGE_RADIUS + 10, y: y + 12, text: words.parts[at].title },
    { className: "count", x: x + 2 * BADGE_RADIUS + 10, y: y + 28, text: counts[at] },
  ]);
}

/** All chats as one bar: served, in the kitchen, still to be sent. @param {Plan} plan @param {RunIndex} run
 * @param {Moment} moment @param {KitchenWords} words */
function loadPicture({ load }, { intervals }, { notes }, words) {
  const all = intervals.sent_s.length;
  const served = words.servedAndNot(notes.finished, notes.sent - notes.finished);
  // Less than none wait where a reader's program lets a chat join before it is sent.
  const scale = (/** @type {number} */ count) => (load.width * Math.max(0, count)) / all;
  const box = (/** @type {string} */ className, /** @type {number} */ from, /** @type {number} */ count) => ({
    className,
    x: load.x + scale(from),
    y: load.y + 2,
    width: scale(count),
    height: 10,
  });
  return {
    boxes: [
      box("bed", 0, all),
      box("served", 0, notes.finished),
      box("batch-bar", notes.finished, notes.joined - notes.finished),
      box("wait-bar", notes.joined, notes.sent - notes.joined),
    ],
    labels: [
      { className: "strong", x: load.x, y: load.y + 28, text: words.sent(notes.sent, all) },
      { className: "plain", x: load.x, y: load.y + 44, text: served },
    ],
  };
}

/** Slips hang from rails, the front one first. @param {Plan} plan @param {Moment} moment @param {Followed} followed
 * @param {KitchenWords} words */
function railPicture({ rail }, { waiting }, { lit, pinned }, words) {
  const fit = rail.columns * rail.rows;
  const boxes = Array.from({ length: rail.rows }, (_, row) => ({
    className: "rail",
    x: rail.x,
    y: rail.y + row * SLIP.row,
    width: rail.width,
    height: 2,
  }));
  const slips = waiting.slice(0, fit).map((chat, at) => ({
    chat,
    x: rail.x + (at % rail.columns) * SLIP.pitch,
    y: rail.y + 2 + Math.floor(at / rail.columns) * SLIP.row,
    isFront: at === 0,
    isLit: chat === lit,
    isPinned: chat === pinned,
    name: `${words.chat(chat)}, ${words.standing.waits}`,
  }));
  const below = rail.y + rail.rows * SLIP.row + 10;
  const text = words.more(waiting.length - slips.length);
  return { boxes, slips, labels: [{ className: "plain more", x: rail.x, y: below, text }] };
}

/** A door, open or shut, and the two conditions, each with a mark. @param {Plan} plan @param {RunIndex} run
 * @param {Moment} moment @param {KitchenWords} words */
function doorPicture({ door: { x, y } }, { settings }, { door, left }, words) {
  const isShut = door.isCacheMissing || door.isBatchMissing;
  const textX = x + 60;
  const condition = (/** @type {boolean} */ isMissing, /** @type {number} */ lineY, /** @type {string} */ kind) => ({
    className: `mark ${isMissing ? "missing" : "met"} ${kind}`,
    d: isMissing
      ? `M${textX},${lineY - 9}l9,9m0,-9l-9,9`
      : `M${textX - 1},${lineY - 5}l4,4.5l7,-9`,
  });
  const leaf = isShut ? `M${x + 5},${y + 5}h34v68h-34z` : `M${x + 5},${y + 5}l17,9v66l-17,-7z`;
  const knob = isShut ? `M${x + 31},${y + 40}h3` : `M${x + 17},${y + 46}h2`;
  return {
    paths: [
      { className: "frame", d: `M${x + 1},${y + 73}V${y + 1}h42v72` },
      { className: `leaf ${isShut ? "shut" : "open"}`, d: leaf },
      { className: "knob", d: knob },
      condition(door.isBatchMissing, y + 34, "batch"),
      condition(door.isCacheMissing, y + 54, "cache"),
    ],
    labels: [
      { className: "strong", x: textX, y: y + 12, text: words.verdict(door) },
      {
        className: door.isBatchMissing ? "strong" : "plain",
        x: textX + 17,
        y: y + 34,
        text: words.placeCondition(door.taken, settings.limit, door.isBatchMissing),
      },
      {
        className: door.isCacheMissing ? "strong" : "plain",
        x: textX + 17,
        y: y + 54,
        text: words.pageCondition(door, left),
      },
      { className: "plain", x: textX, y: y + 74, text: words.cameIn(door.cameIn) },
    ],
  };
}

/** The places of the batch, empty or with a chat. @param {Plan} plan @param {RunIndex} run @param {Moment} moment
 * @param {number} count @param {Followed} followed @param {KitchenWords} words @returns {Place[]} */
function placePictures({ batch }, { hueOf }, moment, count, { lit, pinned }, words) {
  /** @type {(Seat | null)[]} */
  const seats = Array.from({ length: count }, () => null);
  for (const seat of moment.batch) {
    if (seat.place < count) {
      seats[seat.place] = seat;
    }
  }
  const width = batch.pitch.x - PLACE_GAP;
  const rows = Math.ceil(count / batch.columns);
  return seats.map((seat, place) => {
    const state = stateOf(seat);
    const isTold = batch.hasText || state === "new" || state === "leaves";
    const text = seat === null || !isTold ? "" : toldOf(seat, words);
    return {
      place,
      chat: seat === null ? null : seat.chat,
      hue: seat === null ? 0 : hueOf[seat.chat],
      x: batch.x + Math.floor(place / rows) * batch.pitch.x,
      y: batch.y + (place % rows) * batch.pitch.y,
      width,
      height: Math.min(batch.pitch.y - 2, 30),
      barX: NUMBER,
      barWidth: width - NUMBER - (batch.hasText ? COUNT : 0),
      share: seat === null ? 0 : seat.words / seat.reply_tokens,
      words: seat === null ? 0 : seat.words,
      text,
      textX: batch.hasText ? width - COUNT + 6 : NUMBER + 5,
      state,
      isLit: seat !== null && seat.chat === lit,
      isPinned: seat !== null && seat.chat === pinned,
      name:
        seat === null
          ? words.emptyPlace(place)
          : `${words.chat(seat.chat)} ${text}, ${seat.isLeaving ? words.standing.leaves : words.standing.runs}`,
    };
  });
}

/** @param {Seat | null} seat @returns {Place["state"]} */
function stateOf(seat) {
  if (seat === null) {
    return "empty";
  }
  if (seat.isLeaving) {
    return "leaves";
  }
  return seat.isNew ? "new" : "runs";
}

/** @param {Seat} seat @param {KitchenWords} words */
function toldOf({ isNew, isLeaving, words: made, reply_tokens }, words) {
  if (isLeaving) {
    return words.leaves;
  }
  return isNew ? words.isNew : words.made(made, reply_tokens);
}

/** The shelf's pages as shares: held, owed, left. @param {Plan} plan @param {RunIndex} run @param {Moment} moment
 * @param {KitchenWords} words */
function sharesPicture({ shares, shelf }, { settings }, { held, owed, left }, words) {
  const scale = (/** @type {number} */ count) =>
    (shares.width * Math.min(settings.pages, Math.max(0, count))) / settings.pages;
  const owedWidth = Math.min(scale(owed), shares.width - scale(held));
  const box = (/** @type {string} */ className, /** @type {number} */ x, /** @type {number} */ width) => ({
    className,
    x: shares.x + x,
    y: shares.y + 2,
    width,
    height: 12,
  });
  const keyY = shares.y + 32;
  const texts = [words.heldKey(held), words.owedKey(owed), words.leftKey(left)];
  const keyX = [0, 92, 184].map((x) => shares.x + x);
  return {
    boxes: [
      box("left-bar", 0, shares.width),
      box("held-bar", 0, scale(held)),
      box("owed-bar", scale(held), owedWidth),
      ...["held-bar", "owed-bar", "left-bar"].map((className, at) => ({
        className: `${className} swatch`,
        x: keyX[at],
        y: keyY - 9,
        width: 10,
        height: 10,
      })),
    ],
    labels: [
      ...texts.map((text, at) => ({ className: "plain", x: keyX[at] + 15, y: keyY, text })),
      { className: "plain", x: shelf.x, y: shelf.y + shelf.height + 16, text: words.owedPages },
    ],
  };
}

/** @param {Plan} plan @param {Moment} moment @param {KitchenWords} words */
function clipboardPicture({ clipboard: { x, y, width, height } }, { notes }, words) {
  const names = words.clipboard;
  const rows = [
    [names.finished, words.count(notes.finished)],
    [names.firstWord, words.seconds(notes.ttft_s)],
    [names.gap, words.milliseconds(notes.tbt_s)],
    [names.queue, words.count(notes.queue_max)],
    [names.byCache, words.count(notes.cache_steps)],
    [names.byBatch, words.count(notes.batch_steps)],
  ];
  const middle = x + width / 2;
  return {
    boxes: [{ className: "paper", x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 }],
    paths: [
      { className: "clip", d: `M${middle - 24},${y + 5}v-6h14a10,8 0 0 1 20,0h14v6z` },
      ...rows.slice(1).map((_, at) => ({
        className: "row",
        d: `M${x + 14},${y + PAPER.top + (at + 1) * PAPER.row + 0.5}h${width - 28}`,
      })),
    ],
    labels: rows.flatMap(([name, value], at) => {
      const lineY = y + PAPER.top + at * PAPER.row + 15;
      return [
        { className: "plain", x: x + 14, y: lineY, text: name },
        { className: "strong value", x: x + width - 14, y: lineY, text: value },
      ];
    }),
  };
}
