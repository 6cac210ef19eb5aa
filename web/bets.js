/**
 * Bets: before the text reveals what happens, the reader says what will. Without this script the reveal just stands
 * there.
 */
import { numbersOf } from "./format.js";
import { elementMaker } from "./make-element.js";

const { times } = numbersOf("en");

/** How far a bet on a growth can go, in powers of ten. */
const MOST_POWER = 2.5;
const POWER_STEP = 0.01;
/** A bet this close is called right: how far apart the logarithms may be. */
const CLOSE_LOG_RATIO = 0.2;

/**
 * Makes a form of every bet below an element.
 *
 * @param {HTMLElement} root
 */
export function placeBets(root) {
  for (const bet of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".bet"))) {
    const reveal = /** @type {HTMLElement} */ (bet.querySelector(".reveal"));
    const form = /** @type {HTMLElement} */ (bet.querySelector(".bet-form"));
    const verdict = bet.ownerDocument.createElement("p");
    verdict.className = "verdict";
    verdict.setAttribute("role", "status");
    form.after(verdict);
    reveal.hidden = true;
    const settle = (/** @type {string} */ text) => {
      verdict.textContent = text;
      reveal.hidden = false;
    };
    if (bet.dataset.answer === undefined) {
      pickOne(form, settle);
    } else {
      drawABar(form, Number(bet.dataset.answer), settle);
    }
  }
}

/**
 * A bar that the reader draws by a slider, and the true one beside it once the bet is placed.
 *
 * @param {HTMLElement} form
 * @param {number} answer how many times as large
 * @param {(verdict: string) => void} settle
 */
function drawABar(form, answer, settle) {
  const make = elementMaker(form.ownerDocument);
  const slider = make("input", { type: "range", min: 0, max: MOST_POWER, step: POWER_STEP, value: 0 });
  const output = make("output");
  const label = make("label", {}, "My bet:");
  const button = make("button", { type: "button" }, "That is my bet");
  const bars = make("div", { class: "bars" });
  slider.id = `${form.parentElement?.id}-slider`;
  label.setAttribute("for", slider.id);
  const guess = () => 10 ** slider.valueAsNumber;
  const show = () => {
    output.textContent = `${times(guess())} times`;
    slider.setAttribute("aria-valuetext", output.textContent);
  };
  slider.addEventListener("input", show);
  button.addEventListener("click", () => {
    const longest = Math.max(guess(), answer);
    const bar = (/** @type {string} */ name, /** @type {number} */ value) => [
      make("span", {}, `${name}: ${times(value)} times`),
      make("meter", { min: "0", max: String(longest), value: String(value), "aria-label": name }),
    ];
    bars.replaceChildren(...bar("Your bet", guess()), ...bar("The program", answer));
    const isClose = Math.abs(Math.log(guess() / answer)) < CLOSE_LOG_RATIO;
    settle(isClose ? "Good bet." : guess() < answer ? "It is more than that." : "It is less than that.");
  });
  show();
  const legend = make("legend", { class: "unseen" }, "Your bet");
  form.append(make("fieldset", {}, legend, label, slider, output, button), bars);
}

/**
 * A choice among the items of a list; the right one is marked in the HTML.
 *
 * @param {HTMLElement} form
 * @param {(verdict: string) => void} settle
 */
function pickOne(form, settle) {
  const make = elementMaker(form.ownerDocument);
  const items = [...form.querySelectorAll("li")];
  const right = items.find((item) => item.hasAttribute("data-right"));
  const buttons = items.map((item) => {
    const button = make("button", { type: "button", "aria-pressed": "false" }, item.textContent ?? "");
    button.addEventListener("click", () => {
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      settle(item === right ? "Good bet." : `You bet on “${item.textContent}”. It is “${right?.textContent}”.`);
    });
    return button;
  });
  form.replaceChildren(...buttons);
}
