import { describe, expect, it } from '@jest/globals';
import { PageCache } from './page-cache.ts';

const COLUMNS = [{ name: 'n', type: 'bigint' }];

/** Returns a cache of 10 rows a page over numbers, with the pages that it has asked for. */
function fixture({ rows = 1000, maxBytes = 1_000_000, width = 1 } = {}) {
  const asked: number[] = [];
  let failing = false;
  let changes = 0;
  const cache = new PageCache({
    columns: COLUMNS,
    rows,
    pageRows: 10,
    maxBytes,
    settleMs: 0,
    read: async (from, size) => {
      asked.push(from);
      if (failing) throw new Error('gone');
      return Array.from({ length: Math.min(size, rows - from) }, (_, index) => [`${from + index}`.padEnd(width, ' ')]);
    },
    describe: (error) => (error as Error).message,
    onChange: () => {
      changes += 1;
    },
  });
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const fail = (isFailing: boolean): void => {
    failing = isFailing;
  };
  return { cache, asked, settled, changes: () => changes, fail };
}

describe('PageCache', () => {
  it('reads the pages of the rows that are shown, once', async () => {
    const { cache, asked, settled, changes } = fixture();
    expect([cache.has(15), cache.cell(15, 0)]).toEqual([false, undefined]);
    cache.show(15, 25);
    await settled();
    expect(asked).toEqual([10, 20]);
    expect([cache.cell(15, 0), cache.cell(24, 0), cache.has(30)]).toEqual(['15', '24', false]);
    expect(changes()).toBe(2);
    cache.show(16, 26);
    await settled();
    expect(asked).toEqual([10, 20]);
  });

  it('reads only where a movement ends', async () => {
    const { cache, asked, settled } = fixture();
    cache.show(100, 105);
    cache.show(500, 505);
    cache.show(990, 1010);
    await settled();
    expect(asked).toEqual([990]);
    expect(cache.cell(999, 0)).toBe('999');
    expect(cache.cell(1000, 0)).toBeUndefined();
  });

  it('drops the pages that were shown longest ago, and none that is shown', async () => {
    const { cache, settled } = fixture({ maxBytes: 240, width: 4 });
    for (const first of [0, 10, 20, 0, 30, 40, 50]) {
      cache.show(first, first + 10);
      await settled();
    }
    expect([0, 10, 20, 30, 40, 50].filter((row) => cache.has(row))).toEqual([30, 40, 50]);
    expect(cache.bytes).toBe(240);
    cache.clear();
    expect([cache.bytes, cache.has(50)]).toEqual([0, false]);
  });

  it('says why rows cannot be read, and tries again with the next movement', async () => {
    const { cache, settled, fail } = fixture();
    fail(true);
    cache.show(0, 5);
    await settled();
    expect([cache.failure, cache.has(0)]).toEqual(['gone', false]);
    fail(false);
    cache.show(0, 6);
    await settled();
    expect([cache.failure, cache.has(0)]).toEqual([undefined, true]);
  });

  it('reads rows for a copy, which do not depend on what is shown later', async () => {
    const { cache, settled } = fixture({ maxBytes: 0 });
    const view = await cache.read(8, 32);
    for (const first of [500, 600, 700, 800]) {
      cache.show(first, first + 10);
      await settled();
    }
    expect([view.cell(8, 0), view.cell(31, 0)]).toEqual(['8', '31']);
    expect(() => view.cell(40, 0)).toThrow(RangeError);
  });
});
