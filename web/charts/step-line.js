/**
 * A quantity that changes in steps, as the vertices of a line with no more of them than a screen can show.
 */

/** Pixels in a bucket. A bucket keeps at most four vertices, so a line has at most two for each pixel. */
const BUCKET_PIXELS = 2;

/** @typedef {[x: number, value: number]} Vertex */

/**
 * Vertices of the line that holds values[i] from times[i] on and ends at `end`.
 *
 * Of the changes within two pixels it keeps where the line comes in, its lowest and its highest value in the order
 * in which they occur, and where it goes out, all above the first of them: the line has no slopes. A change that is
 * alone stays where it is to the fraction of a pixel. Nothing after `end` is drawn.
 *
 * @param {ArrayLike<number>} times ascending
 * @param {ArrayLike<number>} values one for each time
 * @param {number} end on the scale of `times`
 * @param {(time: number) => number} x pixels of a time
 * @returns {Vertex[]}
 */
export function stepLine(times, values, end, x) {
  if (times.length === 0 || times[0] > end) {
    return [];
  }
  /** @type {Vertex[]} */
  const vertices = [[x(times[0]), values[0]]];
  let at = 1;
  while (at < times.length && times[at] <= end) {
    const bucket = bucketOf(x(times[at]));
    const from = at;
    while (at < times.length && times[at] <= end && bucketOf(x(times[at])) === bucket) {
      at += 1;
    }
    vertices.push(...bucketVertices(times, values, from, at, x));
  }
  vertices.push([x(end), values[at - 1]]);
  return vertices;
}

/** @param {number} pixel */
function bucketOf(pixel) {
  return Math.floor(pixel / BUCKET_PIXELS);
}

/**
 * What happens in one bucket: the changes to values[from] ... values[to - 1].
 *
 * @param {ArrayLike<number>} times
 * @param {ArrayLike<number>} values
 * @param {number} from
 * @param {number} to
 * @param {(time: number) => number} x
 * @returns {Vertex[]}
 */
function bucketVertices(times, values, from, to, x) {
  let lowest = from - 1;
  let highest = from - 1;
  /** @type {number | null} */
  let firstChange = null;
  for (let at = from; at < to; at += 1) {
    if (firstChange === null && values[at] !== values[at - 1]) {
      firstChange = at;
    }
    lowest = values[at] < values[lowest] ? at : lowest;
    highest = values[at] > values[highest] ? at : highest;
  }
  if (firstChange === null) {
    return [];
  }
  const pixel = x(times[firstChange]);
  const comesIn = values[from - 1];
  const goesOut = values[to - 1];
  const extremes = [Math.min(lowest, highest), Math.max(lowest, highest)]
    .map((at) => values[at])
    .filter((value) => value !== comesIn && value !== goesOut);
  return [comesIn, ...extremes, goesOut].map((value) => [pixel, value]);
}

/**
 * Stretches of time in which a flag is set, as [from, to] in pixels, at most one for every two pixels.
 * A stretch is at least a pixel wide, so that a single step can be seen.
 *
 * @param {ArrayLike<number>} starts
 * @param {ArrayLike<number>} ends one for each start
 * @param {ArrayLike<number>} flags 1 where set, else 0
 * @param {number} end on the scale of `starts`
 * @param {(time: number) => number} x
 * @returns {[from: number, to: number][]}
 */
export function stretches(starts, ends, flags, end, x) {
  /** @type {[number, number][]} */
  const found = [];
  for (let at = 0; at < starts.length && starts[at] <= end; at += 1) {
    if (!flags[at]) {
      continue;
    }
    const from = x(starts[at]);
    const to = Math.max(x(Math.min(ends[at], end)), from + 1);
    const previous = found.at(-1);
    if (previous !== undefined && from - previous[1] < 1) {
      previous[1] = Math.max(previous[1], to);
    } else {
      found.push([from, to]);
    }
  }
  return found;
}
