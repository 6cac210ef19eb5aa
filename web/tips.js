/**
 * A figure of the text tells which run it comes from, when it is pointed at, tapped or focused.
 */

const AWAY_PX = 6; // between a figure and its tip
const EDGE_PX = 8; // between a tip and the edge of the page
const REST_MS = 250; // that the pointer rests on a figure before its tip is shown, and may be off it before it goes

/**
 * Gives every figure below an element its tip. Without this, the browser's own shows the same words.
 *
 * @param {HTMLElement} root
 */
export function addTips(root) {
  const { ownerDocument } = root;
  const tip = ownerDocument.createElement("div");
  tip.id = "tip";
  tip.className = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  root.append(tip);
  /** @type {Map<Element, string>} */
  const sources = new Map();
  for (const figure of root.querySelectorAll(".figure")) {
    sources.set(figure, figure.getAttribute("title") ?? "");
    figure.removeAttribute("title");
    if (figure.closest("button, summary") === null) {
      figure.setAttribute("tabindex", "-1"); // it can be tapped, and is no stop on the way through the page
    }
  }
  /** @type {Element | null} what the tip is shown for */
  let shown = null;

  /** The figure that is meant by what is pointed at or focused. @param {EventTarget | null} target */
  const figureOf = (target) => {
    const element = target instanceof Element ? target : null;
    const figure = element?.closest(".figure") ?? element?.closest("button")?.querySelector(".figure") ?? null;
    return figure !== null && sources.has(figure) ? figure : null;
  };
  const hide = () => {
    shown?.removeAttribute("aria-describedby");
    shown = null;
    tip.hidden = true;
  };
  /** @param {Element} figure */
  const show = (figure) => {
    hide();
    shown = figure.closest("button") ?? figure;
    shown.setAttribute("aria-describedby", tip.id);
    tip.textContent = sources.get(figure) ?? "";
    tip.hidden = false;
    const place = figure.getBoundingClientRect();
    const edge = root.getBoundingClientRect();
    const most = edge.width - tip.offsetWidth - EDGE_PX;
    tip.style.setProperty("left", `${Math.max(EDGE_PX, Math.min(place.left - edge.left, most))}px`);
    tip.style.setProperty("top", `${place.bottom - edge.top + AWAY_PX}px`);
  };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let resting;
  /** Shows the tip of what is meant, or none. @param {EventTarget | null} target */
  const follow = (target) => {
    clearTimeout(resting);
    const figure = figureOf(target);
    if (figure === null) {
      hide();
    } else {
      show(figure);
    }
  };
  root.addEventListener("pointerover", ({ target }) => {
    clearTimeout(resting);
    if (target !== tip) {
      resting = setTimeout(() => follow(target), REST_MS); // the pointer may go onto the tip
    }
  });
  root.addEventListener("focusin", ({ target }) => {
    // By the keyboard: between press and release of a mouse a tip could come under the pointer, and take the click.
    if (/** @type {Element} */ (target).matches(":focus-visible")) {
      follow(target);
    }
  });
  root.addEventListener("click", ({ target }) => follow(target));
  ownerDocument.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") {
      hide();
    }
  });
}
