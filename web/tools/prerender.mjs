// Writes a page of dist/ from its template.
//
//   node prerender.mjs BUNDLE TEMPLATE OUT_FILE NAMES
//
// BUNDLE is web/prerender.js, bundled for Node; NAMES is JSON: each file that the template names -> its name in dist/.

import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [bundle, template, outFile, names] = process.argv.slice(2);
if (names === undefined) {
  console.error("usage: node prerender.mjs BUNDLE TEMPLATE OUT_FILE NAMES");
  process.exit(2);
}
const { renderPage } = await import(pathToFileURL(resolve(bundle)).href);
await writeFile(outFile, renderPage(await readFile(template, "utf-8"), JSON.parse(names)));
