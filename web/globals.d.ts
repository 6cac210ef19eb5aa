/** The version of the package `tinyserve`; the bundler puts the text in its place (see build.py). */
declare const TINYSERVE_VERSION: string;

/** What the build computed for the page's first paint, columns as plain lists (see build.py). */
declare module "first-answer" {
  const answer: import("./messages.js").PlainFirstAnswer;
  export default answer;
}

/** The built style sheet, as text. */
declare module "widget-style" {
  const text: string;
  export default text;
}
