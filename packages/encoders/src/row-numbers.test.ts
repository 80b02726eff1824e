import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RowNumbers } from './row-numbers.ts';

const rowText = (value: string): string => `data: {"type":"row","data":{"v":${JSON.stringify(value)}}}\n\n`;

describe('RowNumbers', () => {
  it('writes the number of rows so far before each row', () => {
    const numbers = new RowNumbers(8);
    const bytes = numbers.add(Buffer.from(rowText('a') + rowText('b\n\n')), 2);
    expect(Buffer.from(bytes).toString()).toBe(`id: 9\n${rowText('a')}id: 10\n${rowText('b\n\n')}`);
    expect(numbers.isInRow).toBe(false);
    expect(numbers.add(new Uint8Array(0), 0).byteLength).toBe(0);
  });

  it('writes each number once, wherever rows are split', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(texts, fc.array(fc.nat({ max: 400 })), fc.nat({ max: 999_999_990 }), (values, cuts, before) => {
        const text = Buffer.from(values.map(rowText).join(''));
        const ends = [...cuts.filter((cut) => cut < text.byteLength).sort((a, b) => a - b), text.byteLength];
        const numbers = new RowNumbers(before);
        const pieces = ends.map((end, index) => numbers.add(text.subarray(ends[index - 1] ?? 0, end), values.length));
        const expected = values.map((value, index) => `id: ${before + index + 1}\n${rowText(value)}`).join('');
        expect(Buffer.concat(pieces).toString()).toBe(expected);
        expect(numbers.isInRow).toBe(false);
      }),
    );
  });

  it('reports a row that is not complete', () => {
    const numbers = new RowNumbers(0);
    const text = rowText('a');
    numbers.add(Buffer.from(text.slice(0, -1)), 0);
    expect(numbers.isInRow).toBe(true);
    numbers.add(Buffer.from('\n'), 1);
    expect(numbers.isInRow).toBe(false);
  });
});
