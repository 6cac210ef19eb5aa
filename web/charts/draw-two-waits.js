/**
 * Puts the picture of two-waits.js into an <svg>, changing what is there already.
 */
import { select } from "d3-selection";
import { drawAxis } from "./draw-axis.js";
import { put, say } from "./put.js";

/** @typedef {import("./two-waits.js").TwoWaits} TwoWaits */

/**
 * @param {SVGSVGElement} svg
 * @param {TwoWaits} picture
 */
export function drawTwoWaits(svg, { width, height, left, right, barHeight, foot, panels }) {
  const root = put(select(svg), { viewBox: `0 0 ${width} ${height}`, width, height });
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
    });
  put(panel, { class: ({ name }) => `panel ${name}`, transform: ({ x, y }) => `translate(${x},${y})` });
  say(panel.select("text.title"), ({ title }) => title);
  say(panel.select("tspan.grew"), ({ grew }) => grew);
  say(panel.select("tspan.than"), ({ than }) => than);

  const axis = panel
    .selectAll("g.axis")
    .data((each) => [each])
    .join("g");
  put(axis, { class: "axis", transform: `translate(0,${foot})` });
  axis.each(function drawTicks({ ticks }) {
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
    });
  put(bar, {
    class: ({ name, isDimmed }) => `bar ${name}${isDimmed ? " dimmed" : ""}`,
    transform: ({ y }) => `translate(0,${y})`,
  });
  const label = put(bar.select("text.label"), { x: left - 8, y: barHeight / 2 });
  say(label, (each) => each.label);
  put(bar.select("rect.length"), { x: left, height: barHeight, width: (each) => each.width });
  put(bar.select("line.ghost"), {
    display: ({ before }) => (before === null ? "none" : null),
    x1: ({ before }) => left + (before ?? 0),
    x2: ({ before }) => left + (before ?? 0),
    y1: -4,
    y2: barHeight + 4,
  });
  const value = put(bar.select("text.value"), { x: (each) => left + each.width + 8, y: barHeight / 2 });
  say(value, ({ text }) => text);
}
