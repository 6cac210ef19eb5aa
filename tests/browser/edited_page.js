/**
 * A page without a surface: Python twice, for the lesson's program and for a reader's own, started from one set of
 * parts. A test asks through `engine`.
 */
import { READER_LIMITS } from "../../web/limits.js";
import { Parts } from "../../web/parts.js";
import { Python } from "../../web/python.js";

const parts = new Parts(new URL(location.href));
const pythons = { lesson: new Python(parts), yours: new Python(parts, READER_LIMITS) };

/** JSON of what came, its typed arrays as lists. @param {unknown} value */
function asJson(value) {
  const asList = (part) => (ArrayBuffer.isView(part) ? Array.from(part) : part);
  return JSON.stringify(value, (_key, part) => asList(part));
}

/**
 * Asks one of the two and says how it ended, and after how long; starts it before if need be.
 *
 * @param {keyof typeof pythons} whose
 * @param {import("../../web/messages.js").Task} task
 */
async function ask(whose, task) {
  const python = pythons[whose];
  python.start();
  await isReady(python);
  const start_ms = performance.now();
  try {
    const result = await python.ask(task);
    return asJson({ result, took_s: (performance.now() - start_ms) / 1000 });
  } catch (error) {
    const took_s = (performance.now() - start_ms) / 1000;
    return asJson({ error: String(error), failure: python.status.failure, took_s });
  }
}

/** Ends one of the two; the next question starts it anew. @param {keyof typeof pythons} whose */
function stop(whose) {
  pythons[whose].stop();
}

/** @param {Python} python @returns {Promise<void>} */
function isReady(python) {
  return new Promise((resolve) => {
    const end = python.listen(look);
    function look() {
      if (python.status.stage === "ready" || python.status.stage === "failed") {
        end();
        resolve();
      }
    }
    look();
  });
}

Object.assign(globalThis, { engine: { ask, stop, READER_LIMITS } });
