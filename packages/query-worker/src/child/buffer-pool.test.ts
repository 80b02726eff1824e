import { describe, expect, it } from '@jest/globals';
import { BufferPool } from './buffer-pool.ts';

describe('a buffer pool', () => {
  it('lends a buffer again only once it was given back, however often', () => {
    const pool = new BufferPool({ bytesEach: 16, keptMax: 4 });
    const first = pool.take(10);
    const second = pool.take(16);
    expect(second.buffer).not.toBe(first.buffer);
    pool.give(first.subarray(3));
    pool.give(first);
    const third = pool.take(1);
    expect(third.buffer).toBe(first.buffer);
    expect(third.byteLength).toBe(1);
    expect(pool.take(1).buffer).not.toBe(first.buffer);
  });

  it('makes what is larger for once, keeps no more than it may, and takes nothing from strangers', () => {
    const pool = new BufferPool({ bytesEach: 16, keptMax: 1 });
    expect(pool.take(17).byteLength).toBe(17);
    const [a, b] = [pool.take(16), pool.take(16)];
    for (const one of [a, b, new Uint8Array(16)]) pool.give(one);
    expect(pool.take(16).buffer).toBe(a.buffer);
    expect(pool.take(16).buffer).not.toBe(b.buffer);
  });
});
