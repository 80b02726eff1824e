import { type Completeness, holdsWholeResult, type ResultView } from './result-view.ts';

/** Message that says why a view is not the whole result. */
export interface IncompleteNote {
  readonly key: `result.note.${Exclude<Completeness, 'complete'> | 'kept'}`;
  readonly values: { readonly rows: number; readonly kept: number };
}

/** Returns the message for copies, charts and exports of a view that is not the whole result. Undefined if it is. */
export function incompleteNote(view: ResultView): IncompleteNote | undefined {
  if (holdsWholeResult(view)) return undefined;
  const { completeness, receivedRows: rows, keptRows: kept } = view;
  return { key: `result.note.${completeness === 'complete' ? 'kept' : completeness}`, values: { rows, kept } };
}
