import { describe, expect, it } from '@jest/globals';
import { caseSeed } from './case-seed.ts';
import { seededRandom } from './seeded-random.ts';

const draw = (seed: number, count: number): readonly number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, random);
};

describe('seededRandom', () => {
  it('draws the same numbers for the same seed, and others for another', () => {
    expect(draw(8, 20)).toEqual(draw(8, 20));
    expect(draw(8, 20)).not.toEqual(draw(9, 20));
  });

  it('draws numbers from 0 to below 1, evenly', () => {
    const numbers = draw(caseSeed(), 10_000);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    const tenths = Array.from({ length: 10 }, (_, tenth) => numbers.filter((n) => Math.floor(n * 10) === tenth).length);
    expect(tenths.filter((count) => count < 800 || count > 1_200)).toEqual([]);
  });
});
