import { describe, expect, it } from '@jest/globals';
import { BufferPool } from './buffer-pool.ts';

describe('BufferPool', () => {
  it('reuses a released buffer once, even when it is released twice', () => {
    const pool = new BufferPool({ bytesEach: 16, keptMax: 4 });
    const first = pool.acquire(10);
    const second = pool.acquire(16);
    expect(second.buffer).not.toBe(first.buffer);
    pool.release(first.subarray(3));
    pool.release(first);
    const third = pool.acquire(1);
    expect(third.buffer).toBe(first.buffer);
    expect(third.byteLength).toBe(1);
    expect(pool.acquire(1).buffer).not.toBe(first.buffer);
  });

  it('allocates oversized buffers once, keeps at most keptMax buffers, and ignores buffers of other origin', () => {
    const pool = new BufferPool({ bytesEach: 16, keptMax: 1 });
    expect(pool.acquire(17).byteLength).toBe(17);
    const [a, b] = [pool.acquire(16), pool.acquire(16)];
    for (const one of [a, b, new Uint8Array(16)]) pool.release(one);
    expect(pool.acquire(16).buffer).toBe(a.buffer);
    expect(pool.acquire(16).buffer).not.toBe(b.buffer);
  });
});
