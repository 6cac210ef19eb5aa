/**
 * The list of tasks in the page: lights up the conditions that hold.
 */
import { hasChanged } from "./changed.js";
import { elementMaker } from "./make-element.js";
import { TASKS, keyOf } from "./tasks.js";

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Edited} Edited */

/**
 * Puts the conditions of each task into its item, and keeps them up to date.
 *
 * @param {HTMLElement} list whose items are named by their attribute data-task
 */
export function watchTasks(list) {
  const make = elementMaker(list.ownerDocument);
  /** @type {import("./tasks.js").Seen} */
  const seen = { reports: new Map(), newest: null, edited: null, lesson: null };
  const items = [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-task]"))];
  const boards = items.map((item) => {
    const board = make("ul", { class: "conditions", "aria-label": "Conditions" });
    const spoken = make("p", { class: "unseen", role: "status" });
    item.querySelector("details")?.before(board, spoken);
    return { item, board, spoken };
  });

  /** @param {import("./tasks.js").Condition} condition */
  const lineOf = ({ text, isMet }) =>
    make(
      "li",
      { class: isMet ? "met" : "" },
      make("span", { "aria-hidden": "true", class: "sign" }, isMet ? "✓" : "○"),
      make("span", {}, make("span", { class: "unseen" }, isMet ? "met: " : "not yet: "), text),
    );

  function update() {
    for (const { item, board, spoken } of boards) {
      const facts = /** @type {Record<string, string>} */ ({ ...item.dataset });
      const conditions = TASKS[facts.task](seen, facts);
      if (hasChanged(board, conditions.map(({ isMet }) => isMet))) {
        board.replaceChildren(...conditions.map(lineOf));
      }
      if (conditions.every(({ isMet }) => isMet) && !item.classList.contains("done")) {
        item.classList.add("done");
        item.querySelector("h4")?.after(make("p", { class: "solved" }, "✓ Solved. In your newest run:"));
        spoken.textContent = `Task done: ${item.querySelector("h4")?.textContent}.`;
      }
    }
  }

  update();
  return {
    /** The lesson's program has answered. @param {Answer} answer */
    answered(answer) {
      seen.reports.set(keyOf(answer.settings), answer.report);
      seen.newest = answer;
      update();
    },
    /** The reader's program has been run. @param {Edited | null} edited
     * @param {Answer | null} lesson the lesson's, at the same settings */
    edited(edited, lesson) {
      seen.edited = edited;
      seen.lesson = lesson;
      update();
    },
  };
}
