/**
 * A worker with the page's Pyodide and nothing else, in which tests/bench/drag.py times the program. The
 * page is told "ready", and then the seconds of the runs that it asks for.
 */
import { loadPyodide } from "./pyodide/pyodide.mjs";

const python = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
const sources = await fetch(new URL("./sources.zip", import.meta.url));
python.unpackArchive(await sources.arrayBuffer(), "zip");
const { run_seconds: runSeconds } = python.pyimport("serve_and_report");

self.onmessage = ({ data: { rate, pages, limit, runs } }) => {
  const seconds = runSeconds(rate, pages, limit, runs);
  self.postMessage(seconds.toJs());
  seconds.destroy();
};
self.postMessage("ready");
