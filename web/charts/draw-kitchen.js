/**
 * Puts the picture of kitchen.js into an <svg>, changing what is there already: of the shelf only the pages that
 * changed hands.
 */
import { select } from "d3-selection";
import { hasChanged } from "../changed.js";
import { SVG } from "../make-element.js";
import { BADGE_RADIUS } from "./kitchen-plan.js";
import { put, say } from "./put.js";

/** @typedef {import("./kitchen.js").Kitchen} Kitchen */
/** @typedef {import("./kitchen.js").Shelf} Shelf */
/** @typedef {import("./put.js").Selected<unknown>} Root */

const TORN = `M1,0H31V28${"l-3,-2.5l-3,2.5".repeat(5)}Z`; // a slip of paper

/**
 * @param {SVGSVGElement} svg
 * @param {Kitchen} picture
 * @param {string} storyId the element that tells the story of the chat that is pointed at
 */
export function drawKitchen(svg, picture, storyId) {
  const { width, height, isFollowing } = picture;
  const root = put(select(svg), { viewBox: `0 0 ${width} ${height}`, width, height });
  svg.classList.toggle("following", isFollowing);
  drawBoxesAndPaths(root, picture);
  drawShelf(layer(root, "shelf"), picture.shelf);
  drawSlips(layer(root, "slips"), picture.slips, storyId);
  drawPlaces(layer(root, "places"), picture.places, storyId);
  const label = select(layer(root, "labels")).selectAll("text").data(picture.labels).join("text");
  say(put(label, { class: (each) => each.className, x: ({ x }) => x, y: ({ y }) => y }), ({ text }) => text);
  drawBadges(layer(root, "badges"), picture.badges);
}

/**
 * Takes from a drawing what makes buttons of its parts: where no script runs nothing can be pressed.
 *
 * @param {SVGSVGElement} svg
 */
export function makeStill(svg) {
  for (const element of svg.querySelectorAll("g[aria-label]")) {
    for (const name of ["role", "tabindex", "aria-label", "aria-pressed", "aria-describedby"]) {
      element.removeAttribute(name);
    }
  }
}

/** A group of its own for each kind of thing. @param {Root} root @param {string} name */
function layer(root, name) {
  const group = root.selectAll(`g.${name}`).data([name]).join("g").attr("class", name);
  return /** @type {SVGGElement} */ (group.node());
}

/** @param {Root} root @param {Kitchen} picture */
function drawBoxesAndPaths(root, { boxes, paths }) {
  const box = select(layer(root, "boxes")).selectAll("rect").data(boxes).join("rect");
  put(box, {
    class: ({ className }) => className,
    x: ({ x }) => x,
    y: ({ y }) => y,
    width: (each) => each.width,
    height: (each) => each.height,
  });
  const path = select(layer(root, "paths")).selectAll("path").data(paths).join("path");
  put(path, { class: ({ className }) => className, d: ({ d }) => d });
}

/** @param {SVGGElement} node @param {Kitchen["slips"]} slips @param {string} storyId */
function drawSlips(node, slips, storyId) {
  const slip = select(node)
    .selectAll("g")
    .data(slips)
    .join((enter) => {
      const added = enter.append("g").attr("role", "button").attr("aria-describedby", storyId);
      added.attr("tabindex", -1);
      added.append("path").attr("d", TORN);
      added.append("text").attr("x", 16).attr("y", 18);
      return added;
    });
  put(slip, {
    class: ({ isFront, isLit }) => `slip${isFront ? " front" : ""}${isLit ? " lit" : ""}`,
    transform: ({ x, y }) => `translate(${x},${y})`,
    "data-chat": ({ chat }) => chat,
    "aria-label": ({ name }) => name,
    "aria-pressed": ({ isPinned }) => String(isPinned),
  });
  say(slip.select("text"), ({ chat }) => String(chat));
}

/** @param {SVGGElement} node @param {Kitchen["places"]} places @param {string} storyId */
function drawPlaces(node, places, storyId) {
  const place = select(node)
    .selectAll("g")
    .data(places)
    .join((enter) => {
      const added = enter.append("g").attr("role", "button").attr("aria-describedby", storyId);
      added.attr("tabindex", -1);
      added.append("rect").attr("class", "touch");
      added.append("rect").attr("class", "track").attr("rx", 3);
      added.append("rect").attr("class", "made").attr("rx", 3);
      added.append("text").attr("class", "number");
      added.each(function addSpace() {
        this.append(" "); // so that number and words do not read as one number
      });
      added.append("text").attr("class", "told");
      return added;
    });
  put(place, {
    class: ({ state, hue, isLit }) => `place ${state}${state === "empty" ? "" : ` hue${hue}`}${isLit ? " lit" : ""}`,
    transform: ({ x, y }) => `translate(${x},${y})`,
    "data-place": (each) => each.place,
    "data-chat": ({ chat }) => chat,
    "data-words": ({ chat, words }) => (chat === null ? null : words),
    "aria-label": ({ name }) => name,
    "aria-pressed": ({ isPinned }) => String(isPinned),
  });
  put(place.select(".touch"), { width: (each) => each.width, height: (each) => each.height });
  const bar = { x: (/** @type {Kitchen["places"][number]} */ { barX }) => barX, y: 4, height: 16 };
  put(place.select(".track"), { ...bar, width: (each) => each.barWidth });
  put(place.select(".made"), { ...bar, width: (each) => each.barWidth * each.share });
  say(put(place.select(".number"), { x: 24, y: 16 }), ({ chat }) => (chat === null ? "" : String(chat)));
  say(put(place.select(".told"), { x: ({ textX }) => textX, y: 16 }), ({ text }) => text);
}

/** What each page was last drawn as. @type {WeakMap<Element, string[]>} */
const drawnPages = new WeakMap();

/** @param {SVGGElement} node @param {Shelf} shelf */
function drawShelf(node, { x, y, columns, cell, chats, hues, lit }) {
  if (hasChanged(node, [x, y, columns, cell, chats.length])) {
    const size = cell - (cell < 9 ? 1 : 2);
    const pages = chats.map((_, page) => {
      const rect = node.ownerDocument.createElementNS(SVG, "rect");
      const place = { x: x + (page % columns) * cell, y: y + Math.floor(page / columns) * cell };
      for (const [name, value] of Object.entries({ ...place, width: size, height: size, "data-page": page })) {
        rect.setAttribute(name, String(value));
      }
      return rect;
    });
    node.replaceChildren(...pages);
    drawnPages.set(node, []);
  }
  const drawn = drawnPages.get(node) ?? [];
  chats.forEach((chat, page) => {
    const className = chat === null ? "page free" : `page hue${hues[chat]}${chat === lit ? " lit" : ""}`;
    const wanted = `${chat} ${className}`;
    if (drawn[page] === wanted) {
      return;
    }
    drawn[page] = wanted;
    const rect = node.children[page];
    rect.setAttribute("class", className);
    if (chat === null) {
      rect.removeAttribute("data-chat");
    } else {
      rect.setAttribute("data-chat", String(chat));
    }
  });
}

/** @param {SVGGElement} node @param {Kitchen["badges"]} badges */
function drawBadges(node, badges) {
  const badge = select(node)
    .selectAll("g")
    .data(badges)
    .join((enter) => {
      const added = enter.append("g").attr("role", "button").attr("tabindex", 0).attr("class", "badge");
      added.append("circle").attr("r", BADGE_RADIUS);
      added.append("text").attr("y", 4.5);
      return added;
    });
  put(badge, {
    transform: ({ x, y }) => `translate(${x},${y})`,
    "data-part": ({ part }) => part,
    "aria-label": ({ name }) => name,
  });
  say(badge.select("text"), ({ part }) => String(part));
}
