/**
 * Puts the picture of settings-bars.js into an <svg>.
 */
import { select } from "d3-selection";
import { put, say } from "./put.js";

/**
 * @param {SVGSVGElement} svg
 * @param {import("./settings-bars.js").SettingsBars} picture
 */
export function drawSettingsBars(svg, { width, height, left, barHeight, title, bars }) {
  const root = put(select(svg), { viewBox: `0 0 ${width} ${height}`, width, height });
  const heading = root.selectAll("text.title").data([title]).join("text");
  say(put(heading, { class: "title", x: 0, y: 14 }), (text) => text);

  const bar = root
    .selectAll("g.bar")
    .data(bars)
    .join((enter) => {
      const added = enter.append("g");
      added.append("rect").attr("class", "length");
      added.append("text").attr("class", "setting");
      const value = added.append("text").attr("class", "value");
      value.append("tspan").attr("class", "figure-of-bar");
      value.append("tspan").attr("class", "wall-of-bar").attr("dx", 10);
      return added;
    });
  put(bar, { class: "bar chosen", transform: ({ y }) => `translate(0,${y})` });
  put(bar.select("rect.length"), { x: left, height: barHeight, width: (each) => each.width });
  const label = put(bar.select("text.setting"), { x: 0, y: left === 0 ? -10 : barHeight / 2 });
  say(label, (each) => each.label);
  put(bar.select("text.value"), { x: (each) => left + each.width + 8, y: barHeight / 2 });
  say(bar.select("tspan.figure-of-bar"), ({ text }) => text);
  say(bar.select("tspan.wall-of-bar"), ({ wall }) => wall);
}
