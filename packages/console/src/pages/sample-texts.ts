import { cellText } from '../result/cell-text.ts';
import type { ResultView } from '../result/result-view.ts';

/** Rows in which values are looked for. */
const ROWS_MAX = 100;
/** Different values of one column. */
const VALUES_MAX = 3;
const VALUE_CHARACTERS = 40;

/** Returns the first different values of a column of a result. NULL and empty strings are left out. */
function valuesOf(view: ResultView, column: number): readonly string[] {
  const values = new Set<string>();
  for (let row = 0; row < Math.min(view.loadedRows, ROWS_MAX) && values.size < VALUES_MAX; row += 1) {
    const text = cellText(view.cell(row, column));
    if (text.kind !== 'text') continue;
    values.add(
      text.parts
        .map((part) => part.text)
        .join('')
        .slice(0, VALUE_CHARACTERS),
    );
  }
  return [...values];
}

/** Returns some values of each column of a result, by the name of the column. */
export const sampleTexts = (view: ResultView): ReadonlyMap<string, string> =>
  new Map(view.columns.map(({ name }, column) => [name, valuesOf(view, column).join(' · ')]));
