import type { Format } from './format.ts';
import { storedRows } from './stored-rows.ts';

/** Text between two rows, so that the rows of a result are lines. */
export const TRINO_ROW_SEPARATOR = ',\n';

/**
 * Rows of the pages of Trino's protocol: lists of values, each on its own line. The host writes what a page has besides them, so that the
 * body of a result is its rows alone. The format cannot express a failure: that is in the page after the last row.
 */
export function createTrinoFormat(): Format {
  return {
    isStoredForm: true,
    head: () => '',
    row: (columns) => ({ ...storedRows(columns), separator: TRINO_ROW_SEPARATOR }),
    complete: () => '',
    failed: () => undefined,
  };
}
