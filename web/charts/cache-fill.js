/**
 * The chart "How the cache fills": pages, queue and batch of one run, in lanes over one axis of time.
 *
 * `cacheFill` works out the picture as plain numbers and text; `drawCacheFill` puts it into an <svg>.
 */
import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { line } from "d3-shape";
import { stepLine, stretches } from "./step-line.js";
import { WORDS } from "../words.js";
import { grouped } from "../format.js";

/** @typedef {import("../messages.js").Answer} Answer */
/** @typedef {import("../messages.js").Columns} Columns */
/** @typedef {import("../axis-ends.js").Ends} Ends */
/** @typedef {import("./step-line.js").Vertex} Vertex */
/** @typedef {(columns: Columns) => {times: ArrayLike<number>, values: ArrayLike<number>}} Column */
/** @typedef {{className: string, d: string}} Path */
/** @typedef {{className: string, y: number, text: string}} Level */
/** @typedef {{className: string, text: string}} Key */
/** @typedef {{name: string, title: string, keys: Key[], top: number, height: number, end: number,
 *   ticks: number[], paths: Path[], level: Level | null}} Lane */
/** @typedef {{name: string, title: string, top: number, d: string}} Strip */
/** @typedef {{width: number, height: number, timeEnd: number, ticks: number[], lanes: Lane[], strips: Strip[],
 *   bottom: number, mark: {x: number, text: string} | null}} CacheFill */

const LEFT = 40;
const RIGHT = 12;
const HEADING = 24; // above each lane, for its title and key
const STRIP_HEIGHT = 10;
const LANE_HEIGHTS = { pages: 150, queue: 64, batch: 64 };
const GAP = 18; // between one lane and the next one's heading
const MARK_ROOM = 20; // above the first lane, for the words of the mark
const AXIS_ROOM = 48;

/** Height of the whole chart: it never changes, so nothing below it jumps. */
export const CACHE_FILL_HEIGHT =
  MARK_ROOM +
  (HEADING + LANE_HEIGHTS.pages + GAP) +
  (HEADING + LANE_HEIGHTS.queue + GAP) +
  (HEADING + LANE_HEIGHTS.batch + GAP) +
  2 * (HEADING + STRIP_HEIGHT) +
  AXIS_ROOM;

/**
 * Works out the picture.
 *
 * @param {Answer} answer
 * @param {Answer | null} ghost an earlier answer to show faintly behind it
 * @param {number} timeEnd seconds at which the axis ends
 * @param {Ends} ends
 * @param {number} width pixels
 * @returns {CacheFill}
 */
export function cacheFill(answer, ghost, timeEnd, ends, width) {
  const x = scaleLinear([0, timeEnd], [LEFT, width - RIGHT]);
  const { report, settings, columns } = answer;
  let top = MARK_ROOM;
  /** @param {keyof typeof LANE_HEIGHTS} name @param {number} end */
  const place = (name, end) => {
    const place = { name, end, top: top + HEADING, height: LANE_HEIGHTS[name], ticks: laneTicks(end) };
    top += HEADING + LANE_HEIGHTS[name] + GAP;
    return { ...place, y: scaleLinear([0, end], [place.height, 0]).clamp(true) };
  };
  const pages = place("pages", ends.pages);
  const queue = place("queue", ends.queue);
  const batch = place("batch", ends.batch);

  /** @param {Columns} of @param {Column} column @param {typeof pages} lane */
  const vertices = (of, column, { y }) => {
    const end = Math.min(timeEnd, of.end_s[of.end_s.length - 1]);
    const { times, values } = column(of);
    return stepLine(times, values, end, x).map(([pixel, value]) => /** @type {Vertex} */ ([pixel, y(value)]));
  };
  /** @param {Column} column @param {typeof pages} lane */
  const ghostPath = (column, lane) =>
    ghost === null ? [] : [{ className: "ghost", d: openPath(vertices(ghost.columns, column, lane)) }];

  const heldLine = vertices(columns, held, pages);
  const queueLine = vertices(columns, waiting, queue);
  const batchLine = vertices(columns, placesInUse, batch);
  const lanes = [
    {
      ...pages,
      title: WORDS.pagesLane,
      keys: [
        { className: "promised", text: WORDS.promised },
        { className: "held", text: WORDS.held },
      ],
      paths: [
        ...ghostPath(promised, pages),
        { className: "held area", d: closedPath(heldLine, pages.height) },
        { className: "promised line", d: openPath(vertices(columns, promised, pages)) },
      ],
      level: { className: "ceiling", y: pages.y(settings.pages), text: WORDS.ceiling(settings.pages) },
    },
    {
      ...queue,
      title: WORDS.queueLane,
      keys: [{ className: "queue", text: WORDS.waitingChats }],
      paths: [
        ...ghostPath(waiting, queue),
        { className: "queue area", d: closedPath(queueLine, queue.height) },
      ],
      level: null,
    },
    {
      ...batch,
      title: WORDS.batchLane,
      keys: [{ className: "batch", text: WORDS.places }],
      paths: [
        ...ghostPath(placesInUse, batch),
        { className: "batch area", d: closedPath(batchLine, batch.height) },
      ],
      level: { className: "limit", y: batch.y(settings.limit), text: WORDS.limit(settings.limit) },
    },
  ];

  const strips = [
    { name: "cache", title: WORDS.heldOutByCache(report.cache_steps), flags: columns.cache_held_out },
    { name: "batch", title: WORDS.heldOutByBatch(report.batch_steps), flags: columns.batch_held_out },
  ].map(({ name, title, flags }) => {
    const stripTop = top + HEADING;
    top += HEADING + STRIP_HEIGHT;
    const d = stretches(columns.start_s, columns.end_s, flags, timeEnd, x)
      .map(([from, to]) => `M${from.toFixed(1)},0H${to.toFixed(1)}V${STRIP_HEIGHT}H${from.toFixed(1)}Z`)
      .join("");
    return { name, title, top: stripTop, d };
  });

  const full_s = report.cache_full_s;
  const isShown = full_s !== null && full_s <= timeEnd;
  return {
    width,
    height: CACHE_FILL_HEIGHT,
    timeEnd,
    ticks: x.ticks(width < 500 ? 4 : 8),
    lanes: lanes.map(({ y: _, ...lane }) => lane),
    strips,
    bottom: top,
    mark: isShown ? { x: x(full_s), text: WORDS.firstHeldOut(full_s) } : null,
  };
}

// What the lanes show: values and the times from which they hold.

/** @type {Column} */
const promised = ({ start_s, promised }) => ({ times: start_s, values: promised });

/** @type {Column} */
const held = ({ start_s, held }) => ({ times: start_s, values: held });

/** @type {Column} */
const waiting = ({ start_s, queue }) => ({ times: start_s, values: queue });

/**
 * Places in use: none while the server sleeps between the end of one step and the start of the next.
 *
 * @type {Column}
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

/** @param {number} end */
function laneTicks(end) {
  return [0, end / 2, end];
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
function closedPath(vertices, foot) {
  if (vertices.length === 0) {
    return "";
  }
  const [first] = vertices[0];
  const [last] = vertices[vertices.length - 1];
  return `${openPath([[first, foot], ...vertices, [last, foot]])}Z`;
}

/**
 * Puts the picture into an <svg>, changing what is there already.
 *
 * @param {SVGSVGElement} svg
 * @param {CacheFill} picture
 */
export function drawCacheFill(svg, picture) {
  const { width, height, timeEnd, lanes, strips, mark, bottom } = picture;
  const root = select(svg).attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
  const right = width - RIGHT;

  const lane = root
    .selectAll("g.lane")
    .data(lanes, (each) => /** @type {Lane} */ (each).name)
    .join((enter) => {
      const added = enter.append("g").attr("class", (each) => `lane ${each.name}`);
      added.append("g").attr("class", "axis");
      added.append("g").attr("class", "paths");
      added.append("g").attr("class", "level").append("line");
      added.select(".level").append("text");
      added.append("g").attr("class", "heading");
      return added;
    })
    .attr("transform", (each) => `translate(0,${each.top})`);

  lane.each(function drawLane(each) {
    const group = select(this);
    const y = scaleLinear([0, each.end], [each.height, 0]);
    const axis = axisLeft(y).tickValues(each.ticks).tickFormat((value) => grouped(Number(value)));
    const axisGroup = /** @type {import("d3-selection").Selection<SVGGElement, unknown, null, undefined>} */ (
      group.select("g.axis")
    );
    axisGroup.attr("transform", `translate(${LEFT},0)`).call(axis.offset(0).tickSizeInner(0).tickSizeOuter(0).tickPadding(6));
    axisGroup.selectAll(".tick line").attr("x2", right - LEFT);
    group
      .select("g.paths")
      .selectAll("path")
      .data(each.paths, (path) => /** @type {Path} */ (path).className)
      .join("path")
      .attr("class", (path) => path.className)
      .attr("d", (path) => path.d)
      .order();
    const level = group.select("g.level").attr("display", each.level === null ? "none" : null);
    if (each.level !== null) {
      level.attr("class", `level ${each.level.className}`).attr("transform", `translate(0,${each.level.y})`);
      level.select("line").attr("x1", LEFT).attr("x2", right);
      level.select("text").attr("x", right).attr("dy", "-0.35em").text(each.level.text);
    }
    drawHeading(/** @type {SVGGElement} */ (group.select("g.heading").node()), each.title, each.keys);
  });

  const strip = root
    .selectAll("g.strip")
    .data(strips, (each) => /** @type {Strip} */ (each).name)
    .join((enter) => {
      const added = enter.append("g").attr("class", (each) => `strip ${each.name}`);
      added.append("rect").attr("class", "bed");
      added.append("path");
      added.append("text").attr("class", "title").attr("y", -6);
      return added;
    })
    .attr("transform", (each) => `translate(0,${each.top})`);
  strip.select("rect").attr("x", LEFT).attr("width", right - LEFT).attr("height", STRIP_HEIGHT);
  strip.select("path").attr("d", (each) => each.d);
  strip
    .select("text.title")
    .attr("x", LEFT)
    .text((each) => each.title);

  const time = scaleLinear([0, timeEnd], [LEFT, right]);
  const timeAxis = /** @type {import("d3-selection").Selection<SVGGElement, null, SVGSVGElement, unknown>} */ (
    root.selectAll("g.time").data([null]).join("g").attr("class", "time axis")
  );
  timeAxis
    .attr("transform", `translate(0,${bottom + 6})`)
    .call(axisBottom(time).offset(0).tickValues(picture.ticks).tickSizeOuter(0).tickFormat((value) => String(value)));
  root
    .selectAll("text.time-title")
    .data([WORDS.timeAxis])
    .join("text")
    .attr("class", "time-title")
    .attr("x", right)
    .attr("y", height - 4)
    .text((text) => text);

  const flag = root
    .selectAll("g.mark")
    .data(mark === null ? [] : [mark])
    .join((enter) => {
      const added = enter.append("g").attr("class", "mark");
      added.append("path");
      added.append("text");
      return added;
    })
    .attr("transform", (each) => `translate(${each.x},0)`);
  flag
    .selectAll("line")
    .data([...lanes.map(({ top, height: tall }) => [top, tall]), [strips[0].top, STRIP_HEIGHT]])
    .join("line")
    .attr("y1", ([top]) => top)
    .attr("y2", ([top, tall]) => top + tall);
  flag.select("path").attr("d", `M0,${MARK_ROOM - 6}V${MARK_ROOM}`);
  flag
    .select("text")
    .attr("y", MARK_ROOM - 8)
    .attr("text-anchor", (each) => (each.x > width / 2 ? "end" : "start"))
    .text((each) => each.text);
}

/**
 * The title of a lane, and after it what its marks mean.
 *
 * @param {SVGGElement} node
 * @param {string} title
 * @param {Key[]} keys
 */
function drawHeading(node, title, keys) {
  const heading = select(node);
  heading.selectAll("text.title").data([title]).join("text").attr("class", "title").attr("x", LEFT).attr("y", -8).text(title);
  const widthOf = (/** @type {string} */ text) => text.length * 6.4;
  let x = LEFT + widthOf(title) + 18;
  const placed = keys.map((key) => {
    const at = x;
    x += 18 + widthOf(key.text) + 14;
    return { ...key, x: at };
  });
  const key = heading
    .selectAll("g.key")
    .data(placed)
    .join((enter) => {
      const added = enter.append("g");
      added.append("rect").attr("y", -14).attr("width", 12).attr("height", 6);
      added.append("text").attr("x", 17).attr("y", -8);
      return added;
    })
    .attr("class", (each) => `key ${each.className}`)
    .attr("transform", (each) => `translate(${each.x},0)`);
  key.select("text").text((each) => each.text);
}
