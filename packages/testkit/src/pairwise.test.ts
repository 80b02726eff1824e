import { describe, expect, it } from '@jest/globals';
import { allCombinations, pairwise } from './pairwise.ts';

const DIMENSIONS = {
  stop: ['error', 'error once', 'cast', 'cast once'],
  row: [0, 1, 2047, 2048, 2049, 65_536, 99_999],
  format: ['stream', 'json', 'csv', 'ndjson'],
  client: ['curl', 'fetch', 'http.client', 'urllib', 'node:http'],
} as const;

describe('pairwise combinations', () => {
  it('contain every pair of values of two dimensions', () => {
    const chosen = pairwise(DIMENSIONS);
    const names = Object.keys(DIMENSIONS) as (keyof typeof DIMENSIONS)[];
    const missing = names.flatMap((first, index) =>
      names
        .slice(index + 1)
        .flatMap((second) =>
          DIMENSIONS[first].flatMap((a) =>
            DIMENSIONS[second].flatMap((b) =>
              chosen.some((each) => each[first] === a && each[second] === b) ? [] : [[first, a, second, b]],
            ),
          ),
        ),
    );
    expect(missing).toEqual([]);
  });

  it('are few, the same every time, and contain one value of each dimension', () => {
    const chosen = pairwise(DIMENSIONS);
    // The two largest dimensions have 35 pairs.
    expect(chosen.length).toBeGreaterThanOrEqual(35);
    expect(chosen.length).toBeLessThanOrEqual(42);
    expect(pairwise(DIMENSIONS)).toEqual(chosen);
    expect(allCombinations(DIMENSIONS)).toEqual(expect.arrayContaining([...chosen]));
  });

  it('of two dimensions are all combinations, and of no values none', () => {
    expect(pairwise({ a: [1, 2], b: ['x', 'y'] })).toHaveLength(4);
    expect(allCombinations({ a: [1, 2], b: ['x', 'y'], c: [true, false].map(String) })).toHaveLength(8);
    expect(pairwise({ a: [], b: [1] })).toEqual([]);
  });
});
