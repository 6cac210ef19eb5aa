/**
 * The four settings of a run: their ranges, and where they start, which is where the lesson does (lesson.py).
 *
 * @typedef {{rate: number, pages: number, limit: number, shuffle: number}} Settings
 * @typedef {keyof Settings} SettingKey
 * @typedef {{key: SettingKey, min: number, max: number, step: number, start: number}} Setting
 */

/** @type {ReadonlyArray<Setting>} */
export const SETTINGS = [
  { key: "rate", min: 1, max: 60, step: 1, start: 40 },
  { key: "pages", min: 60, max: 960, step: 20, start: 240 },
  { key: "limit", min: 1, max: 40, step: 1, start: 16 },
  { key: "shuffle", min: 0, max: 5, step: 1, start: 0 },
];

/** Chats a second of the light load that every other load is set beside (RATE_LIGHT in lesson.py). */
export const LIGHT_RATE = 10;

/** @returns {Settings} */
export function startSettings() {
  const [rate, pages, limit, shuffle] = SETTINGS.map((setting) => setting.start);
  return { rate, pages, limit, shuffle };
}

/**
 * The allowed value nearest to a number: inside the range and on a step. nearest(pages, 1000) is 960.
 *
 * @param {Setting} setting
 * @param {number} value
 */
export function nearest({ min, max, step }, value) {
  const inside = Math.min(max, Math.max(min, value));
  return min + Math.round((inside - min) / step) * step;
}

/**
 * Whether two settings ask for the same run.
 *
 * @param {Settings} one
 * @param {Settings} other
 */
export function sameSettings(one, other) {
  return SETTINGS.every(({ key }) => one[key] === other[key]);
}
