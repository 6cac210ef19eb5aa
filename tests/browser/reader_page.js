/**
 * A page without a surface: the Python for a reader's program, asked through `reader`.
 */
import { READER_LIMITS } from "../../web/limits.js";
import { Failed } from "../../web/messages.js";
import { Parts } from "../../web/parts.js";
import { ReaderPython } from "../../web/reader-python.js";

const python = new ReaderPython(new Parts(new URL(location.href)), READER_LIMITS);
const SETTINGS = { rate: 40, pages: 240, limit: 16, shuffle: 0 };

/** What was printed, what went wrong, and whether there is something to draw; or why there is no Python. */
async function run(source, settings = SETTINGS) {
  try {
    const { printed, trouble, run } = await python.run(source, { ...SETTINGS, ...settings });
    return { printed, trouble, isDrawn: run !== null };
  } catch (error) {
    return { failure: error instanceof Failed ? error.failure.kind : String(error) };
  }
}

window.reader = {
  run,
  stop: () => python.stop(),
  prepare: () => python.prepare(),
  stage: () => python.status.stage,
};
