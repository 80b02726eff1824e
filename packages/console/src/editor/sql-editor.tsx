import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { SqlDialect, TextRange } from '@sluice/contract/sql';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { editorExtensions, wrapLines } from './codemirror/editor-extensions.ts';
import { setErrorMark } from './codemirror/error-mark.ts';
import type { CompletionCatalog } from './completion/completion-catalog.ts';
import type { DraftStore } from './drafts/draft-store.ts';
import { nonceOfPage } from './nonce-of-page.ts';
import { errorRange, type SqlLocation } from './sql/error-marks.ts';
import { runnableRange } from './sql/statement-at-cursor.ts';
import './sql-editor.css';

/** Position of an error in a statement of the text. */
interface ErrorPosition {
  readonly statement: TextRange;
  readonly location: SqlLocation;
}

/** Methods of an editor for the page around it. */
export interface SqlEditorHandle {
  /** Returns the selection, or the statement at the cursor; undefined if there is nothing to run. */
  runnable(): (TextRange & { readonly sql: string }) | undefined;
  text(): string;
  /** Writes a name in place of the selection, apart from a word before it, and puts the cursor behind it. */
  insertName(name: string): void;
  /** Replaces a part of the text, as one step that can be undone. */
  replace(range: TextRange, text: string): void;
  /** Marks the position of an error in a statement that ran; undefined: removes the mark. */
  markError(error: ErrorPosition | undefined): void;
  /** Marks the position of an error and puts the cursor there. */
  goToError(error: ErrorPosition): void;
  focus(): void;
}

interface SqlEditorProps {
  readonly store: DraftStore;
  readonly draftId: string;
  readonly label: string;
  readonly dialect: SqlDialect;
  readonly catalog: CompletionCatalog;
  /** Whether the editor has the focus when it appears. */
  readonly autoFocus?: boolean;
  readonly onRun: () => void;
  readonly onFormat: () => void;
  readonly wrapsLines: boolean;
  readonly onWrap: () => void;
  /** Called some time after the last keystroke. */
  readonly onText: (text: string) => void;
  readonly ref: Ref<SqlEditorHandle>;
}

/** End of a name, a word or an expression, which a name must not continue. */
const WORD_END = /[\p{L}\p{N}_$"')*,]/u;

/** Time after the last keystroke at which the page gets the text, in milliseconds. */
const TEXT_DELAY_MS = 200;

/** Editor of the active draft. The text is in CodeMirror, one state for each tab, so each keeps its history and its cursor. */
export function SqlEditor(props: SqlEditorProps) {
  const { draftId, label, wrapsLines, ref } = props;
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const editor = useRef<Editor>(undefined);
  useEffect(() => {
    const created = new Editor(host.current as HTMLElement, () => latest.current, label);
    editor.current = created;
    void created.show(latest.current.draftId);
    if (latest.current.autoFocus === true) created.view.focus();
    return () => created.destroy();
  }, [label]);
  useEffect(() => void editor.current?.show(draftId), [draftId]);
  useEffect(() => {
    if (editor.current !== undefined) wrapLines(editor.current.view, wrapsLines);
  }, [wrapsLines]);
  useImperativeHandle(ref, () => createHandle(editor, latest), []);
  return <div ref={host} className="sql-editor" />;
}

function createHandle(
  editor: { readonly current: Editor | undefined },
  latest: { readonly current: SqlEditorProps },
): SqlEditorHandle {
  const view = (): EditorView => (editor.current as Editor).view;
  const text = (): string => view().state.doc.toString();
  const replace = (range: TextRange, insert: string): void =>
    view().dispatch({
      changes: { ...range, insert },
      selection: { anchor: range.from + insert.length },
      scrollIntoView: true,
    });
  const toRange = ({ statement, location }: ErrorPosition): TextRange =>
    errorRange(text(), statement, location, latest.current.dialect);
  return {
    text,
    runnable() {
      if (!(editor.current as Editor).isCurrent) return undefined;
      const { from, to } = view().state.selection.main;
      const range = runnableRange(text(), { from, to }, latest.current.dialect);
      return range === undefined ? undefined : { ...range, sql: view().state.sliceDoc(range.from, range.to) };
    },
    insertName(name) {
      if (!(editor.current as Editor).isCurrent) return;
      const { from, to } = view().state.selection.main;
      const isAfterWord = WORD_END.test(view().state.sliceDoc(Math.max(0, from - 1), from));
      replace({ from, to }, isAfterWord ? ` ${name}` : name);
      view().focus();
    },
    replace,
    markError(error) {
      view().dispatch({ effects: setErrorMark.of(error && toRange(error)) });
    },
    goToError(error) {
      const range = toRange(error);
      view().dispatch({
        effects: setErrorMark.of(range),
        selection: { anchor: range.from },
        scrollIntoView: true,
      });
      view().focus();
    },
    focus: () => view().focus(),
  };
}

class Editor {
  readonly view: EditorView;
  readonly #states = new Map<string, EditorState>();
  readonly #props: () => SqlEditorProps;
  readonly #extensions: ReturnType<typeof editorExtensions>;
  readonly #stopListening: () => void;
  /** Draft whose text the view has, which gets what is typed. */
  #shownId: string | undefined;
  /** Draft that the page wants to see. Its text may still be loading. */
  #wantedId: string | undefined;
  #textTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(parent: HTMLElement, props: () => SqlEditorProps, label: string) {
    this.#props = props;
    this.#extensions = editorExtensions(
      {
        onRun: () => props().onRun(),
        onFormat: () => props().onFormat(),
        onWrap: () => props().onWrap(),
        dialect: () => props().dialect,
        catalog: () => props().catalog,
        onUpdate: ({ docChanged, state }) => {
          if (docChanged) this.#changed(state);
        },
      },
      label,
      nonceOfPage(),
    );
    this.view = new EditorView({ parent, state: this.#newState('') });
    this.#stopListening = props().store.onEvent((event) => {
      if (event.kind === 'replaced') void this.#reload(event.id);
      else this.#rename(event.from, event.to);
    });
  }

  /** Whether the view has the text of the draft that the page wants to see. */
  get isCurrent(): boolean {
    return this.#shownId === this.#wantedId;
  }

  /** Shows a draft. Its text may have to be loaded first; a draft that is chosen meanwhile wins. */
  async show(id: string): Promise<void> {
    this.#wantedId = id;
    if (this.#shownId === id) return;
    const state = this.#states.get(id) ?? this.#newState(await this.#props().store.textOf(id));
    if (this.#wantedId !== id || this.#shownId === id) return;
    if (this.#shownId !== undefined) this.#states.set(this.#shownId, this.view.state);
    this.#shownId = id;
    clearTimeout(this.#textTimer);
    // Measures the tooltips of the old text now: setState keeps their requests, whose positions the new text may not have.
    this.view.coordsAtPos(0);
    this.view.setState(state);
    wrapLines(this.view, this.#props().wrapsLines);
    this.#props().onText(state.doc.toString());
  }

  destroy(): void {
    this.#wantedId = undefined;
    clearTimeout(this.#textTimer);
    this.#stopListening();
    this.view.destroy();
  }

  #rename(from: string, to: string): void {
    if (this.#wantedId === from) this.#wantedId = to;
    if (this.#shownId === from) this.#shownId = to;
    else this.#states.delete(from);
  }

  async #reload(id: string): Promise<void> {
    this.#states.delete(id);
    if (this.#shownId !== id) return;
    this.#shownId = undefined; // what is typed until the new text is here belongs to no draft
    if (this.#wantedId === id) await this.show(id);
  }

  #newState(doc: string): EditorState {
    return EditorState.create({ doc, extensions: this.#extensions });
  }

  #changed({ doc }: EditorState): void {
    if (this.#shownId === undefined) return;
    this.#props().store.edit(this.#shownId, () => doc.toString());
    clearTimeout(this.#textTimer);
    this.#textTimer = setTimeout(() => this.#props().onText(doc.toString()), TEXT_DELAY_MS);
  }
}
