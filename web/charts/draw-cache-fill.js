/**
 * Puts the picture of cache-fill.js into an <svg>, changing what is there already.
 */
import { select } from "d3-selection";
import { drawAxis } from "./draw-axis.js";

/** @typedef {import("./cache-fill.js").CacheFill} CacheFill */
/** @typedef {import("./cache-fill.js").Lane} Lane */

/**
 * @param {SVGSVGElement} svg
 * @param {CacheFill} picture
 */
export function drawCacheFill(svg, picture) {
  const { width, height, left, right, lanes, strips, bottom, mark } = picture;
  const root = select(svg).attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);

  root
    .selectAll("g.lane")
    .data(lanes)
    .join("g")
    .attr("class", (lane) => `lane ${lane.name}`)
    .attr("transform", (lane) => `translate(0,${lane.top})`)
    .each(function drawEach(lane) {
      drawLane(/** @type {SVGGElement} */ (this), lane, left, right);
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
    })
    .attr("class", ({ name }) => `strip ${name}`)
    .attr("transform", ({ top }) => `translate(0,${top})`);
  strip
    .select("rect")
    .attr("x", left)
    .attr("width", right - left)
    .attr("height", (each) => each.height);
  strip.select("path").attr("d", ({ d }) => d);
  strip
    .select("text")
    .attr("x", left)
    .attr("y", (each) => each.height + 13)
    .text(({ text }) => text);

  const time = root.selectAll("g.time").data([picture]).join("g").attr("class", "time axis");
  time.attr("transform", `translate(0,${bottom})`);
  drawAxis(/** @type {SVGGElement} */ (time.node()), "bottom", picture.ticks, left, right);
  root
    .selectAll("text.time-title")
    .data([picture.timeTitle])
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
      added.append("text");
      return added;
    })
    .raise();
  flag
    .selectAll("line")
    .data((each) => each.stems.map((stem) => ({ ...stem, x: each.x })))
    .join("line")
    .attr("x1", ({ x }) => x)
    .attr("x2", ({ x }) => x)
    .attr("y1", ({ from }) => from)
    .attr("y2", ({ to }) => to);
  flag
    .select("text")
    .attr("x", ({ textX }) => textX)
    .attr("y", 11)
    .text(({ text }) => text);
}

/**
 * @param {SVGGElement} node
 * @param {Lane} lane
 * @param {number} left
 * @param {number} right
 */
function drawLane(node, lane, left, right) {
  const group = select(node);
  const axis = group.selectAll("g.axis").data([lane]).join("g").attr("class", "axis");
  drawAxis(/** @type {SVGGElement} */ (axis.node()), "left", lane.ticks, left, right);
  group
    .selectAll("g.paths")
    .data([lane.paths])
    .join("g")
    .attr("class", "paths")
    .selectAll("path")
    .data((paths) => paths)
    .join("path")
    .attr("class", ({ className }) => className)
    .attr("d", ({ d }) => d);

  const level = group
    .selectAll("g.level")
    .data(lane.level === null ? [] : [lane.level])
    .join((enter) => {
      const added = enter.append("g").attr("class", "level");
      added.append("line");
      added.append("text").attr("dy", "-0.35em");
      return added;
    })
    .attr("transform", ({ y }) => `translate(0,${y})`);
  level.select("line").attr("x1", left).attr("x2", right);
  level
    .select("text")
    .attr("x", right)
    .text(({ text }) => text);

  group
    .selectAll("text.title")
    .data([lane.title])
    .join("text")
    .attr("class", "title")
    .attr("x", left)
    .attr("y", -9)
    .text((text) => text);
  const key = group
    .selectAll("g.key")
    .data(lane.keys)
    .join((enter) => {
      const added = enter.append("g");
      added.append("rect").attr("y", -16).attr("width", 12).attr("height", 8);
      added.append("text").attr("x", 17).attr("y", -9);
      return added;
    })
    .attr("class", ({ className }) => `key ${className}`)
    .attr("transform", ({ x }) => `translate(${x},0)`);
  key.select("text").text(({ text }) => text);
}
