import { isUtf8 } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { RowText } from './valid-text.ts';

describe('RowText', () => {
  it('accepts bytes exactly if they are UTF-8, wherever they are split', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 }).map((value) => Buffer.from(value.toWellFormed()));
    const damaged = fc.tuple(text, fc.nat(), fc.integer({ min: 0x80, max: 0xff })).map(([bytes, at, byte]) => {
      if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(text, damaged), fc.array(fc.nat(40), { maxLength: 6 }), (bytes, cuts) => {
        const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const rows = new RowText();
        const accepted = edges
          .slice(1)
          .every((end, index) => rows.accepts(bytes.subarray(edges[index], end), index === edges.length - 2));
        expect(accepted).toBe(isUtf8(bytes));
      }),
      { numRuns: shortOrLong(300, 2_000) },
    );
  });

  it('rejects a character that continues in the next row', () => {
    const [first, rest] = [Buffer.from('a\u20ac').subarray(0, 2), Buffer.from('\u20ac').subarray(1)];
    expect(new RowText().accepts(first, true)).toBe(false);
    const pieces = new RowText();
    expect([pieces.accepts(first, false), pieces.accepts(rest, true)]).toEqual([true, true]);
  });
});
