/**
 * What a page tells whoever observes it (README, "The page, observed").
 */

/** @param {HTMLElement} page its <html> @param {import("./messages.js").Stage} stage */
export function tellStage(page, stage) {
  page.dataset.stage = stage;
  if (stage === "ready") {
    performance.mark("tinyserve:ready");
  }
}

/**
 * Told once an answer has been painted.
 *
 * @param {HTMLElement} page its <html>
 * @param {import("./messages.js").Answer} answer
 */
export function tellAnswer(page, { settings, report }) {
  performance.mark("tinyserve:answer");
  page.ownerDocument.dispatchEvent(new CustomEvent("tinyserve:answer", { detail: { settings, report } }));
}
