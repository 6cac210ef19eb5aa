/**
 * All that the widget says, in German.
 */
import { numbersOf } from "../format.js";

/** @typedef {import("../settings.js").Settings} Settings */

const numbers = numbersOf("de");
const { grouped, short } = numbers;

/** Zahl und Einheit bleiben auf einer Zeile. @param {string} figure @param {string} unit */
const together = (figure, unit) => `${figure}\u00a0${unit}`;

/** @param {number} count @param {string} one @param {string} many */
const counted = (count, one, many) => together(grouped(count), count === 1 ? one : many);

const chats = (/** @type {number} */ count) => counted(count, "Chat", "Chats");
const pages = (/** @type {number} */ count) => counted(count, "Seite", "Seiten");
const stepsIn = (/** @type {number} */ count) => counted(count, "Schritt", "Schritten");

/** @param {Settings} settings */
const inWords = ({ rate, pages: count, limit, shuffle }) => {
  const order = shuffle === 0 ? "" : `, Reihenfolge ${shuffle}`;
  return `${chats(rate)} pro Sekunde, ${pages(count)}, ${chats(limit)} pro Schritt${order}`;
};

/** @type {Record<import("../messages.js").PartName, string>} */
const PARTS = { worker: "Das Skript des Workers", wasm: "Python selbst", stdlib: "Pythons Bibliothek", wheel: "Das Programm" };

/** @param {import("../messages.js").Failure} failure */
const blamed = ({ part }) => (part === null ? "Eine Datei" : PARTS[part]);

const megabytes = (/** @type {number} */ bytes) => numbers.fixed(bytes / 1e6, 1);

/** @type {import("./languages.js").Words} */
export const de = {
  language: "de",
  numbers,
  inWords,

  title: "tinyserve: sehen, warum ein Modellserver warten lässt",
  heading: "Ein winziger Modellserver unter Last: Regler ziehen und sehen, warum man warten muss",
  settingsForm: "Einstellungen",
  moreSettings: "Weitere Einstellungen",
  reset: "Zurücksetzen",
  copyLink: "Link kopieren",
  clipboard: "Das Klemmbrett",
  measured: "Was gemessen wurde",
  unit: "Einheit",
  twoWaits: "Die zwei Wartezeiten",
  twoWaitsRule: "99 von 100 Wartezeiten sind höchstens so lang wie der Balken (p99)",
  cacheFill: "Wie der Cache sich füllt",
  timeShown: "Gezeigte Zeit",
  tables: "Die Diagramme als Tabellen",

  settings: {
    rate: { name: "Chats pro Sekunde", unit: "Chats/s", inWords: (value) => `${chats(value)} pro Sekunde` },
    pages: { name: "Cache-Seiten", unit: "Seiten", inWords: (value) => pages(value) },
    limit: { name: "Chats pro Schritt", unit: "Chats", inWords: (value) => `${chats(value)} pro Schritt` },
    shuffle: { name: "Chats mischen", unit: "Folge", inWords: (value) => `Reihenfolge ${value}` },
  },

  status: {
    fromBuild: "Berechnet, als diese Seite gebaut wurde.",
    other: (settings) => `Gezeigt: ${inWords(settings)}.`,
    idle: "Python startet, sobald dies ins Bild kommt.",
    download: (loaded_bytes, total_bytes) =>
      `Python lädt: ${megabytes(loaded_bytes)} von ${together(megabytes(total_bytes), "MB")}`,
    start: "Python startet …",
    ready: "Jede Antwort berechnet Python, auf dieser Seite.",
  },
  standing: (settings) => `Gezeigt ist die Antwort auf ${inWords(settings)}.`,
  retry: "Noch einmal versuchen",
  reload: "Seite neu laden",
  failed: "Python konnte auf dieser Seite nicht gestartet werden.",
  stopped: "Python hat auf dieser Seite aufgehört.",

  failures: {
    missing: (failure) =>
      `${blamed(failure)} fehlt auf dem Server. Wer die Website betreibt, kann den Ordner neu kopieren.`,
    unreachable: (failure) =>
      `${blamed(failure)} war nicht zu erreichen. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.`,
    "cut-off": (failure) =>
      `${blamed(failure)} kam nur zum Teil an. Versuchen Sie es noch einmal; hilft das nicht, ist die Kopie auf dem ` +
      "Server unvollständig.",
    damaged: (failure) =>
      `${blamed(failure)} kam beschädigt an. Versuchen Sie es noch einmal; hilft das nicht, ist die Kopie auf dem ` +
      "Server beschädigt.",
    updated: () => "Diese Seite wurde erneuert, seit Sie sie geöffnet haben. Laden Sie sie neu.",
    policy: () =>
      "Die Sicherheitsregeln der Website lassen Python nicht laufen. Wer sie betreibt, muss 'wasm-unsafe-eval' in " +
      "script-src und blob: in worker-src erlauben.",
    "old-browser": () => "Dieser Browser ist zu alt für Python. Erneuern Sie ihn oder nehmen Sie einen anderen.",
    memory: () => "Der Browser gab dieser Seite nicht den Speicher, den Python braucht. Schließen Sie andere Tabs und versuchen Sie es noch einmal.",
    silent: () => "Python gab kein Lebenszeichen mehr. Versuchen Sie es noch einmal.",
    crashed: () => "Python brach ab. Versuchen Sie es noch einmal.",
    mismatch: () => "Die Teile dieser Seite gehören zu verschiedenen Versionen. Wer die Website betreibt, kann den Ordner neu kopieren.",
    python: () => "Python brach beim Start ab. Versuchen Sie es noch einmal.",
  },

  outOfRange: (name, { min, max, step }, taken) =>
    `${name}: ${grouped(min)} bis ${grouped(max)}${step === 1 ? "" : ` in Schritten von ${step}`}; gesetzt auf ${grouped(taken)}.`,
  notANumber: (name, taken) => `${name}: keine Zahl; es bleibt bei ${grouped(taken)}.`,
  ignored: (name, known) =>
    `${name}: nur ${known.slice(0, -1).join(", ")} oder ${known[known.length - 1]}; alles andere wird übergangen.`,
  locked: (name, value) => `${name}: auf dieser Seite gesperrt; es bleibt bei ${grouped(value)}.`,
  linkCopied: "Der Link ist in der Zwischenablage.",
  linkToCopy: "Der Link zum Kopieren:",
  before: (settings) => `Dünne Linie: vorher, mit ${inWords(settings)}`,

  wallSentences: {
    none: "Keine Wand.",
    cache: "Der Cache ist die Wand.",
    batch: "Die Batch-Grenze ist die Wand.",
    both: "Cache und Batch-Grenze sind beide die Wand.",
  },
  slowest: (wait) =>
    `der langsamste von 100 wartet ${together(wait, "s")} oder länger auf sein erstes Wort.`,
  nobodyHeldOut: (slowest) => `Kein Chat wird je aufgehalten; ${slowest}`,
  neverByCache: (slowest) => `Der Cache hält nie einen Chat auf; ${slowest}`,
  cacheFirst: {
    cache: (at, slowest) => `Er hält zum ersten Mal bei ${together(at, "s")} einen Chat auf, und ${slowest}`,
    batch: (at, slowest) =>
      `Auch der Cache hält einen Chat auf, aber in weniger Schritten, zuerst bei ${together(at, "s")}; ${slowest}`,
    both: (at, slowest) => `Der Cache hält zum ersten Mal bei ${together(at, "s")} einen Chat auf, und ${slowest}`,
  },
  yet: (heldOut, queue_max, slowest) =>
    `Doch ${heldOut.join(", und ")}; nie ${queue_max === 1 ? "wartete mehr als einer" : `warteten mehr als ${grouped(queue_max)}`}; ${slowest}`,
  cacheHeldOut: (steps, at) =>
    `der Cache hielt ab ${together(at, "s")} in ${stepsIn(steps)} einen Chat auf`,
  batchHeldOut: (steps, isToo) =>
    isToo
      ? `die Batch-Grenze tat es in ${stepsIn(steps)}`
      : `die Batch-Grenze hielt in ${stepsIn(steps)} einen Chat auf`,

  wallNames: { none: "keine", cache: "der Cache", batch: "die Grenze", both: "beide" },
  rows: {
    wall: "Die Wand",
    firstWord: "Erstes Wort",
    gap: "Zwischen Wörtern",
    meanGap: "Im Mittel je Chat",
    queue: "Längste Schlange",
    pages: "Meiste Seiten",
    cacheFirst: "Cache hält zuerst auf",
    byCache: "Cache hält auf",
    byBatch: "Batch hält auf",
    steps: "Schritte im Ganzen",
    finished: "Chats fertig",
  },
  units: { s: "s", ms: "ms", chats: "Chats", pages: "Seiten", steps: "Schritte", perSecond: "/s" },

  firstWordTitle: "Warten auf das erste Wort",
  gapTitle: "Pause zwischen Wörtern",
  rateLabel: (rate) => `${grouped(rate)} Chats/s`,
  grew: (times) => `${times}-mal`,
  asLong: (rate) => `so lang wie bei ${grouped(rate)} Chats/s`,
  shorter: (rate) => `kürzer als bei ${grouped(rate)} Chats/s`,
  noGap: "keine",
  notYet: "…",
  waitsInWords: (rate, wait, gap) =>
    `Bei ${chats(rate)} pro Sekunde, p99: erstes Wort ${together(wait, "s")}, ${gap}.`,
  gapInWords: (gap) => `Pause ${together(gap, "ms")}`,

  pagesLane: "Seiten",
  promised: "zugesagt",
  held: "belegt",
  ceiling: (count) => `alle ${grouped(count)}`,
  queueLane: "Schlange",
  waitingChats: "wartende Chats",
  batchLane: "Batch",
  places: "besetzte Plätze",
  limit: (limit) => `Grenze ${grouped(limit)}`,
  stepsByCache: (steps) => `Cache hält auf: in ${stepsIn(steps)}`,
  stepsByBatch: (steps) => `Batch hält auf: in ${stepsIn(steps)}`,
  firstHeldOut: (at) => `Cache hält zuerst auf: ${together(at, "s")}`,
  firstSpan: (seconds) => `erste ${counted(seconds, "Sekunde", "Sekunden")}`,
  wholeSpan: "ganzer Lauf",
  timeAxis: "Sekunden, seit der erste Chat kam",
  cacheInWords: (at, most, all, queue_max) =>
    `${at === null ? "Der Cache hält nie einen Chat auf." : `Der Cache hält zuerst bei ${together(at, "s")} einen Chat auf.`} ` +
    `Höchstens ${grouped(most)} von ${pages(all)} sind belegt, und höchstens ${queue_max === 1 ? "ein\u00a0Chat wartet" : `${chats(queue_max)} warten`} zugleich.`,

  waitsTable: "Die zwei Wartezeiten, p99",
  load: "Last",
  cacheTable: "Wie der Cache sich füllt",
  time: (time_s) => together(short(time_s), "s"),
  timeHead: "Zeit",
};
