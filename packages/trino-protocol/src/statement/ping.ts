import { isMark, isWord, lexTrinoSql } from '@sluice/engine';
import { hasRows } from './answers.ts';

/** The answer to a ping: the row and the name of its column that Trino returns. */
export const PING_ANSWER = hasRows({ columns: [{ name: '_col0', type: 'integer' }], rows: [[1]] });

/**
 * Returns whether a statement is `SELECT 1`, in any case and with comments: pools, drivers and BI tools send it to see whether a connection
 * lives, often each time that they take one. A number with a name, or another number, is a query. So is a statement with two comments:
 * DuckDB nests them and Trino does not, so that only the engine knows where they end.
 */
export function isPing(sql: string): boolean {
  if (sql.indexOf('/*') !== sql.lastIndexOf('/*')) return false;
  let read = 0;
  for (const token of lexTrinoSql(sql)) {
    if (read === 0 && !isWord(token, 'SELECT')) return false;
    if (read === 1 && (token.kind !== 'number' || token.text !== '1')) return false;
    if (read > 1 && !isMark(token, ';')) return false;
    read += 1;
  }
  return read > 1;
}
