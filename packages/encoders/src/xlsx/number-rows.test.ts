import { describe, expect, it } from '@jest/globals';
import { markedRow, numberCell } from './cell-xml.ts';
import { numberRows } from './number-rows.ts';

const ROWS = Array.from({ length: 120 }, (_, index) => markedRow(numberCell(index), numberCell(-index))).join('');
const EXPECTED = Array.from(
  { length: 120 },
  (_, index) => `<row r="${index + 9}"><c r="A${index + 9}"><v>${index}</v></c><c><v>${-index}</v></c></row>`,
).join('');

describe('numberRows', () => {
  it.each([1, 2, 3, 7, 64, 10_000])('numbers each row and its first cell, in chunks of %i bytes', (chunkBytes) => {
    const numbered = numberRows(9);
    const bytes = Buffer.from(ROWS);
    let text = '';
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      text += Buffer.from(numbered(bytes.subarray(at, at + chunkBytes))).toString();
    }
    expect(text).toBe(EXPECTED);
  });
});
