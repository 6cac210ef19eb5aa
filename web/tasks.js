/**
 * The tasks that check themselves: which of a task's conditions hold, from what has been run. Nothing in here touches
 * the page.
 */
import { sameSettings } from "./settings.js";

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Edited} Edited */
/** @typedef {import("./messages.js").Intervals} Intervals */
/** @typedef {import("./messages.js").Report} Report */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {{text: string, isMet: boolean}} Condition */

/**
 * What has been run: the lesson's reports by their settings, its newest answer, the reader's newest run, and the
 * lesson's answer to the same settings. Columns are kept of the newest alone, for a drag makes hundreds.
 *
 * @typedef {{reports: Map<string, Report>, newest: Answer | null, edited: Edited | null, lesson: Answer | null}} Seen
 */

/** The numbers of a task, from the text: the program has computed them. @typedef {Record<string, string>} Facts */

/** Names settings. @param {Settings} settings */
export function keyOf({ rate, pages, limit, shuffle }) {
  return `${rate} ${pages} ${limit} ${shuffle}`;
}

/** @type {Record<string, (seen: Seen, facts: Facts) => Condition[]>} */
export const TASKS = {
  double: ({ reports }, { rate, fewer, more, limit }) => {
    const [few, many] = [fewer, more].map((pages) =>
      reports.get(keyOf({ rate: Number(rate), pages: Number(pages), limit: Number(limit), shuffle: 0 })),
    );
    return [
      condition(`served with ${fewer} pages`, few !== undefined),
      condition(`served with ${more} pages`, many !== undefined),
      condition(
        "every figure of the two clipboards is the same",
        few !== undefined && many !== undefined && JSON.stringify(few) === JSON.stringify(many),
      ),
    ];
  },

  fewest: ({ newest }, { rate, goal, pages }) => {
    const isOfTask = newest?.settings.rate === Number(rate) && newest.settings.shuffle === 0;
    const isUnder = newest !== null && newest.report.ttft_p99_s < Number(goal);
    return [
      condition(`${rate} chats a second, in the order of the lesson`, isOfTask),
      condition(`first word (p99) under ${goal} s`, isUnder),
      condition(
        "with so few pages that no smaller number on the slider does it",
        isUnder && newest.settings.pages <= Number(pages),
      ),
    ];
  },

  shortest: (seen) => {
    const { run, lesson } = bothRuns(seen);
    const isShortest = run !== null && isShortestFirst(run.intervals);
    const isMiddleFaster = isShortest && aboveLessons(run, lesson, "ttft_p50_s") < 0;
    const areLastSlower = isShortest && aboveLessons(run, lesson, "ttft_p99_s") > 0;
    return [
      condition("your program served all chats", run !== null),
      condition("whoever joins, nobody who stays behind needs fewer pages", isShortest),
      condition("the middle chat waits less than in the lesson’s run", isMiddleFaster),
      condition("the slowest 1 in 100 wait longer (p99)", areLastSlower),
    ];
  },

  "prompt-only": ({ edited }) => {
    const broken = edited !== null && edited.trouble?.kind === "exception" ? edited.run : null;
    const dips = broken?.columns.promised.some((promised, step) => promised < broken.columns.held[step]) ?? false;
    return [
      condition("no free page was left, and the run broke off", broken !== null),
      condition("before that, owed pages went negative: more was held than promised", dips),
    ];
  },

  "from-joining": (seen) => {
    const { run, lesson } = bothRuns(seen);
    const isSame = run !== null && lesson !== null && haveSameSteps(run.columns, lesson.columns);
    return [
      condition("your server did every step as the lesson’s did", isSame),
      condition(
        "your clipboard says that the first word (p99) came sooner",
        isSame && aboveLessons(run, lesson, "ttft_p99_s") < 0,
      ),
    ];
  },

  "big-pages": ({ edited }, { pages, tokens, wait }) => {
    const run = edited !== null && edited.trouble === null ? edited.run : null;
    const isOfPages = run !== null && edited?.settings.pages === Number(pages);
    const isOfTokens = run !== null && isPromisedBy(run.intervals, Number(tokens));
    const isLonger = isOfPages && isOfTokens && (run.report?.ttft_p99_s ?? 0) > Number(wait);
    return [
      condition(`your program ran with ${pages} pages`, isOfPages),
      condition(`a page of it holds ${tokens} words`, isOfTokens),
      condition(`and its first word (p99) takes more than the ${wait} s of small pages`, isLonger),
    ];
  },
};

/** @param {string} text @param {boolean} isMet @returns {Condition} */
function condition(text, isMet) {
  return { text, isMet };
}

/** The reader's newest run, if it went to its end, and the lesson's at the same settings. @param {Seen} seen */
function bothRuns({ edited, lesson }) {
  const isComparable = edited !== null && lesson !== null && sameSettings(lesson.settings, edited.settings);
  return {
    run: edited !== null && edited.trouble === null ? edited.run : null,
    lesson: isComparable ? lesson : null,
  };
}

/**
 * By how much a figure of the reader's run is above the lesson's; NaN, which no condition holds of, if one is missing.
 *
 * @param {{report: import("./messages.js").Report | null} | null} run
 * @param {Answer | null} lesson
 * @param {"ttft_p50_s" | "ttft_p99_s"} key
 */
function aboveLessons(run, lesson, key) {
  return (run?.report?.[key] ?? NaN) - (lesson?.report[key] ?? NaN);
}

/** Whether each chat that joins needs no more pages than any that stays in the queue. @param {Intervals} intervals */
function isShortestFirst({ sent_step, joined_step, promise }) {
  const chats = [...promise.keys()];
  return chats.every((chat) => {
    const step = joined_step[chat];
    return chats.every((other) => {
      const staysBehind = sent_step[other] <= step && step < joined_step[other];
      return !staysBehind || promise[chat] <= promise[other];
    });
  });
}

/** Whether pages of so many tokens were promised. @param {Intervals} intervals @param {number} tokens */
function isPromisedBy({ prompt_tokens, reply_tokens, promise }, tokens) {
  return promise.every((pages, chat) => pages === Math.ceil((prompt_tokens[chat] + reply_tokens[chat]) / tokens));
}

/** @param {import("./messages.js").Columns} one @param {import("./messages.js").Columns} other */
function haveSameSteps(one, other) {
  return one.start_s.length === other.start_s.length && one.end_s.every((end_s, step) => end_s === other.end_s[step]);
}
