import { describe, expect, it } from '@jest/globals';
import { ROW_LIMITS, rowLimitOf } from './row-limits.ts';

describe('rowLimitOf', () => {
  it('returns 1,000 rows for a tab in which the user has not chosen, and for what a newer version has stored', () => {
    expect(rowLimitOf(undefined)).toBe(1000);
    for (const stored of [0, -1, 17, Number.NaN, 'all' as unknown as number]) expect(rowLimitOf(stored)).toBe(1000);
  });

  it('returns what the user has chosen', () => {
    expect(ROW_LIMITS.map(rowLimitOf)).toEqual([...ROW_LIMITS]);
    expect(rowLimitOf(null)).toBeUndefined();
  });
});
