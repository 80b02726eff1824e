import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countValues } from './count-values.ts';
import { scanJson } from './scan-json.ts';

const scan = (text: string, valuesMax: number, membersMax = valuesMax) =>
  scanJson(Buffer.from(text), { valuesMax, membersMax });

describe('scanJson', () => {
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
      const count = countValues(value);
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, '\t')]) {
        expect([text, scan(text, count)]).toEqual([text, count]);
        if (count > 0) expect([text, scan(text, count - 1)]).toEqual([text, 'values']);
      }
    }
  });

  it('counts the values of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, space) => {
        expect(scan(JSON.stringify(value, null, space), Number.POSITIVE_INFINITY)).toBe(countValues(value));
      }),
    );
  });

  it('finds more than 64 levels', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect([scan(nested(64), 100), scan(nested(65), 100)]).toEqual([63, 'depth']);
    expect(scan('{"a":'.repeat(65), 100)).toBe('depth');
  });

  it('reads text that ends within a string or after a backslash', () => {
    for (const text of ['"', '["a', '["\\', '', '[']) expect(scan(text, 10)).toEqual(expect.any(Number));
  });

  it('limits the members of objects apart from the elements of arrays', () => {
    const text = '{"a":[1,2,3,4,":"],"b":{"c":":"}}';
    expect([scan(text, 8), scan(text, 8, 3), scan(text, 8, 2)]).toEqual([8, 8, 'members']);
  });
});
