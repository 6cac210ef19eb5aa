/**
 * Where everything stands in the kitchen, for a width and a size of batch and cache: it never depends on the step, so
 * nothing moves while the run is played.
 */

/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{columns: number, rows: number, cell: number}} Grid */

/**
 * @typedef {object} Plan
 * @property {number} width
 * @property {number} height
 * @property {Point[]} heads of the parts 1 to 6
 * @property {Box} load
 * @property {{x: number, y: number, width: number, columns: number, rows: number}} rail
 * @property {Box} door
 * @property {{x: number, y: number, columns: number, pitch: Point, hasText: boolean}} batch
 * @property {Box & Grid} shelf the map alone
 * @property {Point & {width: number}} shares the bar above it
 * @property {Box} clipboard
 * @property {string[]} arrows
 */

// Pixels from which the parts stand in three columns, and in two.
const WIDE = 860;
const MEDIUM = 600;
const GAP = 36; // between columns
const BETWEEN = 26; // one part and the next below it
const HEAD = 46; // badge, title and the line below it
const LOAD = 48;
const DOOR = 86;
const SHARES = 50; // the bar above the map, with its words
const OWED = 24; // the line below it
const MAP = 204;
const RAIL_ROOM = 20; // below the slips, for how many more there are
const LOW_RAIL = 2; // rows of slips where the rail lies across
const PLACE = 26; // the least for a place
const ROOMY_PLACE = 40;
const LARGEST_CELL = 22;

export const BADGE_RADIUS = 12; // of the circle with a part's number
export const PLACE_GAP = 18; // between two columns of places
export const SLIP = { width: 32, height: 30, pitch: 38, row: 42 };
export const PAPER = { row: 21, top: 16, rows: 6, bottom: 8 };
const CLIPBOARD = PAPER.top + PAPER.rows * PAPER.row + PAPER.bottom;

/**
 * @param {number} width pixels
 * @param {number} pages
 * @param {number} places
 * @returns {Plan}
 */
export function planKitchen(width, pages, places) {
  if (width < MEDIUM) {
    return planNarrow(width, pages, places);
  }
  return width < WIDE ? planMedium(width, pages, places) : planWide(width, pages, places);
}

/** Load and rail on the left, door and batch in the middle, shelf and clipboard on the right. @param {number} width
 * @param {number} pages @param {number} places @returns {Plan} */
function planWide(width, pages, places) {
  const room = width - 2 * GAP;
  const left = { x: 0, width: Math.round(room * 0.235) };
  const middle = { x: left.width + GAP, width: Math.round(room * 0.365) };
  const rightX = middle.x + middle.width + GAP;
  const right = { x: rightX, width: width - rightX };
  const height = HEAD + SHARES + MAP + OWED + BETWEEN + HEAD + CLIPBOARD;
  const railY = HEAD + LOAD + BETWEEN + HEAD;
  const batchHead = HEAD + DOOR + BETWEEN;
  const clipboardHead = HEAD + SHARES + MAP + OWED + BETWEEN;
  const columns = places <= 20 ? 2 : places <= 30 ? 3 : 4;
  const rows = Math.max(8, Math.ceil(places / columns));
  const pitch = Math.min(ROOMY_PLACE, (height - batchHead - HEAD) / rows);
  const middleOf = (/** @type {{x: number, width: number}} */ column) => column.x + column.width / 2;
  return {
    width,
    height,
    heads: [
      { x: left.x, y: railY - HEAD },
      { x: middle.x, y: 0 },
      { x: middle.x, y: batchHead },
      { x: right.x, y: 0 },
      { x: right.x, y: clipboardHead },
      { x: left.x, y: 0 },
    ],
    load: { ...left, y: HEAD, height: LOAD },
    rail: {
      ...left,
      y: railY,
      columns: slipsAcross(left.width),
      rows: Math.floor((height - railY - RAIL_ROOM) / SLIP.row),
    },
    door: { ...middle, y: HEAD, height: DOOR },
    batch: placesPlan(middle.x, batchHead + HEAD, middle.width, columns, pitch),
    shelf: { ...right, y: HEAD + SHARES, height: MAP, ...gridFor(pages, right.width, MAP) },
    shares: { ...right, y: HEAD },
    clipboard: { ...right, y: clipboardHead + HEAD, height: CLIPBOARD },
    arrows: [
      arrowDown(middleOf(left), HEAD + LOAD + 4),
      arrowRight(left.x + left.width + 4, railY + 4, batchHead / 2),
      arrowDown(middleOf(middle), batchHead - BETWEEN + 4),
      arrowAcross(middle.x + middle.width + 4, HEAD + SHARES + MAP / 2),
    ],
  };
}

/** Load beside door, the rail across, batch beside shelf. @param {number} width @param {number} pages
 * @param {number} places @returns {Plan} */
function planMedium(width, pages, places) {
  const half = Math.round((width - GAP) / 2);
  const left = { x: 0, width: half };
  const right = { x: width - half, width: half };
  const railY = HEAD + DOOR + BETWEEN + HEAD;
  const workY = railY + LOW_RAIL * SLIP.row + RAIL_ROOM + BETWEEN + HEAD;
  const columns = places <= 20 ? 2 : 3;
  const rows = Math.ceil(places / columns);
  const pitch = rows <= 8 ? ROOMY_PLACE - 8 : PLACE;
  const clipboardY = workY + Math.max(rows * pitch, SHARES + MAP + OWED) + BETWEEN + HEAD;
  return {
    width,
    height: clipboardY + CLIPBOARD,
    heads: [
      { x: 0, y: railY - HEAD },
      { x: right.x, y: 0 },
      { x: 0, y: workY - HEAD },
      { x: right.x, y: workY - HEAD },
      { x: 0, y: clipboardY - HEAD },
      { x: 0, y: 0 },
    ],
    load: { ...left, y: HEAD, height: LOAD },
    rail: { x: 0, width, y: railY, columns: slipsAcross(width), rows: LOW_RAIL },
    door: { ...right, y: HEAD, height: DOOR },
    batch: placesPlan(0, workY, half, columns, pitch),
    shelf: { ...right, y: workY + SHARES, height: MAP, ...gridFor(pages, half, MAP) },
    shares: { ...right, y: workY },
    clipboard: { x: 0, width, y: clipboardY, height: CLIPBOARD },
    arrows: [
      arrowDown(half / 2, railY - HEAD - BETWEEN + 4),
      arrowAcross(half + 4, workY + SHARES + MAP / 2),
    ],
  };
}

/** One part below the other. @param {number} width @param {number} pages @param {number} places @returns {Plan} */
function planNarrow(width, pages, places) {
  let y = 0;
  /** The top of the next part's content. @param {number} height */
  const next = (height) => {
    const top = y + HEAD;
    y = top + height + BETWEEN;
    return top;
  };
  const columns = places <= 20 ? 2 : Math.max(2, Math.floor(width / 110));
  const rows = Math.ceil(places / columns);
  const mapHeight = Math.round(Math.min(MAP, Math.max(150, width * 0.32)));
  const load = next(LOAD);
  const rail = next(LOW_RAIL * SLIP.row + RAIL_ROOM);
  const door = next(DOOR);
  const batch = next(rows * PLACE);
  const shares = next(SHARES + mapHeight + OWED);
  const clipboard = next(CLIPBOARD);
  const full = { x: 0, width };
  return {
    width,
    height: y - BETWEEN,
    heads: [rail, door, batch, shares, clipboard, load].map((top) => ({ x: 0, y: top - HEAD })),
    load: { ...full, y: load, height: LOAD },
    rail: {
      ...full,
      y: rail,
      columns: slipsAcross(width),
      rows: LOW_RAIL,
    },
    door: { ...full, y: door, height: DOOR },
    batch: placesPlan(0, batch, width, columns, PLACE),
    shelf: { ...full, y: shares + SHARES, height: mapHeight, ...gridFor(pages, width, mapHeight) },
    shares: { ...full, y: shares },
    clipboard: { ...full, y: clipboard, height: CLIPBOARD },
    arrows: [rail, door, batch].map((top) => arrowDown(width / 2, top - HEAD - BETWEEN + 4)),
  };
}

/** @param {number} width */
function slipsAcross(width) {
  return Math.floor((width + SLIP.pitch - SLIP.width) / SLIP.pitch);
}

/** @param {number} x @param {number} y @param {number} width @param {number} columns @param {number} pitch */
function placesPlan(x, y, width, columns, pitch) {
  const hasText = width / columns >= 130;
  return { x, y, columns, pitch: { x: (width + PLACE_GAP) / columns, y: pitch }, hasText };
}

/**
 * The largest cells that fit into a box, row by row.
 *
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @returns {Grid}
 */
function gridFor(count, width, height) {
  let cell = Math.min(LARGEST_CELL, Math.floor(Math.sqrt((width * height) / count)) + 1);
  while (cell > 1 && Math.ceil(count / Math.floor(width / cell)) * cell > height) {
    cell -= 0.25;
  }
  const columns = Math.floor(width / cell);
  return { columns, rows: Math.ceil(count / columns), cell };
}

/** @param {number} x @param {number} y */
function arrowDown(x, y) {
  return `M${x},${y}v16m-5,-5l5,5l5,-5`;
}

/** From the rail up to the door. @param {number} x @param {number} fromY @param {number} toY */
function arrowRight(x, fromY, toY) {
  return `M${x},${fromY}h10V${toY}h14m-5,-5l5,5l-5,5`;
}

/** Pages go both ways. @param {number} x @param {number} y */
function arrowAcross(x, y) {
  return `M${x},${y}h28m-5,-5l5,5l-5,5m-18,0l-5,-5l5,-5`;
}
