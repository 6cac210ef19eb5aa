// Prints the still kitchen of a run as HTML: node BUNDLE RUN_FILE.
import { readFileSync } from "node:fs";
import { parseHTML } from "linkedom";
import { drawKitchenStill } from "../../web/kitchen-still.js";
import { typedRun } from "./typed_run.js";

const { settings, columns, intervals } = typedRun(JSON.parse(readFileSync(process.argv[2], "utf-8")));
const { document } = parseHTML("<!doctype html><main></main>");
const root = document.querySelector("main");
drawKitchenStill(root, { settings, columns }, intervals, "A run");
console.log(root.innerHTML);
