/**
 * The languages of the widget.
 */
import { de } from "./de.js";
import { en } from "./en.js";

/** All that the widget says. @typedef {typeof en} Words */

/** @type {Readonly<Record<string, Words>>} */
const LANGUAGES = { en, de };

export const LANGUAGE_NAMES = Object.keys(LANGUAGES);

/** The short name of a language: "de", also of "de-AT". @param {string} language */
function shortName(language) {
  return language.toLowerCase().split("-")[0];
}

/** Whether the widget speaks a language. @param {string} language */
export function isLanguage(language) {
  return LANGUAGE_NAMES.includes(shortName(language));
}

/**
 * The words of a language. English if there is no such file.
 *
 * @param {string | null} language
 * @returns {Words}
 */
export function wordsOf(language) {
  return language !== null && isLanguage(language) ? LANGUAGES[shortName(language)] : en;
}
