/**
 * Limits for a reader's own program: of time, by a deadline that Python looks for while it runs, and of memory.
 */

/** What a reader's program may use: milliseconds of a run, and bytes of Python's memory (a start takes 30 MB). */
export const READER_LIMITS = { run_ms: 4000, heap_bytes: 256 * 2 ** 20 };

/** Modules beside tinyserve's own that a reader's program may import (MODULES in edited.py). */
export const READER_MODULES = [
  "bisect",
  "collections",
  "copy",
  "dataclasses",
  "functools",
  "heapq",
  "itertools",
  "json",
  "math",
  "random",
  "statistics",
  "time",
  "typing",
];

/**
 * Calls within calls, of Python's usual 1000: each may take so much of the browser's own stack, which nothing guards,
 * that a thousand kill the interpreter. Data nested without end still does.
 */
export const DEEPEST_CALLS = 300;

/** The signal that Python raises as an interrupt. */
const SIGINT = 2;
const WASM_PAGE_BYTES = 65536;

/**
 * What Python's interpreter reads between two steps of a program, in place of an array of shared memory: index 0 holds
 * a signal, or 0. It gives the signal once, since Python reads again while it handles it.
 */
export class Deadline {
  #run_ms;
  #end_ms = Infinity;

  /** @param {number} run_ms */
  constructor(run_ms) {
    this.#run_ms = run_ms;
  }

  begin() {
    this.#end_ms = performance.now() + this.#run_ms;
  }

  end() {
    this.#end_ms = Infinity;
  }

  get 0() {
    if (performance.now() < this.#end_ms) {
      return 0;
    }
    this.#end_ms = Infinity;
    return SIGINT;
  }

  /** Python puts back what it has read; without this the writing would fail, and the signal be lost. */
  set 0(_signal) {}
}

/**
 * Lets no memory of WebAssembly grow beyond a limit, in this worker: Python then raises a MemoryError.
 *
 * @param {number} heap_bytes
 */
export function capHeap(heap_bytes) {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function growWithinLimit(/** @type {number} */ pages) {
    const grown_bytes = this.buffer.byteLength + pages * WASM_PAGE_BYTES;
    if (grown_bytes > heap_bytes) {
      throw new RangeError(`${grown_bytes} bytes of memory are more than the ${heap_bytes} allowed`);
    }
    return grow.call(this, pages);
  };
}

/**
 * Whether the browser's own stack was full. It says so in words only, and each engine in its own.
 *
 * @param {unknown} error
 */
export function isStackOverflow(error) {
  return error instanceof Error && /call stack|too much recursion/i.test(error.message);
}
