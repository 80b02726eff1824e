import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { SqlDialect } from '@sluice/contract/sql';
import { useEffect, useRef } from 'react';
import { editorExtensions } from './codemirror/editor-extensions.ts';
import { setErrorMark } from './codemirror/error-mark.ts';
import type { CompletionCatalog } from './completion/completion-catalog.ts';
import { nonceOfPage } from './nonce-of-page.ts';
import { errorRange, type SqlLocation } from './sql/error-marks.ts';
import './sql-editor.css';

interface StatementFieldProps {
  readonly label: string;
  /** SQL of the field. A value other than the typed one replaces it. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Called by the keys that run a statement elsewhere. */
  readonly onSubmit: () => void;
  readonly dialect: SqlDialect;
  readonly catalog: CompletionCatalog;
  /** Position of an error in the text. Undefined: no mark. */
  readonly error: SqlLocation | undefined;
}

/** Field for one statement, with the colours, completion and error marks of the editor. */
export function StatementField(props: StatementFieldProps) {
  const { label, text, error, dialect } = props;
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const view = useRef<EditorView>(undefined);
  useEffect(() => {
    const ports = {
      onRun: () => latest.current.onSubmit(),
      onFormat: () => undefined,
      onWrap: () => undefined,
      dialect: () => latest.current.dialect,
      catalog: () => latest.current.catalog,
      onUpdate: ({ docChanged, state }: { readonly docChanged: boolean; readonly state: EditorState }) => {
        const typed = state.doc.toString();
        if (docChanged && typed !== latest.current.text) latest.current.onChange(typed);
      },
    };
    const extensions = editorExtensions(ports, label, nonceOfPage());
    const created = new EditorView({
      parent: host.current as HTMLElement,
      state: EditorState.create({ doc: latest.current.text, extensions }),
    });
    view.current = created;
    return () => created.destroy();
  }, [label]);
  useEffect(() => {
    const shown = view.current;
    if (shown === undefined || shown.state.doc.toString() === text) return;
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    const shown = view.current;
    if (shown === undefined) return;
    const doc = shown.state.doc.toString();
    const range = error === undefined ? undefined : errorRange(doc, { from: 0, to: doc.length }, error, dialect);
    shown.dispatch({ effects: setErrorMark.of(range), ...(range && { selection: { anchor: range.from } }) });
    if (range !== undefined) shown.focus();
  }, [error, dialect]);
  return <div ref={host} className="sql-editor" />;
}
