// What the bundler puts in (see build.py).

/** The version of the package `tinyserve`. */
declare const TINYSERVE_VERSION: string;

/** What is fetched before Python can start: where it lies, from the script's folder, and what it must be. */
declare const TINYSERVE_PARTS: Record<
  import("./messages.js").PartName,
  {
    path: string;
    /** of the file as it is, without the compression of a transfer */
    bytes: number;
    /** in base64, as the attribute `integrity` wants it */
    sha256: string;
  }
>;

/** The name of the editor's script, which lies beside the page's. */
declare const EDITOR_SCRIPT: string;

/** What Pyodide's lock file says of Pyodide itself: its Python, platform and ABI. */
declare const PYODIDE_INFO: { abi_version: string; arch: "wasm32"; platform: string; python: string; version: string };

/** The answers that the build computed, for the settings with which the page starts; columns are plain lists. */
declare module "first-answer" {
  const answer: import("./messages.js").PlainFirstAnswer;
  export default answer;
}

/** Who was where in the first answer's run; arrays are plain lists. */
declare module "first-intervals" {
  const intervals: Record<import("./messages.js").IntervalName, number[]>;
  export default intervals;
}

/** The built style sheet of drawings that stand alone, as text. */
declare module "figure-style" {
  const text: string;
  export default text;
}

/** The text of tiny_server.py, which goes into the wheel as it is. */
declare module "tiny-server-source" {
  const text: string;
  export default text;
}

/** The built style sheet, as text. */
declare module "widget-style" {
  const text: string;
  export default text;
}

declare module "pyodide/pyodide.asm.mjs" {
  const createPyodideModule: NonNullable<
    NonNullable<Parameters<typeof import("pyodide").loadPyodide>[0]>["createPyodideModule"]
  >;
  export default createPyodideModule;
}
