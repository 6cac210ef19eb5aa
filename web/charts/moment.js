/**
 * Who is where in one step of a run, and what the clipboard says by then. Steps and chats are counted from 0.
 *
 * What adds up over the steps is worked out once, in `indexRun`, so that any step is cheap and can be jumped to.
 */

/** @typedef {import("../messages.js").Columns} Columns */
/** @typedef {import("../messages.js").Intervals} Intervals */
/** @typedef {import("../messages.js").Settings} Settings */

/** The median and the 99th percentile, null before anything has been measured.
 * @typedef {{p50: number | null, p99: number | null}} Percentiles */

/**
 * A run made ready to be looked up.
 *
 * @typedef {object} RunIndex
 * @property {Settings} settings
 * @property {Columns} columns
 * @property {Intervals} intervals
 * @property {number} steps
 * @property {number} places the batch limit, or more where a reader's program went beyond it
 * @property {number[]} placeOf chat -> its place in the batch, the same for all its life
 * @property {number[]} hueOf chat -> its colour
 * @property {number[][]} takings chat -> where its pages stand in the intervals
 * @property {Notes[]} notes step -> what the clipboard says at its end
 */

/**
 * What has been noted by the end of a step. Seconds in ..._s.
 *
 * @typedef {object} Notes
 * @property {number} sent chats
 * @property {number} joined chats that have been admitted, and so have their first word
 * @property {number} finished chats with all their words
 * @property {Percentiles} ttft_s from sending to the first word
 * @property {Percentiles} tbt_s gaps between words, of all chats
 * @property {number} queue_max
 * @property {number} cache_steps in which the cache held a chat out
 * @property {number} batch_steps
 */

/**
 * A chat of the batch: its words are those that it has after this step.
 *
 * @typedef {{chat: number, place: number, words: number, reply_tokens: number, isNew: boolean,
 *   isLeaving: boolean}} Seat
 */

/**
 * What is to be seen at the door. `front` is the first chat of the queue and `needs` its pages; `unpromised` the pages
 * that were promised to nobody when it was looked at, null where a reader's program promises otherwise than the lesson.
 *
 * @typedef {object} Door
 * @property {{chat: number, needs: number} | null} front null if nobody waits
 * @property {number[]} cameIn
 * @property {number} taken places, with those who came in
 * @property {number | null} unpromised
 * @property {boolean} isCacheMissing whether the cache holds the front chat out
 * @property {boolean} isBatchMissing whether the batch does
 */

/**
 * @typedef {object} Moment
 * @property {number} step
 * @property {number} start_s
 * @property {number} took_s
 * @property {number[]} waiting after admission, front first
 * @property {Seat[]} batch after admission, by place
 * @property {(number | null)[]} chatOnPage page -> who holds it after the ended have left
 * @property {number} held pages
 * @property {number} owed pages that are promised and not yet held
 * @property {number} left pages that are neither; less than none where a program promised too much
 * @property {Door} door
 * @property {Notes} notes
 */

/** Colours of chats. */
const HUES = 8;

/**
 * @param {Settings} settings
 * @param {Columns} columns
 * @param {Intervals} intervals
 * @returns {RunIndex}
 */
export function indexRun(settings, columns, intervals) {
  const steps = columns.start_s.length;
  const { placeOf, hueOf, places } = seatChats(intervals, steps);
  /** @type {number[][]} */
  const takings = Array.from(intervals.sent_s, () => []);
  intervals.page_chat.forEach((chat, at) => takings[chat].push(at));
  return {
    settings,
    columns,
    intervals,
    steps,
    places: Math.max(settings.limit, places),
    placeOf,
    hueOf,
    takings,
    notes: noteAll(columns, intervals),
  };
}

/**
 * Who is where in a step.
 *
 * @param {RunIndex} run
 * @param {number} step
 * @returns {Moment}
 */
export function momentOf(run, step) {
  const { settings, columns, intervals, placeOf, takings, notes } = run;
  const { sent_step, joined_step, last_step, reply_tokens, is_served, page, page_from, page_to } = intervals;
  const start_s = columns.start_s[step];
  const held = columns.held[step];
  const promised = columns.promised[step];
  /** @type {number[]} */
  const waiting = [];
  /** @type {Seat[]} */
  const batch = [];
  /** @type {(number | null)[]} */
  const chatOnPage = Array.from({ length: settings.pages }, () => null);
  for (let chat = 0; chat < sent_step.length; chat += 1) {
    if (sent_step[chat] <= step && step < joined_step[chat]) {
      waiting.push(chat);
    } else if (joined_step[chat] <= step && step <= last_step[chat]) {
      batch.push({
        chat,
        place: placeOf[chat],
        words: Math.min(step - joined_step[chat] + 1, reply_tokens[chat]),
        reply_tokens: reply_tokens[chat],
        isNew: joined_step[chat] === step,
        isLeaving: last_step[chat] === step && is_served[chat] === 1,
      });
      for (const at of takings[chat]) {
        if (page_from[at] <= step && step < page_to[at]) {
          chatOnPage[page[at]] = chat;
        }
      }
    }
  }
  batch.sort((one, other) => one.place - other.place);
  return {
    step,
    start_s,
    took_s: columns.end_s[step] - start_s,
    waiting,
    batch,
    chatOnPage,
    held,
    owed: promised - held,
    left: settings.pages - promised,
    door: doorOf(run, step, waiting, batch),
    notes: notes[step],
  };
}

/**
 * The step that runs at a time, or the last one before it.
 *
 * @param {Columns} columns
 * @param {number} time_s
 */
export function stepAt({ start_s }, time_s) {
  let low = 0;
  let high = start_s.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (start_s[middle] <= time_s) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The first step in which the cache holds a chat out, null if it never does. @param {Columns} columns */
export function cacheFillsStep({ cache_held_out }) {
  const step = cache_held_out.indexOf(1);
  return step < 0 ? null : step;
}

/** The first step with the longest queue, null if nobody ever waits. @param {Columns} columns */
export function longestQueueStep({ queue }) {
  const longest = queue.reduce((most, count) => Math.max(most, count), 0);
  return longest === 0 ? null : queue.indexOf(longest);
}

/**
 * The door is looked at before the step runs, when those who end in it still have their pages.
 *
 * @param {RunIndex} run
 * @param {number} step
 * @param {number[]} waiting
 * @param {Seat[]} batch
 * @returns {Door}
 */
function doorOf({ settings, columns, intervals: { promise } }, step, waiting, batch) {
  const promisedTo = (/** @type {Seat[]} */ seats) => seats.reduce((sum, { chat }) => sum + promise[chat], 0);
  const isAsInTheLesson = promisedTo(batch.filter(({ isLeaving }) => !isLeaving)) === columns.promised[step];
  return {
    front: waiting.length === 0 ? null : { chat: waiting[0], needs: promise[waiting[0]] },
    cameIn: batch.filter(({ isNew }) => isNew).map(({ chat }) => chat),
    taken: batch.length,
    unpromised: isAsInTheLesson ? settings.pages - promisedTo(batch) : null,
    isCacheMissing: columns.cache_held_out[step] === 1,
    isBatchMissing: columns.batch_held_out[step] === 1,
  };
}

/**
 * A place and a colour for each chat. A chat takes the first free place and keeps it. Of the colours it takes the one
 * that fewest of those in the batch have, the next in turn where several are as rare.
 *
 * @param {Intervals} intervals
 * @param {number} steps
 */
function seatChats({ joined_step, last_step }, steps) {
  const placeOf = Array.from(joined_step, () => 0);
  const hueOf = Array.from(joined_step, () => 0);
  /** Who sits in each place. @type {(number | null)[]} */
  const seats = [];
  const used = Array.from({ length: HUES }, () => 0);
  let nextHue = 0;
  const joiners = Array.from(joined_step.keys())
    .filter((chat) => joined_step[chat] < steps)
    .sort((one, other) => joined_step[one] - joined_step[other] || one - other);
  for (const chat of joiners) {
    seats.forEach((sitting, place) => {
      if (sitting !== null && last_step[sitting] < joined_step[chat]) {
        used[hueOf[sitting]] -= 1;
        seats[place] = null;
      }
    });
    const free = seats.indexOf(null);
    placeOf[chat] = free < 0 ? seats.length : free;
    seats[placeOf[chat]] = chat;
    const inTurn = used.map((_, at) => (nextHue + at) % HUES);
    const hue = inTurn.reduce((rarest, each) => (used[each] < used[rarest] ? each : rarest));
    hueOf[chat] = hue;
    used[hue] += 1;
    nextHue = (hue + 1) % HUES;
  }
  return { placeOf, hueOf, places: seats.length };
}

/**
 * The clipboard at the end of every step.
 *
 * @param {Columns} columns
 * @param {Intervals} intervals
 * @returns {Notes[]}
 */
function noteAll(columns, intervals) {
  const { start_s, end_s, queue, stepped, cache_held_out, batch_held_out } = columns;
  const { sent_s, sent_step, joined_step, last_step, is_served } = intervals;
  const steps = start_s.length;
  const sentIn = countBy(sent_step, steps);
  const finishedIn = countBy(last_step.filter((_, chat) => is_served[chat] === 1), steps);
  /** @type {number[][]} */
  const joiners = Array.from({ length: steps }, () => []);
  joined_step.forEach((step, chat) => joiners[step]?.push(chat)); // of a run that broke off some never joined
  const firstWords = ranking(joiners.flat().map((chat) => end_s[joined_step[chat]] - sent_s[chat]));
  const gaps = ranking(Array.from(start_s, (time_s, step) => end_s[step] - time_s));
  const total = { sent: 0, joined: 0, finished: 0, queue_max: 0, cache_steps: 0, batch_steps: 0 };
  return Array.from({ length: steps }, (_, step) => {
    for (const _ of joiners[step]) {
      firstWords.add(total.joined, 1);
      total.joined += 1;
    }
    gaps.add(step, Math.max(0, stepped[step] - joiners[step].length)); // a reader's program may say anything
    total.sent += sentIn[step];
    total.finished += finishedIn[step];
    total.queue_max = Math.max(total.queue_max, queue[step]);
    total.cache_steps += cache_held_out[step];
    total.batch_steps += batch_held_out[step];
    return {
      ...total,
      ttft_s: { p50: firstWords.percentile(50), p99: firstWords.percentile(99) },
      tbt_s: { p50: gaps.percentile(50), p99: gaps.percentile(99) },
    };
  });
}

/** How many of `values` are 0, 1, 2 and so on up to `length` - 1. @param {Int32Array} values @param {number} length */
function countBy(values, length) {
  const counts = new Int32Array(length);
  values.forEach((value) => {
    if (value < length) {
      counts[value] += 1;
    }
  });
  return counts;
}

/**
 * Percentiles by nearest rank of values that are known beforehand and counted in one after the other: the counts stand
 * in a Fenwick tree over the sorted values, so that both cost a logarithm.
 *
 * @param {number[]} values
 */
function ranking(values) {
  const order = Array.from(values.keys()).sort((one, other) => values[one] - values[other]);
  const rankOf = new Int32Array(values.length);
  order.forEach((at, rank) => {
    rankOf[at] = rank;
  });
  const tree = new Int32Array(values.length + 1);
  const top = 2 ** Math.floor(Math.log2(Math.max(1, values.length)));
  let counted = 0;
  return {
    /** Counts values[at] in, `times` times. @param {number} at @param {number} times */
    add(at, times) {
      counted += times;
      for (let node = rankOf[at] + 1; node < tree.length; node += node & -node) {
        tree[node] += times;
      }
    },
    /** @param {number} percent @returns {number | null} */
    percentile(percent) {
      if (counted === 0) {
        return null;
      }
      let before = Math.ceil((counted * percent) / 100) - 1; // values that are counted below it
      let node = 0;
      for (let stride = top; stride > 0; stride >>= 1) {
        if (node + stride < tree.length && tree[node + stride] <= before) {
          node += stride;
          before -= tree[node];
        }
      }
      return values[order[node]];
    },
  };
}
