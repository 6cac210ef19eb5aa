/**
 * A page around the editor of the program, with a Python that is only told of: a test tells it what each run gives.
 */
import firstAnswer from "first-answer";
import source from "program";
import { typedAnswer } from "../../web/messages.js";
import { mountYours } from "../../web/yours.js";
import { wordsOf } from "../../web/words/languages.js";

const { chosen } = typedAnswer(firstAnswer);
const LIMITS = { run_ms: 2000, heap_bytes: 128 * 2 ** 20 };
const MODULES = ["bisect", "collections", "math"];

/** How a run fares, by a word that stands in the program; the first that fits counts. */
const OUTCOMES = {
  FAULT: () => broken("before it\n", troubleOf("exception", 61, "Nothing is called FAULT."), partOf(400)),
  ENDLESS: () => broken("", troubleOf("endless", 35, "It did not end."), partOf(40)),
  NONE: () => broken("", troubleOf("broken", null, "serve() gave back None instead of a Run."), null),
  SLOWER: () => ({ printed: "a\nb\n", trouble: null, run: slower() }),
};

function broken(printed, trouble, run) {
  return { printed, trouble, run };
}

function troubleOf(kind, line, message) {
  return { kind, line, message, traceback: `Traceback (most recent call last):\n  line ${line}\nError: ${message}` };
}

/** What was done in the first steps of the lesson's run, without a report. */
function partOf(steps) {
  const columns = Object.entries(chosen.columns).map(([name, values]) => [name, values.slice(0, steps)]);
  return { report: null, columns: Object.fromEntries(columns), intervals: null };
}

function slower() {
  const report = { ...chosen.report, ttft_p99_s: 5.25, queue_max: 90, wall: "both", cache_steps: 12 };
  const columns = { ...chosen.columns, queue: chosen.columns.queue.map((waiting) => waiting + 9) };
  return { report, columns, intervals: null };
}

window.fake = {
  settings: chosen.settings,
  runs: [],
  calls: [],
  results: [],
  isThere: true,
};

async function run(program, settings) {
  window.fake.runs.push({ program, settings });
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (!window.fake.isThere) {
    throw new Error("there is no Python");
  }
  const [, outcome] = Object.entries(OUTCOMES).find(([word]) => program.includes(word)) ?? [];
  const fared = outcome?.() ?? { printed: "", trouble: null, run: { ...chosen, intervals: null } };
  return { settings, ...fared };
}

window.fake.mounted = mountYours(document.querySelector("#yours"), {
  words: wordsOf("en"),
  source,
  modules: MODULES,
  limits: LIMITS,
  settings: () => window.fake.settings,
  run,
  stop: () => window.fake.calls.push("stop"),
  prepare: () => window.fake.calls.push("prepare"),
  status: () => ({ stage: "idle", loaded_bytes: 0, total_bytes: 0, failure: null }),
  listen: () => () => {},
  lessonAnswer: async (settings) => ({ ...chosen, settings }),
  onResult: (result) => window.fake.results.push(result),
});
