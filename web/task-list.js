/**
 * The list of tasks in the page: lights up the conditions that hold.
 */
import { TASKS, keyOf } from "./tasks.js";

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Edited} Edited */

/**
 * Puts the conditions of each task into its item, and keeps them up to date.
 *
 * @param {HTMLElement} list whose items are named by their attribute data-task
 */
export function watchTasks(list) {
  const { ownerDocument } = list;
  /** @type {import("./tasks.js").Seen} */
  const seen = { reports: new Map(), newest: null, edited: null, lesson: null };
  const items = [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-task]"))];
  const boards = items.map((item) => {
    const board = ownerDocument.createElement("ul");
    board.className = "conditions";
    board.setAttribute("aria-label", "Conditions");
    const spoken = ownerDocument.createElement("p");
    spoken.className = "unseen";
    spoken.setAttribute("role", "status");
    item.querySelector("details")?.before(board, spoken);
    return { item, board, spoken };
  });

  function update() {
    for (const { item, board, spoken } of boards) {
      const facts = /** @type {Record<string, string>} */ ({ ...item.dataset });
      const conditions = TASKS[facts.task](seen, facts);
      if (board.childElementCount === 0) {
        board.append(...conditions.map(() => ownerDocument.createElement("li")));
      }
      conditions.forEach(({ text, isMet }, at) => {
        const line = board.children[at];
        line.classList.toggle("met", isMet);
        const said = `${text}${isMet ? " ✓" : ""}`;
        if (line.textContent !== said) {
          line.textContent = said;
        }
      });
      if (conditions.every(({ isMet }) => isMet) && !item.classList.contains("done")) {
        item.classList.add("done");
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
    /** The reader's program has been run. @param {Edited | null} edited @param {Answer | null} lesson at the same settings */
    edited(edited, lesson) {
      seen.edited = edited;
      seen.lesson = lesson;
      update();
    },
  };
}
