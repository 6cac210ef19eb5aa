// A run whose arrays have come as plain lists, as the worker would send it.
import { typedAnswer, typedIntervals } from "../../web/messages.js";

/** @param {{settings: object, columns: Record<string, number[]>, intervals: Record<string, number[]>}} plain */
export function typedRun({ settings, columns, intervals }) {
  const { chosen } = typedAnswer({ chosen: { settings, columns }, light: null });
  return { settings, columns: chosen.columns, intervals: typedIntervals(intervals) };
}
