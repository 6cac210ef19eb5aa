/**
 * The chart "The two waits": p99 of the first word and of the gap, at the light load and at the chosen one.
 *
 * `twoWaits` works out the picture as plain numbers and text; `drawTwoWaits` puts it into an <svg>.
 */
import { axisBottom } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { grouped, milliseconds, plainSeconds } from "../format.js";
import { LIGHT_RATE } from "../settings.js";
import { WORDS } from "../words.js";

/** @typedef {import("../messages.js").Report} Report */
/** @typedef {import("../axis-ends.js").Ends} Ends */
/** What a bar needs to know of a load.
 * @typedef {{rate: number, ttft_p99_s: number, tbt_p99_s: number | null}} Load */
/** @typedef {{name: "light" | "chosen", label: string, y: number, width: number, ghostWidth: number | null,
 *   text: string, isDimmed: boolean}} Bar */
/** @typedef {{name: "first-word" | "gap", title: string, grew: string, unit: string, left: number, top: number,
 *   width: number, end: number, ticks: number[], bars: Bar[]}} Panel */
/** @typedef {{width: number, height: number, panels: Panel[]}} TwoWaits */

const LABEL_ROOM = 78; // left of the bars
const VALUE_ROOM = 62; // right of the longest bar
const TITLE_ROOM = 44;
const BAR_HEIGHT = 24;
const BAR_STEP = 34;
const AXIS_ROOM = 34;
const PANEL_HEIGHT = TITLE_ROOM + 2 * BAR_STEP + AXIS_ROOM;
const SIDE_BY_SIDE = 640; // pixels from which on the two panels stand side by side
const BETWEEN = 32;

/** @param {number} width pixels */
export function twoWaitsHeight(width) {
  return width < SIDE_BY_SIDE ? 2 * PANEL_HEIGHT + 12 : PANEL_HEIGHT;
}

/**
 * Works out the picture. Without the light run its bars are empty and nothing is said to have grown.
 *
 * @param {Load} chosen
 * @param {Load | null} light
 * @param {Load | null} ghost an earlier chosen load, to show faintly
 * @param {Ends} ends
 * @param {number} width pixels
 * @returns {TwoWaits}
 */
export function twoWaits(chosen, light, ghost, ends, width) {
  const isWide = width >= SIDE_BY_SIDE;
  const panelWidth = isWide ? (width - BETWEEN) / 2 : width;
  const measures = /** @type {const} */ ([
    { name: "first-word", key: "ttft_p99_s", title: WORDS.firstWordTitle, unit: WORDS.seconds },
    { name: "gap", key: "tbt_p99_s", title: WORDS.gapTitle, unit: WORDS.milliseconds },
  ]);
  const panels = measures.map(({ name, key, title, unit }, at) => {
    const isGap = name === "gap";
    const end = isGap ? ends.gap_ms : ends.firstWord_s;
    const inUnit = (/** @type {number} */ seconds) => (isGap ? seconds * 1000 : seconds);
    const x = scaleLinear([0, end], [0, panelWidth - LABEL_ROOM - VALUE_ROOM]);
    const asText = (/** @type {number | null} */ seconds) => {
      if (seconds === null) {
        return WORDS.noGap;
      }
      return isGap ? `${milliseconds(seconds)} ${unit}` : `${plainSeconds(seconds)} ${unit}`;
    };
    /** @param {"light" | "chosen"} barName @param {Load | null} load @param {number} row @returns {Bar} */
    const bar = (barName, load, row) => ({
      name: barName,
      label: WORDS.light(barName === "light" ? LIGHT_RATE : chosen.rate),
      y: TITLE_ROOM + row * BAR_STEP,
      width: load === null ? 0 : x(inUnit(load[key] ?? 0)),
      ghostWidth: barName === "chosen" && ghost !== null ? x(Math.min(end, inUnit(ghost[key] ?? 0))) : null,
      text: load === null ? "…" : asText(load[key]),
      isDimmed: load === null,
    });
    const lightWait = light?.[key] ?? null;
    const chosenWait = chosen[key];
    return {
      name,
      title,
      grew: lightWait === null || chosenWait === null ? "" : WORDS.grew(chosenWait / lightWait),
      unit,
      left: isWide ? at * (panelWidth + BETWEEN) : 0,
      top: isWide ? 0 : at * (PANEL_HEIGHT + 12),
      width: panelWidth,
      end,
      ticks: [0, end / 4, end / 2, (3 * end) / 4, end],
      bars: [bar("light", light, 0), bar("chosen", chosen, 1)],
    };
  });
  return { width, height: twoWaitsHeight(width), panels };
}

/**
 * Puts the picture into an <svg>, changing what is there already.
 *
 * @param {SVGSVGElement} svg
 * @param {TwoWaits} picture
 */
export function drawTwoWaits(svg, { width, height, panels }) {
  const root = select(svg).attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
  const panel = root
    .selectAll("g.panel")
    .data(panels, (each) => /** @type {Panel} */ (each).name)
    .join((enter) => {
      const added = enter.append("g").attr("class", (each) => `panel ${each.name}`);
      added.append("text").attr("class", "title").attr("y", 14);
      added.append("text").attr("class", "grew").attr("y", 33);
      added.append("g").attr("class", "axis");
      added.append("g").attr("class", "bars");
      return added;
    })
    .attr("transform", (each) => `translate(${each.left},${each.top})`);
  panel.select("text.title").text((each) => each.title);
  panel.select("text.grew").text((each) => each.grew || WORDS.ninetyNinth);
  panel.each(function drawPanel(each) {
    const group = select(this);
    const right = each.width - VALUE_ROOM;
    const foot = TITLE_ROOM + 2 * BAR_STEP;
    const axis = axisBottom(scaleLinear([0, each.end], [LABEL_ROOM, right]))
      .offset(0)
      .tickValues(each.ticks)
      .tickSizeOuter(0)
      .tickFormat((value) => (Number(value) === each.end ? `${grouped(Number(value))} ${each.unit}` : grouped(Number(value))));
    const axisGroup = /** @type {import("d3-selection").Selection<SVGGElement, unknown, null, undefined>} */ (
      group.select("g.axis")
    );
    axisGroup.attr("transform", `translate(0,${foot})`).call(axis);
    const bar = group
      .select("g.bars")
      .selectAll("g.bar")
      .data(each.bars, (one) => /** @type {Bar} */ (one).name)
      .join((enter) => {
        const added = enter.append("g");
        added.append("text").attr("class", "label").attr("x", LABEL_ROOM - 8).attr("y", BAR_HEIGHT / 2);
        added.append("rect").attr("class", "ghost").attr("x", LABEL_ROOM).attr("height", BAR_HEIGHT);
        added.append("rect").attr("class", "length").attr("x", LABEL_ROOM).attr("height", BAR_HEIGHT);
        added.append("text").attr("class", "value").attr("y", BAR_HEIGHT / 2);
        return added;
      })
      .attr("class", (one) => `bar ${one.name}${one.isDimmed ? " dimmed" : ""}`)
      .attr("transform", (one) => `translate(0,${one.y})`);
    bar.select("text.label").text((one) => one.label);
    bar.select("rect.length").attr("width", (one) => one.width);
    bar.select("rect.ghost").attr("width", (one) => one.ghostWidth ?? 0);
    bar
      .select("text.value")
      .attr("x", (one) => LABEL_ROOM + one.width + 7)
      .text((one) => one.text);
  });
}

/**
 * What the bars need of a report.
 *
 * @param {number} rate
 * @param {Report} report
 * @returns {Load}
 */
export function loadOf(rate, { ttft_p99_s, tbt_p99_s }) {
  return { rate, ttft_p99_s, tbt_p99_s };
}
