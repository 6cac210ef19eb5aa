// A run whose arrays have come as plain lists, as the worker would send it.
import { COLUMN_NAMES, INTERVAL_NAMES } from "../../web/messages.js";

const SECONDS = new Set(["start_s", "end_s", "sent_s"]);

/** @param {readonly string[]} names @param {Record<string, number[]>} lists */
const typed = (names, lists) =>
  Object.fromEntries(
    names.map((name) => [name, SECONDS.has(name) ? Float64Array.from(lists[name]) : Int32Array.from(lists[name])]),
  );

/** @param {{settings: object, columns: Record<string, number[]>, intervals: Record<string, number[]>}} plain */
export function typedRun({ settings, columns, intervals }) {
  return { settings, columns: typed(COLUMN_NAMES, columns), intervals: typed(INTERVAL_NAMES, intervals) };
}
