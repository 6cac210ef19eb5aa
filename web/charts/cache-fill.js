/**
 * The chart "How the cache fills": pages, queue and batch of one run, in lanes over one axis of time.
 *
 * This works out the whole picture as numbers and text; draw-cache-fill.js puts it into an <svg>.
 */
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { stepLine, stretches } from "./step-line.js";

/** @typedef {import("../messages.js").Answer} Answer */
/** @typedef {import("../messages.js").Columns} Columns */
/** @typedef {import("../axis-ends.js").Ends} Ends */
/** @typedef {import("../messages.js").Report} Report */
/** @typedef {import("../words/languages.js").Words} Words */
/** @typedef {import("./step-line.js").Vertex} Vertex */
/** What is drawn of an answer, or of a run that broke off.
 * @typedef {Pick<Answer, "settings" | "columns">
 *   & {report: Pick<Report, "cache_full_s" | "cache_steps" | "batch_steps">}} Drawable */
/** Values of a run and the times from which they hold.
 * @typedef {(columns: Columns) => {times: ArrayLike<number>, values: ArrayLike<number>}} Series */
/** A tick is at so many pixels and says so much.
 * @typedef {{at: number, text: string}} Tick */
/** @typedef {{className: string, d: string}} Path */
/** @typedef {{className: string, x: number, text: string}} Key */
/** @typedef {{y: number, text: string}} Level */
/** @typedef {{name: string, top: number, height: number, d: string, text: string}} Strip */
/** @typedef {{name: LaneName, title: string, keys: Key[], top: number, height: number, ticks: Tick[],
 *   paths: Path[], level: Level | null}} Lane */
/** @typedef {{x: number, textX: number, text: string, stems: {from: number, to: number}[]}} Mark */
/** The moment that is looked at. @typedef {{x: number, stems: {from: number, to: number}[]}} Cursor */
/** @typedef {{width: number, height: number, left: number, right: number, ticks: Tick[], timeTitle: string,
 *   lanes: Lane[], strips: Strip[], bottom: number, mark: Mark | null}} CacheFill */
/** @typedef {"pages" | "queue" | "batch"} LaneName */

/** What the chart shows at first (EARLY_S in lesson_figures.py). */
export const FIRST_SECONDS = 3;

const LEFT = 36;
const RIGHT = 2;
const HEADING = 26; // above each lane, for its title and its key
const STRIP_HEIGHT = 7;
const NARROW = 500; // pixels below which there is room for few ticks
const LETTER = 6.5; // pixels of a letter, on the safe side: text cannot be measured before it is drawn
const BOLD_LETTER = 7.5;

// Where everything stands, from top to bottom.
const TOPS = placeLanes();

function placeLanes() {
  const markRoom = 18;
  const gap = 14; // between one part and the next
  const stripRoom = 4 + STRIP_HEIGHT + 16; // the strip and its words, below its lane
  const heights = { pages: 136, queue: 84, batch: 72 };
  const pages = markRoom + HEADING;
  const cacheStrip = pages + heights.pages + 4;
  const queue = pages + heights.pages + stripRoom + gap + HEADING;
  const batch = queue + heights.queue + gap + HEADING;
  const batchStrip = batch + heights.batch + 4;
  const time = batch + heights.batch + stripRoom + 8;
  return { heights, pages, cacheStrip, queue, batch, batchStrip, time, height: time + 42 };
}

/** Where a line through all lanes goes: from the top to the foot of each, a strip below it included. */
const STEMS = [
  { from: TOPS.pages, to: TOPS.cacheStrip + STRIP_HEIGHT },
  { from: TOPS.queue, to: TOPS.queue + TOPS.heights.queue },
  { from: TOPS.batch, to: TOPS.batchStrip + STRIP_HEIGHT },
];

// What the lanes show.

/** @type {Series} */
const promised = ({ start_s, promised }) => ({ times: start_s, values: promised });

/** @type {Series} */
const held = ({ start_s, held }) => ({ times: start_s, values: held });

/** @type {Series} */
const waiting = ({ start_s, queue }) => ({ times: start_s, values: queue });

/**
 * Places in use: none while the server sleeps between the end of one step and the start of the next.
 *
 * @type {Series}
 */
const placesInUse = ({ start_s, end_s, stepped }) => {
  const times = [];
  const values = [];
  for (let step = 0; step < start_s.length; step += 1) {
    if (step > 0 && end_s[step - 1] < start_s[step]) {
      times.push(end_s[step - 1]);
      values.push(0);
    }
    times.push(start_s[step]);
    values.push(stepped[step]);
  }
  return { times, values };
};

/**
 * Works out the picture.
 *
 * @param {Drawable} answer
 * @param {Drawable | null} ghost another answer to show faintly over it
 * @param {number} timeEnd_s where the axis of time ends
 * @param {Ends} ends where the others end
 * @param {number} width pixels
 * @param {Words} words
 * @returns {CacheFill}
 */
export function cacheFill(answer, ghost, timeEnd_s, ends, width, words) {
  const { grouped, short, fixed } = words.numbers;
  const right = width - RIGHT;
  const x = scaleLinear([0, timeEnd_s], [LEFT, right]);
  const { report, settings, columns } = answer;

  /** @param {LaneName} name */
  const scaleOf = (name) => scaleLinear([0, ends[name]], [TOPS.heights[name], 0]);
  /** @param {Columns} of @param {Series} series @param {LaneName} name @returns {Vertex[]} */
  const vertices = (of, series, name) => {
    const y = scaleOf(name);
    const end_s = Math.min(timeEnd_s, of.end_s[of.end_s.length - 1]);
    const { times, values } = series(of);
    return stepLine(times, values, end_s, x).map(([pixel, value]) => [pixel, y(value)]);
  };
  /** @param {string} className @param {Series} series @param {LaneName} name @returns {Path[]} */
  const filled = (className, series, name) => {
    const top = vertices(columns, series, name);
    return [
      { className: `${className} area`, d: areaPath(top, TOPS.heights[name]) },
      { className: `${className} line`, d: openPath(top) },
    ];
  };
  /** @param {Series} series @param {LaneName} name @returns {Path[]} */
  const before = (series, name) =>
    ghost === null ? [] : [{ className: "ghost", d: openPath(vertices(ghost.columns, series, name)) }];
  /** The ceiling or limit as it was. @param {LaneName} name @param {"pages" | "limit"} key @returns {Path[]} */
  const levelBefore = (name, key) =>
    ghost === null || ghost.settings[key] === settings[key]
      ? []
      : [{ className: "ghost level", d: `M${LEFT},${scaleOf(name)(ghost.settings[key])}H${right}` }];
  /** @param {LaneName} name @param {string} title @param {[string, string][]} keys */
  const place = (name, title, keys) => ({
    name,
    title,
    keys: placeKeys(title, keys),
    top: TOPS[name],
    height: TOPS.heights[name],
    ticks: [0, ends[name] / 2, ends[name]].map((value) => ({ at: scaleOf(name)(value), text: grouped(value) })),
  });

  /** @type {Lane[]} */
  const lanes = [
    {
      ...place("pages", words.pagesLane, [
        ["promised", words.promised],
        ["held", words.held],
      ]),
      paths: [
        ...filled("promised", promised, "pages"),
        ...filled("held", held, "pages"),
        ...levelBefore("pages", "pages"),
        ...before(promised, "pages"),
      ],
      level: { y: scaleOf("pages")(settings.pages), text: words.ceiling(settings.pages) },
    },
    {
      ...place("queue", words.queueLane, [["queue", words.waitingChats]]),
      paths: [...filled("queue", waiting, "queue"), ...before(waiting, "queue")],
      level: null,
    },
    {
      ...place("batch", words.batchLane, [["batch", words.places]]),
      paths: [
        ...filled("batch", placesInUse, "batch"),
        ...levelBefore("batch", "limit"),
        ...before(placesInUse, "batch"),
      ],
      level: { y: scaleOf("batch")(settings.limit), text: words.limit(settings.limit) },
    },
  ];

  /** @param {string} name @param {number} top @param {string} text @param {Int32Array} flags @returns {Strip} */
  const strip = (name, top, text, flags) => {
    const boxes = stretches(columns.start_s, columns.end_s, flags, timeEnd_s, x);
    const d = boxes.map(([from, to]) => `M${from},0H${to}V${STRIP_HEIGHT}H${from}Z`).join("");
    return { name, top, height: STRIP_HEIGHT, d, text };
  };
  return {
    width,
    height: TOPS.height, // it never changes, so nothing below it jumps
    left: LEFT,
    right,
    ticks: x.ticks(width < NARROW ? 4 : 8).map((time_s) => ({ at: x(time_s), text: short(time_s) })),
    timeTitle: words.timeAxis,
    lanes,
    strips: [
      strip("cache", TOPS.cacheStrip, words.stepsByCache(report.cache_steps), columns.cache_held_out),
      strip("batch", TOPS.batchStrip, words.stepsByBatch(report.batch_steps), columns.batch_held_out),
    ],
    bottom: TOPS.time,
    mark:
      report.cache_full_s === null
        ? null
        : markOf(report.cache_full_s, timeEnd_s, x, right, words.firstHeldOut(fixed(report.cache_full_s, 3))),
  };
}

/**
 * The line through all lanes at a time; null if it lies after what is shown.
 *
 * @param {number} time_s
 * @param {number} timeEnd_s where the axis of time ends
 * @param {number} width pixels
 * @returns {Cursor | null}
 */
export function cursorAt(time_s, timeEnd_s, width) {
  if (time_s > timeEnd_s) {
    return null;
  }
  const x = scaleLinear([0, timeEnd_s], [LEFT, width - RIGHT]);
  return { x: x(time_s), stems: STEMS };
}

/**
 * The mark of the moment in which the cache first holds a chat out. Later than what is shown, it is said at the edge.
 *
 * @param {number} full_s
 * @param {number} timeEnd_s
 * @param {(time_s: number) => number} x
 * @param {number} right
 * @param {string} said
 * @returns {Mark}
 */
function markOf(full_s, timeEnd_s, x, right, said) {
  const isShown = full_s <= timeEnd_s;
  const text = isShown ? said : `${said} →`;
  const at = isShown ? x(full_s) : right;
  const stems = [{ from: TOPS.pages - HEADING - 4, to: TOPS.pages - HEADING + 2 }, ...STEMS];
  return { x: at, textX: Math.max(0, Math.min(at, right - text.length * LETTER)), text, stems: isShown ? stems : [] };
}

/**
 * Places what the marks of a lane mean behind its title.
 *
 * @param {string} title
 * @param {[className: string, text: string][]} keys
 * @returns {Key[]}
 */
function placeKeys(title, keys) {
  const swatch = 17;
  const gap = 14;
  let x = LEFT + title.length * BOLD_LETTER + gap;
  return keys.map(([className, text]) => {
    const key = { className, x, text };
    x += swatch + text.length * LETTER + gap;
    return key;
  });
}

/** @param {Vertex[]} vertices */
function openPath(vertices) {
  return line()(vertices) ?? "";
}

/**
 * The area between a line and the foot of its lane.
 *
 * @param {Vertex[]} vertices
 * @param {number} foot
 */
function areaPath(vertices, foot) {
  if (vertices.length === 0) {
    return "";
  }
  const [first] = vertices[0];
  const [last] = vertices[vertices.length - 1];
  return `${openPath([[first, foot], ...vertices, [last, foot]])}Z`;
}
