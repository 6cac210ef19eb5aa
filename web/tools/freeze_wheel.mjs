// Writes the Pyodide lock file with which the page boots: it names our wheel, with its SHA-256, and nothing else.
//
//   node freeze_wheel.mjs PYODIDE_FOLDER OUR_WHEEL LOCK_FILE INSTALLER_WHEEL...
//
// The wheel is installed here once, at build time, in the same Pyodide that the page will run; the
// installer wheels (micropip and what it needs) are unpacked for that and do not reach the page.

import { readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * @param {string} pyodideFolder the npm package `pyodide`
 * @param {string} wheel
 * @param {string[]} installerWheels
 * @returns {Promise<string>} the text of the lock file
 */
async function freeze(pyodideFolder, wheel, installerWheels) {
  const folder = resolve(pyodideFolder);
  /** @type {typeof import("pyodide")} */
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
  const pyodide = await loadPyodide({ indexURL: folder });

  for (const installerWheel of installerWheels) {
    pyodide.unpackArchive(new Uint8Array(await readFile(installerWheel)), "wheel");
  }

  const wheelName = basename(wheel);
  pyodide.FS.writeFile(`/${wheelName}`, new Uint8Array(await readFile(wheel)));
  const micropip = pyodide.pyimport("micropip");
  await micropip.install.callKwargs(`emfs:/${wheelName}`, { deps: false });
  const frozen = JSON.parse(micropip.freeze());

  // The frozen lock holds all of Pyodide's own packages too; the page needs none of them.
  const packageName = wheelName.split("-")[0];
  const entry = frozen.packages[packageName];
  if (!entry?.sha256) {
    throw new Error(`micropip froze no entry with a SHA-256 for ${packageName}`);
  }
  // Relative, so that the page takes the wheel from beside the lock file, wherever that is served.
  entry.file_name = wheelName;

  const lock = { info: frozen.info, packages: { [packageName]: entry } };
  return `${JSON.stringify(lock, null, 2)}\n`;
}

const [pyodideFolder, wheel, lockFile, ...installerWheels] = process.argv.slice(2);
if (installerWheels.length === 0) {
  console.error("usage: node freeze_wheel.mjs PYODIDE_FOLDER OUR_WHEEL LOCK_FILE INSTALLER_WHEEL...");
  process.exit(2);
}
try {
  await writeFile(lockFile, await freeze(pyodideFolder, wheel, installerWheels));
} catch (error) {
  // Node would print the megabyte-long line of Pyodide in which the error arose.
  console.error(`freeze_wheel.mjs: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
