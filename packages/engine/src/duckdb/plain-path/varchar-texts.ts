import { isAscii, isUtf8 } from 'node:buffer';
import type duckdb from '@duckdb/node-bindings';
import { StringVector } from '../rows/string-vector.ts';
import { invalidText } from '../rows/valid-text.ts';

/** The text of the value in a row that is not NULL: the same that `scalarText` gives in SQL. */
export type CellTexts = (row: number) => string;

/** Texts of a VARCHAR vector. Throws TooLargeForPlainPath, and `data_error` for what is not valid UTF-8. Its strings are copied in few pieces and decoded together where they are ASCII. */
export function varcharTexts(vector: duckdb.Vector, rows: number, isNull: (row: number) => boolean): CellTexts {
  const strings = new StringVector(vector, rows);
  const offsets = new Float64Array(rows + 1);
  for (let row = 0; row < rows; row += 1) {
    offsets[row + 1] = (offsets[row] ?? 0) + (isNull(row) ? 0 : strings.byteLength(row));
  }
  const total = offsets[rows] ?? 0;
  if (total > COLUMN_BYTES_MAX) throw new TooLargeForPlainPath();
  const bytes = Buffer.allocUnsafe(total);
  for (let row = 0; row < rows; ) {
    if (isNull(row)) {
      row += 1;
      continue;
    }
    let end = row + 1;
    while (end < rows && !isNull(end)) end += 1;
    row = strings.copyRun(row, end, { bytes, at: offsets[row] ?? 0 }).end;
  }
  if (!isAscii(bytes)) {
    if (!areTexts(bytes, offsets)) throw invalidText();
    return (row) => bytes.toString('utf8', offsets[row], offsets[row + 1]);
  }
  const together = bytes.toString('latin1');
  return (row) => together.slice(offsets[row], offsets[row + 1]);
}

/** Whether each text is valid UTF-8: all of them are together, and none begins within a character. */
const areTexts = (bytes: Buffer, offsets: Float64Array): boolean =>
  isUtf8(bytes) && offsets.every((offset) => ((bytes[offset] ?? 0) & 0xc0) !== 0x80);

/** What a column may hold at once as strings of JavaScript; more is better streamed. */
const COLUMN_BYTES_MAX = 8 * 1024 * 1024;

/** The rows are too large for the plain path. Nothing of them has been given out. */
export class TooLargeForPlainPath extends Error {}
