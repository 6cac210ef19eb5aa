/**
 * What an address asks for: `?rate=40&pages=480&limit=16&shuffle=0&lock=rate,pages&theme=dark&lang=de`.
 */
import { SETTINGS, nearest, sameSettings, startSettings } from "./settings.js";
import { LANGUAGE_NAMES, isLanguage } from "./words/languages.js";

/** @typedef {import("./settings.js").Setting} Setting */
/** @typedef {import("./settings.js").SettingKey} SettingKey */
/** @typedef {import("./settings.js").Settings} Settings */

/** What was asked for and cannot be, be it a number or none; `taken` is what stands in its place.
 * @typedef {{setting: Setting, isNumber: boolean, taken: number}} Correction */

/**
 * @typedef {object} Asked
 * @property {Settings} settings each inside its range
 * @property {Correction[]} corrections
 * @property {ReadonlySet<SettingKey>} locked settings that the reader shall not change
 * @property {"light" | "dark" | null} theme null follows the browser
 * @property {string | null} language
 * @property {{name: string, known: readonly string[]}[]} ignored what was asked for by names that are not known
 */

const THEMES = /** @type {const} */ (["light", "dark"]);

/** A whole or decimal number, as a person writes one: no "0x10", no "Infinity", no empty text. */
const NUMBER = /^\s*[+-]?\d+(\.\d+)?\s*$/;

/**
 * Reads what an address, or the attributes of an element, ask for. What is missing is as in the lesson.
 *
 * @param {(name: string) => string | null} valueOf null where nothing is asked
 * @returns {Asked}
 */
export function readAsked(valueOf) {
  const settings = startSettings();
  /** @type {Correction[]} */
  const corrections = [];
  for (const setting of SETTINGS) {
    const asked = valueOf(setting.key);
    if (asked === null) {
      continue;
    }
    const isNumber = NUMBER.test(asked);
    const taken = isNumber ? nearest(setting, Number(asked)) : setting.start;
    settings[setting.key] = taken;
    if (!isNumber || taken !== Number(asked)) {
      corrections.push({ setting, isNumber, taken });
    }
  }
  const keys = SETTINGS.map(({ key }) => key);
  const named = (valueOf("lock") ?? "").split(/[\s,]+/).filter((name) => name !== "");
  const asked = valueOf("theme");
  const theme = THEMES.find((known) => known === asked) ?? null;
  const language = valueOf("lang");
  const ignored = [
    { name: "lock", known: keys, isKnown: named.every((name) => keys.some((key) => key === name)) },
    { name: "theme", known: THEMES, isKnown: asked === null || theme !== null },
    { name: "lang", known: LANGUAGE_NAMES, isKnown: language === null || isLanguage(language) },
  ].filter(({ isKnown }) => !isKnown);
  return {
    settings,
    corrections,
    locked: new Set(keys.filter((key) => named.includes(key))),
    theme,
    language,
    ignored,
  };
}

/**
 * An address's query with other settings; all else in it stays. The lesson's own settings need not be said.
 *
 * @param {string} query such as "?rate=10&theme=dark"
 * @param {Settings} settings
 * @returns {string} such as "?theme=dark&rate=20&pages=240&limit=16&shuffle=0", or ""
 */
export function queryWith(query, settings) {
  const asked = new URLSearchParams(query);
  for (const { key } of SETTINGS) {
    asked.delete(key);
    if (!sameSettings(settings, startSettings())) {
      asked.set(key, String(settings[key]));
    }
  }
  const text = asked.toString();
  return text === "" ? "" : `?${text}`;
}
