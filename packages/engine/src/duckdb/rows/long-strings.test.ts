import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasLongStrings, LONG_STRING_IN_COLUMN, LONG_STRING_IN_ROW, withLongStrings } from './long-strings.ts';

const inRow = (text: string): string => `${String.fromCharCode(LONG_STRING_IN_ROW)}${Buffer.byteLength(text)}:${text}`;
const inColumn = (column: number): string => `${String.fromCharCode(LONG_STRING_IN_COLUMN)}${column}:`;

function written(row: string, columns: readonly string[] = []): string {
  const pieces: Buffer[] = [];
  const textOf = function* (column: number, pieceBytes: number): Generator<Uint8Array> {
    const bytes = Buffer.from(columns[column - 1] ?? '');
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  };
  for (const piece of withLongStrings(Buffer.from(row), textOf)) {
    expect(piece.byteLength).toBeLessThanOrEqual(192 * 1024);
    pieces.push(Buffer.from(piece)); // the memory of a piece is reused for the next
  }
  return Buffer.concat(pieces).toString('utf8');
}

describe('withLongStrings', () => {
  it('keeps a row without long strings', () => {
    expect(written('{"a":1}')).toBe('{"a":1}');
    expect(hasLongStrings(Buffer.from('{"a":"\\u0001"}'))).toBe(false);
  });

  it('writes any text as JSON, in the row and from a column', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (first, second) => {
        const [a, b] = [first.toWellFormed(), second.toWellFormed()];
        const row = `{"a":${inRow(a)},"b":${inColumn(2)}}`;
        expect(hasLongStrings(Buffer.from(row))).toBe(true);
        expect(JSON.parse(written(row, ['', b]))).toEqual({ a, b });
      }),
    );
  });

  it('writes many long strings of both kinds that contain the bytes of the marks', () => {
    const strings = Array.from({ length: 2_000 }, (_, index) => `${index}\u0001\u0002`.repeat(1 + (index % 50)));
    const row = strings.map((text, index) => (index % 3 === 0 ? inColumn(index + 1) : inRow(text)));
    expect(JSON.parse(written(`[${row.join(',')}]`, strings))).toEqual(strings);
  });

  it('escapes a string that is longer than a piece', () => {
    const text = '"\\\u0001\né😀'.repeat(20_000);
    expect(JSON.parse(written(`[${inRow(text)},${inColumn(1)}]`, [text]))).toEqual([text, text]);
  });
});
