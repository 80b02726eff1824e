import { describe, expect, it } from '@jest/globals';
import { findJsonExcess } from './scan-json.ts';

const excessIn = (text: string, valuesMax: number) => findJsonExcess(Buffer.from(text), valuesMax);

/** Number of members and elements of a JSON value, at any depth. */
function countIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce((sum: number, each) => sum + countIn(each), inner.length);
}

describe('findJsonExcess', () => {
  it('counts members of objects and elements of arrays at every depth, and nothing in strings', () => {
    for (const value of [
      1,
      'a,b',
      [],
      {},
      [[]],
      [[], []],
      [1, 'x,[{"', { a: ',', 'b,\\"': [1, [2, { c: 3 }]] }],
      { a: { b: {} }, c: [{}, {}] },
      ['\\', '\\\\', ',"'],
    ]) {
      const count = countIn(value);
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, '\t')]) {
        expect([text, excessIn(text, count)]).toEqual([text, undefined]);
        if (count > 0) expect([text, excessIn(text, count - 1)]).toEqual([text, 'values']);
      }
    }
  });

  it('finds more than 64 levels', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect([excessIn(nested(64), 100), excessIn(nested(65), 100)]).toEqual([undefined, 'depth']);
    expect(excessIn('{"a":'.repeat(65), 100)).toBe('depth');
  });

  it('reads text that ends within a string or after a backslash', () => {
    for (const text of ['"', '["a', '["\\', '', '[']) expect(excessIn(text, 10)).toBeUndefined();
  });
});
