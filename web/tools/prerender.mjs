// Writes the pages of dist/ from their templates, and the lesson's drawings.
//
//   node prerender.mjs BUNDLE FIGURES NAMES OUT_FOLDER TEMPLATE...
//
// BUNDLE is web/prerender.js, bundled for Node. FIGURES is a file of JSON, made by lesson_figures.py. NAMES is JSON:
// each file that the templates name -> its name in dist/.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [bundle, figuresFile, names, outFolder, ...templates] = process.argv.slice(2);
if (templates.length === 0) {
  console.error("usage: node prerender.mjs BUNDLE FIGURES NAMES OUT_FOLDER TEMPLATE...");
  process.exit(2);
}
const { renderDrawings, renderPage } = await import(pathToFileURL(resolve(bundle)).href);
try {
  const figures = JSON.parse(await readFile(figuresFile, "utf-8"));
  for (const template of templates) {
    const html = renderPage(await readFile(template, "utf-8"), JSON.parse(names), figures);
    await writeFile(join(outFolder, basename(template)), html);
  }
  const drawings = join(outFolder, "figs");
  await mkdir(drawings, { recursive: true });
  for (const [name, text] of Object.entries(renderDrawings(figures))) {
    await writeFile(join(drawings, name), text);
  }
} catch (error) {
  console.error(`prerender.mjs: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
