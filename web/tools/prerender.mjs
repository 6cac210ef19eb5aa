// Writes a page of dist/ from its template.
//
//   node prerender.mjs BUNDLE TEMPLATE OUT_FILE NAMES FIGURES
//
// BUNDLE is web/prerender.js, bundled for Node. NAMES is JSON: each file that the template names -> its name in dist/.
// FIGURES is a file of JSON: what lesson_figures.py made of the template.

import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [bundle, template, outFile, names, figures] = process.argv.slice(2);
if (figures === undefined) {
  console.error("usage: node prerender.mjs BUNDLE TEMPLATE OUT_FILE NAMES FIGURES");
  process.exit(2);
}
const { renderPage } = await import(pathToFileURL(resolve(bundle)).href);
try {
  const html = renderPage(await readFile(template, "utf-8"), JSON.parse(names), JSON.parse(await readFile(figures, "utf-8")));
  await writeFile(outFile, html);
} catch (error) {
  console.error(`prerender.mjs: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
