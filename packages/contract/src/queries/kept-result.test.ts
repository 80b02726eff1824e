import { describe, expect, it } from '@jest/globals';
import { keepField, keepMsOf, keepWithin } from './kept-result.ts';

const DAY_MS = 86_400_000;

describe('keepWithin', () => {
  it.each([
    [0, null],
    [999, null],
    [1_000, '1s'],
    [90_500, '90s'],
    [3_600_000, '1h'],
    [DAY_MS, '1d'],
    [DAY_MS + 60_000, '1d'],
    [90 * DAY_MS, '90d'],
    [90 * DAY_MS - 1, '2159h'],
  ])('returns %d ms as %p', (ms, expected) => {
    expect(keepWithin(ms)).toBe(expected);
  });

  it('returns a valid keep that is not longer, for any time', () => {
    for (let ms = 20_000; ms < 4_000 * DAY_MS; ms = Math.ceil(ms * 1.37) + 1) {
      const keep = keepWithin(ms) ?? '';
      expect(keepField.safeParse(keep).success).toBe(true);
      expect(keepMsOf(keep)).toBeLessThanOrEqual(ms);
      expect(keepMsOf(keep)).toBeGreaterThan(ms * 0.95);
    }
  });
});
