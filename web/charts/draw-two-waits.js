/**
 * Puts the picture of two-waits.js into an <svg>, changing what is there already.
 */
import { select } from "d3-selection";
import { drawAxis } from "./draw-axis.js";

/** @typedef {import("./two-waits.js").TwoWaits} TwoWaits */

/**
 * @param {SVGSVGElement} svg
 * @param {TwoWaits} picture
 */
export function drawTwoWaits(svg, { width, height, left, right, barHeight, foot, panels }) {
  const root = select(svg).attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
  const panel = root
    .selectAll("g.panel")
    .data(panels)
    .join((enter) => {
      const added = enter.append("g");
      added.append("text").attr("class", "title").attr("y", 14);
      const growth = added.append("text").attr("class", "growth").attr("y", 41);
      growth.append("tspan").attr("class", "grew");
      growth.append("tspan").attr("class", "than").attr("dx", 6);
      return added;
    })
    .attr("class", ({ name }) => `panel ${name}`)
    .attr("transform", ({ x, y }) => `translate(${x},${y})`);
  panel.select("text.title").text(({ title }) => title);
  panel.select("tspan.grew").text(({ grew }) => grew);
  panel.select("tspan.than").text(({ than }) => than);

  panel
    .selectAll("g.axis")
    .data((each) => [each])
    .join("g")
    .attr("class", "axis")
    .attr("transform", `translate(0,${foot})`)
    .each(function drawTicks({ ticks }) {
      drawAxis(/** @type {SVGGElement} */ (this), "bottom", ticks, left, right);
    });

  const bar = panel
    .selectAll("g.bar")
    .data(({ bars }) => bars)
    .join((enter) => {
      const added = enter.append("g");
      added.append("text").attr("class", "label");
      added.append("rect").attr("class", "length");
      added.append("line").attr("class", "ghost");
      added.append("text").attr("class", "value");
      return added;
    })
    .attr("class", ({ name, isDimmed }) => `bar ${name}${isDimmed ? " dimmed" : ""}`)
    .attr("transform", ({ y }) => `translate(0,${y})`);
  bar
    .select("text.label")
    .attr("x", left - 8)
    .attr("y", barHeight / 2)
    .text(({ label }) => label);
  bar
    .select("rect.length")
    .attr("x", left)
    .attr("height", barHeight)
    .attr("width", (each) => each.width);
  bar
    .select("line.ghost")
    .attr("display", ({ before }) => (before === null ? "none" : null))
    .attr("x1", ({ before }) => left + (before ?? 0))
    .attr("x2", ({ before }) => left + (before ?? 0))
    .attr("y1", -4)
    .attr("y2", barHeight + 4);
  bar
    .select("text.value")
    .attr("x", (each) => left + each.width + 8)
    .attr("y", barHeight / 2)
    .text(({ text }) => text);
}
