import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LONG_STRING, withLongStrings } from './long-strings.ts';

const inRow = (text: string): string => `${String.fromCharCode(LONG_STRING)}${Buffer.byteLength(text)}:${text}`;

function written(cell: string): string {
  const pieces: Buffer[] = [];
  for (const piece of withLongStrings(Buffer.from(cell))) {
    expect(piece.byteLength).toBeLessThanOrEqual(192 * 1024);
    pieces.push(Buffer.from(piece)); // the memory of a piece is reused for the next
  }
  return Buffer.concat(pieces).toString('utf8');
}

describe('withLongStrings', () => {
  it('keeps a cell without long strings', () => {
    expect(written('{"a":1}')).toBe('{"a":1}');
  });

  it('writes any text as JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (first, second) => {
        const [a, b] = [first.toWellFormed(), second.toWellFormed()];
        expect(JSON.parse(written(`{"a":${inRow(a)},"b":${inRow(b)}}`))).toEqual({ a, b });
      }),
    );
  });

  it('writes many long strings that contain the byte of the mark', () => {
    const strings = Array.from({ length: 2_000 }, (_, index) => `${index}\u0001`.repeat(1 + (index % 50)));
    expect(JSON.parse(written(`[${strings.map(inRow).join(',')}]`))).toEqual(strings);
  });

  it('escapes a string that is longer than a piece', () => {
    const text = '"\\\u0001\né😀'.repeat(20_000);
    expect(JSON.parse(written(`[${inRow(text)}]`))).toEqual([text]);
  });
});
