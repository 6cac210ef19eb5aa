/**
 * The editor of the program: CodeMirror in a shadow root of its own, where its styles need no loosening of the page's
 * policy. It is a script of its own, which the page loads when a reader asks for it.
 */
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  isolateHistory,
  redo,
  redoDepth,
  undo,
  undoDepth,
} from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { unifiedMergeView } from "@codemirror/merge";
import { Compartment, EditorSelection, EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  WidgetType,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** @typedef {import("@codemirror/state").Extension} Extension */

/**
 * @typedef {object} Editor
 * @property {(source: string) => void} setSource puts another text in, which can be undone
 * @property {(isShown: boolean) => void} showDiff shows what differs from the original, in the text
 * @property {(line: number | null, message: string) => void} markLine marks one line, counted from 1, with what is
 *   wrong there; null takes the mark away
 * @property {(line: number) => void} goToMark puts the cursor into the marked line, wherever it has gone since, and
 *   brings it into sight; where none is marked, into the line of this number
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => boolean} canUndo
 * @property {() => boolean} canRedo
 * @property {() => void} focus
 */

const INDENT = "    ";
const HELP_ID = "editor-help";
/** Lines that stay in sight around a change, and the fewest without one that are folded. */
const DIFF_CONTEXT = { margin: 3, minSize: 6 };

const MONOSPACE = 'ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** The page's colours, which come into the shadow root as custom properties. */
const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "0.8125rem" },
  "&.cm-focused": { outline: "none" }, // the shadow root shows it
  ".cm-scroller": { overflow: "auto", fontFamily: MONOSPACE, lineHeight: "1.5" },
  ".cm-content": { padding: "0.5rem 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 0.75rem 0 0.5rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": { color: "var(--soft)", backgroundColor: "var(--card)", borderRight: "1px solid var(--rule)" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 0.6rem 0 0.75rem" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--ink) 5%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--focus) 28%, transparent)",
  },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "transparent",
    outline: "1px solid var(--edge)",
  },
  ".cm-trouble": { backgroundColor: "color-mix(in srgb, var(--trouble) 14%, transparent)" },
  ".cm-trouble-words": {
    padding: "0.15rem 0.75rem 0.25rem 0.5rem",
    borderLeft: "3px solid var(--trouble)",
    color: "var(--trouble)",
    fontFamily: "system-ui, sans-serif",
    whiteSpace: "pre-wrap",
  },
  "&.cm-merge-b .cm-changedLine, .cm-insertedLine": {
    backgroundColor: "color-mix(in srgb, var(--batch) 10%, transparent)",
  },
  "&.cm-merge-b .cm-changedText": { background: "none", boxShadow: "inset 0 -1px var(--batch)" },
  "&.cm-merge-b .cm-changedLineGutter": { background: "var(--batch)" },
  ".cm-deletedChunk": {
    padding: "0 0 0 0.5rem",
    backgroundColor: "color-mix(in srgb, var(--cache) 10%, transparent)",
  },
  ".cm-deletedChunk del": { textDecoration: "line-through", textDecorationColor: "var(--soft)" },
  ".cm-deletedChunk .cm-deletedText": { background: "none", boxShadow: "inset 0 -1px var(--cache)" },
  ".cm-deletedLineGutter": { background: "var(--cache)" },
  ".cm-collapsedLines": {
    padding: "0.25rem 0.5rem",
    color: "var(--soft)",
    background: "var(--paper)",
    fontFamily: "system-ui, sans-serif",
  },
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '"⋯"' }, // not every font has CodeMirror's sign
});

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--wait)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--batch)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--cache)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], fontWeight: "600" },
]);

/** What CodeMirror's theme does not reach: the shadow root itself. */
const ROOT_STYLE = `
  :host { position: relative; display: flex; flex-direction: column; min-height: 0; }
  .field { position: relative; flex: 1; min-height: 0; }
  .field:focus-within::after { content: ""; position: absolute; z-index: 300; inset: 0; pointer-events: none;
    outline: 2px solid var(--focus); outline-offset: -2px; }
  p { margin: 0; padding: 0.35rem 0.75rem; border-top: 1px solid var(--rule); color: var(--soft);
    font-size: 0.8125rem; line-height: 1.4; }
  @media (forced-colors: active) { .cm-trouble { outline: 1px solid; } }
`;

// ---- The marked line -----------------------------------------------------------------------------------------

/** What is wrong in a line, below it. */
class TroubleWords extends WidgetType {
  /** @param {string} message */
  constructor(message) {
    super();
    this.message = message;
  }

  /** @param {TroubleWords} other */
  eq(other) {
    return other.message === this.message;
  }

  /** @param {EditorView} view */
  toDOM(view) {
    const words = view.dom.ownerDocument.createElement("div");
    words.className = "cm-trouble-words";
    words.textContent = this.message;
    return words;
  }
}

/** @type {import("@codemirror/state").StateEffectType<{line: number, message: string} | null>} */
const setTrouble = StateEffect.define();

/** The mark moves with its line while the text around it is changed. */
const trouble = StateField.define({
  create: () => Decoration.none,
  update(marks, { changes, effects, state }) {
    const effect = effects.find((each) => each.is(setTrouble));
    if (effect === undefined) {
      return marks.map(changes);
    }
    if (effect.value === null) {
      return Decoration.none;
    }
    const { from, to } = lineOf(state, effect.value.line);
    const words = Decoration.widget({ widget: new TroubleWords(effect.value.message), block: true, side: 1 });
    return Decoration.set([Decoration.line({ class: "cm-trouble" }).range(from), words.range(to)]);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** A line by its number; what lies beyond the text is its last line. @param {EditorState} state @param {number} line */
function lineOf({ doc }, line) {
  return doc.line(Math.min(Math.max(line, 1), doc.lines));
}

// ---- The editor ----------------------------------------------------------------------------------------------

/** Esc lets Tab leave the editor, until something is typed or the editor is entered anew. */
const ESCAPE = [
  keymap.of([
    {
      key: "Escape",
      run: (view) => {
        view.setTabFocusMode(true);
        return false;
      },
    },
  ]),
  EditorView.domEventHandlers({ focus: (_, view) => view.setTabFocusMode(false) }),
  EditorView.updateListener.of(({ docChanged, view }) => {
    if (docChanged) {
      view.setTabFocusMode(false);
    }
  }),
];

/**
 * What is typed over a selection is put in here: left to the browser, it brings the old text's style along as an
 * attribute, which the page's policy refuses.
 */
const OVERTYPE = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data, isComposing } = event;
    if (inputType !== "insertText" || data === null || isComposing || view.state.selection.main.empty) {
      return false;
    }
    view.dispatch(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/**
 * Puts an editor into an element that has no shadow root yet.
 *
 * @param {HTMLElement} host
 * @param {{source: string, label: string, help: string, onChange: (source: string) => void, onRun: () => void}} given
 *   `source` is the original, against which changes are shown; `label` names the editor, `help` says how to use it
 * @returns {Editor}
 */
export function makeEditor(host, { source, label, help, onChange, onRun }) {
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(ROOT_STYLE);
  root.adoptedStyleSheets = [sheet];
  const field = host.ownerDocument.createElement("div");
  field.className = "field";
  const helpLine = host.ownerDocument.createElement("p");
  helpLine.id = HELP_ID;
  helpLine.textContent = help;
  root.append(field, helpLine);

  const run = () => {
    onRun();
    return true;
  };
  const diff = new Compartment();
  const view = new EditorView({
    parent: field,
    root,
    state: EditorState.create({
      doc: source,
      extensions: [
        Prec.highest(keymap.of([{ key: "Mod-Enter", run }, { key: "Ctrl-Enter", run }])),
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightActiveLine(),
        history(),
        drawSelection(),
        pythonLanguage,
        indentUnit.of(INDENT),
        EditorState.tabSize.of(INDENT.length),
        indentOnInput(),
        bracketMatching(),
        syntaxHighlighting(COLOURS),
        keymap.of([indentWithTab, ...historyKeymap, ...defaultKeymap]),
        ESCAPE,
        OVERTYPE,
        trouble,
        diff.of([]),
        THEME,
        EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": HELP_ID, tabindex: "0" }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) {
            onChange(state.doc.toString());
          }
        }),
      ],
    }),
  });

  return {
    setSource: (text) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: isolateHistory.of("full"), // one undo takes back this, and nothing typed before
      }),
    showDiff: (isShown) => view.dispatch({ effects: diff.reconfigure(isShown ? diffAgainst(source) : []) }),
    markLine: (line, message) =>
      view.dispatch({ effects: setTrouble.of(line === null ? null : { line, message }) }),
    goToMark: (line) => {
      const mark = view.state.field(trouble).iter();
      const from = mark.value === null ? lineOf(view.state, line).from : mark.from;
      const effects = EditorView.scrollIntoView(from, { y: "center", x: "start" });
      view.dispatch({ selection: EditorSelection.cursor(from), effects });
      view.focus();
    },
    undo: () => void undo(view),
    redo: () => void redo(view),
    canUndo: () => undoDepth(view.state) > 0,
    canRedo: () => redoDepth(view.state) > 0,
    focus: () => view.focus(),
  };
}

/** @param {string} original @returns {Extension} */
function diffAgainst(original) {
  return unifiedMergeView({ original, mergeControls: false, collapseUnchanged: DIFF_CONTEXT });
}
