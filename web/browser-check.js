/**
 * Whether this browser, under this page's policy, can run Python at all: asked before anything is fetched.
 */
import { Failed } from "./messages.js";

/** The shortest WebAssembly module: its magic number and version. */
const EMPTY = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
/** One whose only function catches an exception, as Pyodide's do: (func try catch_all end). */
const CATCHING = [
  ...EMPTY,
  ...[0x01, 0x04, 0x01, 0x60, 0x00, 0x00],
  ...[0x03, 0x02, 0x01, 0x00],
  ...[0x0a, 0x08, 0x01, 0x06, 0x00, 0x06, 0x40, 0x19, 0x0b, 0x0b],
];

/** What Pyodide and this page need and older browsers lack. */
const NEEDED = {
  WebAssembly: () => typeof WebAssembly === "object",
  "WebAssembly.compileStreaming": () => typeof WebAssembly.compileStreaming === "function",
  "WebAssembly exceptions": () => WebAssembly.validate(Uint8Array.from(CATCHING)),
  BigInt64Array: () => typeof BigInt64Array === "function",
  "module workers": hasModuleWorkers,
};

/**
 * Throws what stands in the way, if anything does.
 */
export function checkBrowser() {
  const lacking = Object.entries(NEEDED).find(([, isThere]) => !isThere());
  if (lacking !== undefined) {
    throw new Failed("old-browser", null, `this browser has no ${lacking[0]}`);
  }
  try {
    new WebAssembly.Module(Uint8Array.from(EMPTY));
  } catch (error) {
    // It is a valid module, so it is not the module that is refused.
    throw new Failed("policy", null, `script-src does not allow 'wasm-unsafe-eval' (${error})`);
  }
}

/** A browser that knows module workers asks for the type of a worker, even of one without an address. */
function hasModuleWorkers() {
  let isAsked = false;
  const options = {
    /** @returns {WorkerType} */
    get type() {
      isAsked = true;
      return "module";
    },
  };
  try {
    new Worker("http://[", options).terminate();
  } catch {
    // There is no such address: only the question counts.
  }
  return isAsked;
}
