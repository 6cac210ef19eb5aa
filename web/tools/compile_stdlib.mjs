// Makes the standard library with which the page boots: only the modules that are used, compiled.
//
//   node compile_stdlib.mjs PYODIDE_FOLDER OUR_WHEEL OUT_ZIP
//
// The work is done by compile_stdlib.py inside the very Pyodide that the page will run, since compiled files fit
// only the Python that made them. The result is then booted once, so that a module left out fails the build.

import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const SCRIPT = join(dirname(fileURLToPath(import.meta.url)), "compile_stdlib.py");
const WHEEL = "/lib/tinyserve.whl"; // where the wheel and the new library stand in Pyodide's file system
const OUT_ZIP = "/lib/new_stdlib.zip";

/**
 * @param {string} folder the npm package `pyodide`
 * @param {Uint8Array} wheel
 * @param {string} [stdLibURL] the library to boot with, if not Pyodide's own
 */
async function boot(folder, wheel, stdLibURL) {
  /** @type {typeof import("pyodide")} */
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
  // A fixed seed: the order inside compiled sets depends on it.
  const python = await loadPyodide({ indexURL: folder, stdLibURL, env: { PYTHONHASHSEED: "0" } });
  python.FS.writeFile(WHEEL, wheel);
  python.pyimport("sys").path.append(WHEEL);
  python.runPython(await readFile(SCRIPT, "utf8"));
  return python;
}

/** @param {string} folder @param {string} wheelFile @param {string} outFile */
async function compileStdlib(folder, wheelFile, outFile) {
  const wheel = new Uint8Array(await readFile(wheelFile));
  const stock = await boot(folder, wheel);
  stock.globals.get("write_stdlib")(OUT_ZIP);
  await writeFile(outFile, stock.FS.readFile(OUT_ZIP));

  const trimmed = await boot(folder, wheel, outFile);
  trimmed.globals.get("use_all")();
}

const [pyodideFolder, wheel, outFile] = process.argv.slice(2);
if (outFile === undefined) {
  console.error("usage: node compile_stdlib.mjs PYODIDE_FOLDER OUR_WHEEL OUT_ZIP");
  process.exit(2);
}
try {
  await compileStdlib(resolve(pyodideFolder), wheel, resolve(outFile));
} catch (error) {
  // Node would print the megabyte-long line of Pyodide in which the error arose.
  console.error(`compile_stdlib.mjs: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
