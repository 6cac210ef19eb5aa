/**
 * Fetches what Python is started from, checks it, and keeps it: a second start needs only what is still missing.
 */
import { Failed } from "./messages.js";

/** @typedef {import("./messages.js").PartName} PartName */

/** Seconds without a single new byte after which what is still on its way is given up. */
const PATIENCE_S = 30;
/** Seconds that the page itself may take when it is asked for again. */
const ENTRY_PATIENCE_S = 10;
const WASM_TYPE = "application/wasm";
const PARTS = TINYSERVE_PARTS;
/** @type {PartName[]} */
const NAMES = ["worker", "wasm", "stdlib", "wheel"];

export class Parts {
  total_bytes = NAMES.reduce((sum, name) => sum + PARTS[name].bytes, 0);
  /** @type {Set<() => void>} */
  #listeners = new Set();
  #entry;
  /** @type {Map<PartName, Promise<any>>} what has arrived or is on its way */
  #promised = new Map();
  /** @type {Map<PartName, number>} */
  #loaded_bytes = new Map();
  /** @type {Map<PartName, AbortController>} */
  #onTheirWay = new Map();
  /** @type {Set<PartName>} parts that failed once: the browser's cache may hold them as they failed */
  #failedOnce = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #watchdog;

  /** @param {URL} entry the page or script, itself without a hash in its name, that names this script */
  constructor(entry) {
    this.#entry = entry;
  }

  /** @param {() => void} listener called whenever bytes have come */
  listen(listener) {
    this.#listeners.add(listener);
  }

  /** Whether nothing has to be fetched any more. */
  get areHere() {
    return this.#onTheirWay.size === 0 && this.#promised.size === NAMES.length;
  }

  get loaded_bytes() {
    return [...this.#loaded_bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** The text of the worker's script. @returns {Promise<string>} */
  async workerSource() {
    return new TextDecoder().decode(await this.#part("worker"));
  }

  /**
   * What the worker is started from. A rejection is a `Failed`; what has not failed arrives nevertheless.
   *
   * @returns {Promise<import("./messages.js").BootParts>}
   */
  async bootParts() {
    const names = /** @type {const} */ (["wasm", "stdlib", "wheel"]);
    const [module, stdlib, wheel] = await Promise.all(names.map((name) => this.#part(name)));
    return { module, stdlib, wheel };
  }

  /** @param {PartName} name @returns {Promise<any>} a WebAssembly.Module for "wasm", else bytes */
  #part(name) {
    const promised = this.#promised.get(name) ?? this.#load(name);
    this.#promised.set(name, promised);
    return promised;
  }

  /** @param {PartName} name */
  async #load(name) {
    try {
      return await this.#watchOver(name);
    } catch (error) {
      this.#promised.delete(name);
      this.#loaded_bytes.delete(name);
      this.#failedOnce.add(name);
      throw await this.#explain(name, error); // which takes a while: by its end the part may be on its way anew
    }
  }

  /** Fetches a part, and gives it up when nothing comes any more. @param {PartName} name */
  async #watchOver(name) {
    const controller = new AbortController();
    this.#onTheirWay.set(name, controller);
    this.#expectAByte();
    try {
      return await this.#fetchAndCheck(name, controller.signal);
    } catch (error) {
      throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
      this.#onTheirWay.delete(name);
      this.#expectAByte();
    }
  }

  /** @param {PartName} name @param {AbortSignal} signal */
  async #fetchAndCheck(name, signal) {
    const isChecked = crypto.subtle !== undefined; // it is not where the page is not served by https
    const response = await this.#request(name, signal, isChecked ? undefined : `sha256-${PARTS[name].sha256}`);
    // Bytes are counted on a copy: the browser keeps compiled code only for the response that the network gave.
    const copy = response.clone();
    const compiled = name === "wasm" ? compile(response) : undefined;
    compiled?.catch(() => {}); // what is wrong with the bytes is said first
    const bytes = await this.#read(name, copy);
    if (isChecked) {
      await checkHash(name, bytes);
    }
    return compiled ?? bytes;
  }

  /**
   * The response, once its headers are here. Without crypto.subtle the browser checks the hash, and then tells a
   * damaged part from an unreachable one by nothing: the part is asked for once more without its hash.
   *
   * @param {PartName} name
   * @param {AbortSignal} signal
   * @param {string} [integrity]
   */
  async #request(name, signal, integrity) {
    const cache = this.#failedOnce.has(name) ? "reload" : "default";
    const address = new URL(PARTS[name].path, import.meta.url);
    let response;
    try {
      response = await fetch(address, { signal, cache, integrity });
    } catch (error) {
      if (integrity !== undefined && !signal.aborted) {
        await this.#read(name, await this.#request(name, signal));
        throw new Failed("damaged", name, `${PARTS[name].path} has not the SHA-256 with which it was built`);
      }
      throw new Failed("unreachable", name, `${PARTS[name].path}: ${error}`);
    }
    if (!response.ok) {
      await response.body?.cancel();
      const kind = [404, 410].includes(response.status) ? "missing" : "unreachable";
      throw new Failed(kind, name, `${PARTS[name].path}: the host answers ${response.status}`);
    }
    return response;
  }

  /** All bytes of a part, counted as they come. @param {PartName} name @param {Response} response */
  async #read(name, response) {
    const { path, bytes: wanted_bytes } = PARTS[name];
    const bytes = new Uint8Array(wanted_bytes);
    let loaded_bytes = 0;
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        if (loaded_bytes + next.value.length > wanted_bytes) {
          throw new Failed("damaged", name, `${path} is longer than the ${wanted_bytes} bytes it was built with`);
        }
        bytes.set(next.value, loaded_bytes);
        loaded_bytes += next.value.length;
        this.#loaded_bytes.set(name, loaded_bytes);
        this.#expectAByte();
        this.#listeners.forEach((tell) => tell());
      }
    } catch (error) {
      throw error instanceof Failed ? error : cutOff(name, loaded_bytes);
    }
    if (loaded_bytes < wanted_bytes) {
      throw cutOff(name, loaded_bytes);
    }
    return bytes;
  }

  /** Begins to wait anew, as long as anything is on its way. */
  #expectAByte() {
    clearTimeout(this.#watchdog);
    if (this.#onTheirWay.size > 0) {
      this.#watchdog = setTimeout(() => this.#giveUp(), PATIENCE_S * 1000);
    }
  }

  #giveUp() {
    for (const [name, controller] of this.#onTheirWay) {
      controller.abort(new Failed("silent", name, `no byte of ${PARTS[name].path} came for ${PATIENCE_S} s`));
    }
  }

  /**
   * The failure of a part; if the host has another build of the page by now, that is why.
   *
   * @param {PartName} name
   * @param {unknown} error
   */
  async #explain(name, error) {
    const { failure } = error instanceof Failed ? error : new Failed("python", name, String(error));
    const isOfAnotherBuild = ["missing", "cut-off", "damaged"].includes(failure.kind) && (await this.#isUpdated());
    return new Failed(isOfAnotherBuild ? "updated" : failure.kind, name, failure.detail);
  }

  /** Whether the page, asked for again, names another script than this one. */
  async #isUpdated() {
    const ownName = new URL(import.meta.url).pathname.split("/").at(-1) ?? "";
    try {
      const signal = AbortSignal.timeout(ENTRY_PATIENCE_S * 1000);
      const response = await fetch(this.#entry, { cache: "no-store", signal });
      return response.ok && !(await response.text()).includes(ownName);
    } catch {
      return false;
    }
  }
}

/** @param {PartName} name @param {number} loaded_bytes */
function cutOff(name, loaded_bytes) {
  const { path, bytes } = PARTS[name];
  return new Failed("cut-off", name, `${path} ended after ${loaded_bytes} of ${bytes} bytes`);
}

/** @param {PartName} name @param {Uint8Array<ArrayBuffer>} bytes */
async function checkHash(name, bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  if (btoa(String.fromCharCode(...digest)) !== PARTS[name].sha256) {
    throw new Failed("damaged", name, `${PARTS[name].path} has not the SHA-256 with which it was built`);
  }
}

/** The module, compiled while it comes; hosts that do not know the file's type are forgiven.
 * @param {Response} response */
async function compile(response) {
  const isTyped = response.headers.get("Content-Type")?.startsWith(WASM_TYPE);
  const typed = isTyped ? response : new Response(response.body, { headers: { "Content-Type": WASM_TYPE } });
  try {
    return await WebAssembly.compileStreaming(typed);
  } catch (error) {
    const kind = error instanceof RangeError ? "memory" : "old-browser";
    throw new Failed(kind, "wasm", `Python's WebAssembly could not be compiled (${error})`);
  }
}
