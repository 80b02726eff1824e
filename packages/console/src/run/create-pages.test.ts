import { describe, expect, it } from '@jest/globals';
import { rowsPerRead } from './create-pages.ts';

describe('rowsPerRead', () => {
  it.each([
    [{ rows: 1000, bytes: 0 }, 500],
    [{ rows: 1000, bytes: 1000 }, 500],
    [{ rows: 1000, bytes: 1_000_000 }, 100],
    [{ rows: 10, bytes: 1_000_000_000 }, 1],
    [{ rows: 0, bytes: 100 }, 1],
  ])('of %j is %d for reads of 100 KB and at most 500 rows', (size, expected) => {
    expect(rowsPerRead(size, { readBytes: 100_000, max: 500 })).toBe(expected);
  });
});
