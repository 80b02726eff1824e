import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRowCounter } from './row-counter.ts';

const count = (mediaType: string, text: string, cut: number): number | undefined => {
  const counter = createRowCounter(mediaType);
  const bytes = new TextEncoder().encode(text);
  counter?.add(bytes.subarray(0, cut));
  counter?.add(bytes.subarray(cut));
  return counter?.rows;
};

describe('counts the rows', () => {
  it('of CSV with line feeds in quotes, wherever the chunks end', () => {
    const cell = fc.constantFrom('', '""', 'a', '"b\n"', '"c""\n"');
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 20 }), fc.nat(60), (cells, cut) => {
        const text = `x\n${cells.map((each) => `${each}\n`).join('')}`;
        expect(count('text/csv', text, cut)).toBe(cells.length);
      }),
    );
  });

  it('of NDJSON', () => {
    expect(count('application/x-ndjson', '{"a":1}\n{"a":"\\n"}\n', 9)).toBe(2);
  });

  it('of no other format', () => {
    expect(count('application/json', '{}', 1)).toBeUndefined();
  });
});
