/**
 * The languages of the widget.
 */
import { de } from "./de.js";
import { en } from "./en.js";

/** All that the widget says. @typedef {typeof en} Words */

/** @type {Readonly<Record<string, Words>>} */
const LANGUAGES = { en, de };

/**
 * The words of a language, by its short name: "de", also for "de-AT". English if there is no such file.
 *
 * @param {string | null} language
 * @returns {Words}
 */
export function wordsOf(language) {
  const [name] = (language ?? "").toLowerCase().split("-");
  return Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : en;
}
