import { closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { PostgreSQL } from '@codemirror/lang-sql';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  type ViewUpdate,
} from '@codemirror/view';
import type { SqlDialect } from '@sluice/contract/sql';
import type { CompletionCatalog } from '../completion/completion-catalog.ts';
import { errorMark } from './error-mark.ts';
import { sqlCompletion } from './sql-completion.ts';
import { sqlTheme } from './sql-theme.ts';

/** Functions of the page. They read its latest state, so that the extensions stay the same while the user types. */
interface EditorDependencies {
  readonly onRun: () => void;
  readonly onFormat: () => void;
  /** Wraps long lines, or does not any more. */
  readonly onWrap: () => void;
  readonly onUpdate: (update: ViewUpdate) => void;
  readonly dialect: () => SqlDialect;
  readonly catalog: () => CompletionCatalog;
}

const wrapping = new Compartment();
const wrappingOf = (isWrapped: boolean): Extension => (isWrapped ? EditorView.lineWrapping : []);

/** Wraps the long lines of an editor, or does not. */
export const wrapLines = (view: EditorView, isWrapped: boolean): void =>
  view.dispatch({ effects: wrapping.reconfigure(wrappingOf(isWrapped)) });

/**
 * Returns the extensions of every editor of a page.
 * @param label - name of the editor for screen readers
 * @param nonce - lets the style elements of CodeMirror pass the content security policy
 */
export function editorExtensions(dependencies: EditorDependencies, label: string, nonce: string): Extension {
  return [
    EditorView.cspNonce.of(nonce),
    EditorView.contentAttributes.of({
      'aria-label': label,
      // Editable text can be reached by keyboard anyway; checks of accessibility look for the attribute.
      tabindex: '0',
      spellcheck: 'false',
      autocorrect: 'off',
      autocapitalize: 'off',
    }),
    EditorView.updateListener.of(dependencies.onUpdate),
    EditorState.tabSize.of(2),
    EditorState.allowMultipleSelections.of(true),
    wrapping.of(wrappingOf(false)),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    highlightSpecialChars({ addSpecialChars: /\u200c|\u200d|[\u202a-\u202c\u2068]/g }),
    highlightSelectionMatches(),
    history(),
    drawSelection(),
    dropCursor(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    // DuckDB follows PostgreSQL. Its grammar colours Trino too; it decides nothing.
    PostgreSQL.language,
    sqlCompletion(dependencies),
    errorMark,
    sqlTheme,
    Prec.highest(keymap.of(ownKeys(dependencies))),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
      ...searchKeymap,
      ...historyKeymap,
      ...completionKeymap,
      indentWithTab,
    ]),
  ];
}

const ownKeys = ({ onRun, onFormat, onWrap }: EditorDependencies) => [
  { key: 'Mod-Enter', run: (view: EditorView) => after(view, onRun), preventDefault: true },
  { key: 'Mod-Shift-f', run: (view: EditorView) => after(view, onFormat), preventDefault: true },
  { key: 'Alt-z', run: (view: EditorView) => after(view, onWrap), preventDefault: true },
];

/** Closes the list of completions, which would take the next Escape and cover the rows, and then acts. */
function after(view: EditorView, act: () => void): true {
  closeCompletion(view);
  act();
  return true;
}
