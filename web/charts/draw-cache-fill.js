/**
 * Puts the picture of cache-fill.js into an <svg>, changing what is there already.
 */
import { select } from "d3-selection";
import { drawAxis } from "./draw-axis.js";
import { put, say } from "./put.js";

/** @typedef {import("./cache-fill.js").CacheFill} CacheFill */
/** @typedef {import("./cache-fill.js").Lane} Lane */

/**
 * @param {SVGSVGElement} svg
 * @param {CacheFill} picture
 */
export function drawCacheFill(svg, picture) {
  const { width, height, left, right, lanes, strips, bottom, mark } = picture;
  const root = put(select(svg), { viewBox: `0 0 ${width} ${height}`, width, height });

  const lane = root.selectAll("g.lane").data(lanes).join("g");
  put(lane, { class: ({ name }) => `lane ${name}`, transform: ({ top }) => `translate(0,${top})` });
  lane.each(function drawEach(each) {
    drawLane(/** @type {SVGGElement} */ (this), each, left, right);
  });

  const strip = root
    .selectAll("g.strip")
    .data(strips)
    .join((enter) => {
      const added = enter.append("g");
      added.append("rect").attr("class", "bed");
      added.append("path");
      added.append("text");
      return added;
    });
  put(strip, { class: ({ name }) => `strip ${name}`, transform: ({ top }) => `translate(0,${top})` });
  put(strip.select("rect"), { x: left, width: right - left, height: (each) => each.height });
  put(strip.select("path"), { d: ({ d }) => d });
  say(put(strip.select("text"), { x: left, y: (each) => each.height + 13 }), ({ text }) => text);

  const time = put(root.selectAll("g.time").data([picture]).join("g"), {
    class: "time axis",
    transform: `translate(0,${bottom})`,
  });
  drawAxis(/** @type {SVGGElement} */ (time.node()), "bottom", picture.ticks, left, right);
  const timeTitle = root.selectAll("text.time-title").data([picture.timeTitle]).join("text");
  say(put(timeTitle, { class: "time-title", x: right, y: height - 4 }), (text) => text);

  const flag = root
    .selectAll("g.mark")
    .data(mark === null ? [] : [mark])
    .join((enter) => {
      const added = enter.append("g").attr("class", "mark");
      added.append("text");
      return added;
    });
  const stem = flag
    .selectAll("line")
    .data((each) => each.stems.map((ends) => ({ ...ends, x: each.x })))
    .join("line");
  put(stem, { x1: ({ x }) => x, x2: ({ x }) => x, y1: ({ from }) => from, y2: ({ to }) => to });
  say(put(flag.select("text"), { x: ({ textX }) => textX, y: 11 }), ({ text }) => text);
}

/**
 * Draws the moment that is looked at, and nothing else of the chart.
 *
 * @param {SVGSVGElement} svg
 * @param {import("./cache-fill.js").Cursor | null} cursor
 */
export function drawCursor(svg, cursor) {
  const group = select(svg)
    .selectAll("g.cursor")
    .data(cursor === null ? [] : [cursor])
    .join("g")
    .attr("class", "cursor");
  const stem = group
    .selectAll("line")
    .data((each) => each.stems)
    .join("line");
  put(stem, { y1: ({ from }) => from, y2: ({ to }) => to });
  put(group, { transform: ({ x }) => `translate(${x},0)` });
}

/**
 * @param {SVGGElement} node
 * @param {Lane} lane
 * @param {number} left
 * @param {number} right
 */
function drawLane(node, lane, left, right) {
  const group = select(node);
  const axis = put(group.selectAll("g.axis").data([lane]).join("g"), { class: "axis" });
  drawAxis(/** @type {SVGGElement} */ (axis.node()), "left", lane.ticks, left, right);
  const path = put(group.selectAll("g.paths").data([lane.paths]).join("g"), { class: "paths" })
    .selectAll("path")
    .data((paths) => paths)
    .join("path");
  put(path, { class: ({ className }) => className, d: ({ d }) => d });

  const level = group
    .selectAll("g.level")
    .data(lane.level === null ? [] : [lane.level])
    .join((enter) => {
      const added = enter.append("g").attr("class", "level");
      added.append("line");
      added.append("text").attr("dy", "-0.35em");
      return added;
    });
  put(level, { transform: ({ y }) => `translate(0,${y})` });
  put(level.select("line"), { x1: left, x2: right });
  say(put(level.select("text"), { x: right }), ({ text }) => text);

  const title = group.selectAll("text.title").data([lane.title]).join("text");
  say(put(title, { class: "title", x: left, y: -9 }), (text) => text);
  const key = group
    .selectAll("g.key")
    .data(lane.keys)
    .join((enter) => {
      const added = enter.append("g");
      added.append("rect").attr("y", -16).attr("width", 12).attr("height", 8);
      added.append("text").attr("x", 17).attr("y", -9);
      return added;
    });
  put(key, { class: ({ className }) => `key ${className}`, transform: ({ x }) => `translate(${x},0)` });
  say(key.select("text"), ({ text }) => text);
}
