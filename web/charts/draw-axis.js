/**
 * Draws an axis whose ticks have been worked out: at so many pixels, with such a text.
 */
import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { hasChanged } from "../changed.js";

/** @typedef {{at: number, text: string}} Tick */

/**
 * An axis at the bottom has short ticks below it; one at the left has lines across, from `left` to `right`.
 *
 * @param {SVGGElement} node
 * @param {"bottom" | "left"} side
 * @param {Tick[]} ticks
 * @param {number} left pixels at which the axis, or its lines across, begin
 * @param {number} right and at which they end
 */
export function drawAxis(node, side, ticks, left, right) {
  if (!hasChanged(node, [side, left, right, ...ticks.flatMap(({ at, text }) => [at, text])])) {
    return;
  }
  const textAt = new Map(ticks.map(({ at, text }) => [at, text]));
  const ends = side === "bottom" ? [left, right] : [ticks[0].at, ticks[ticks.length - 1].at];
  const pixels = scaleLinear(ends, ends); // the ticks are in pixels already
  const axis = (side === "bottom" ? axisBottom(pixels) : axisLeft(pixels))
    .offset(0)
    .tickValues(ticks.map(({ at }) => at))
    .tickFormat((at) => textAt.get(Number(at)) ?? "")
    .tickSizeOuter(0);
  if (side === "left") {
    axis.tickSizeInner(left - right).tickPadding(6);
  }
  const group = /** @type {import("d3-selection").Selection<SVGGElement, unknown, null, undefined>} */ (select(node));
  group.call(axis);
  if (side === "left") {
    group.attr("transform", `translate(${left},0)`);
  }
}
