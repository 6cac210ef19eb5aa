/**
 * The story of one chat, seen from a step of the run: when it was sent and admitted, when its words came, and what it
 * holds.
 */

/** @typedef {import("./moment.js").RunIndex} RunIndex */
/** @typedef {typeof import("../words/kitchen.js").kitchenWords} KitchenWords */
/** One cell of the story: a figure and what is added to it.
 * @typedef {{name: string, value: string, note: string}} Fact */

/**
 * Always the same facts in the same order, so that nothing moves.
 *
 * @param {RunIndex} run
 * @param {number} step
 * @param {number | null} chat null if there is none to tell of
 * @param {KitchenWords} words
 * @returns {Fact[]}
 */
export function chatStory(run, step, chat, words) {
  const names = words.story;
  if (chat === null) {
    return Object.values(names).map((name, at) => ({
      name,
      value: at === 0 ? words.pointAtOne : words.notYet,
      note: "",
    }));
  }
  const { columns, intervals, steps, takings } = run;
  const { sent_s, prompt_tokens, reply_tokens, promise, joined_step, last_step, is_served } = intervals;
  const joined = joined_step[chat];
  const last = last_step[chat];
  const isAdmitted = joined < steps;
  const isServed = is_served[chat] === 1;
  const firstWord_s = isAdmitted ? columns.end_s[joined] : null;
  const made = Math.min(Math.max(0, step - joined + 1), reply_tokens[chat]);
  const held = takings[chat].filter((at) => intervals.page_from[at] <= step && step < intervals.page_to[at]).length;
  const time = (/** @type {number | null} */ time_s) => (time_s === null ? words.notYet : words.at(time_s));
  return [
    { name: names.chat, value: String(chat), note: words.standing[standingOf(run, step, chat)] },
    { name: names.sent, value: time(sent_s[chat]), note: "" },
    {
      name: names.admitted,
      value: time(isAdmitted ? columns.start_s[joined] : null),
      note: isAdmitted ? words.inStep(joined) : "",
    },
    {
      name: names.first,
      value: time(firstWord_s),
      note: firstWord_s === null ? "" : words.afterWait(firstWord_s - sent_s[chat]),
    },
    { name: names.last, value: time(isServed ? columns.end_s[last] : null), note: isServed ? words.inStep(last) : "" },
    { name: names.prompt, value: words.wordsOf(prompt_tokens[chat]), note: "" },
    { name: names.reply, value: words.wordsOf(reply_tokens[chat]), note: words.madeSoFar(made) },
    { name: names.pages, value: String(promise[chat]), note: words.heldNow(held) },
  ];
}

/** @param {RunIndex} run @param {number} step @param {number} chat @returns {keyof KitchenWords["standing"]} */
function standingOf({ intervals }, step, chat) {
  const { sent_step, joined_step, last_step, is_served } = intervals;
  if (step < sent_step[chat]) {
    return "toCome";
  }
  if (step < joined_step[chat]) {
    return "waits";
  }
  if (step < last_step[chat] || is_served[chat] !== 1) {
    return "runs";
  }
  return step === last_step[chat] ? "leaves" : "gone";
}
