import { describe, expect, it } from '@jest/globals';
import { bytesOf, IDENTITY, rowText, storeRows } from '../../testing/memory-result.ts';
import { ResultReader } from '../form/index.ts';
import { BufferedUpload } from './buffered-upload.ts';
import { ResultStoreError, type ResultUpload } from './result-store.ts';

/** An upload to memory, which may fail at a byte, or wait. */
class MemoryUpload implements ResultUpload {
  readonly written: Buffer[] = [];
  state: 'open' | 'committed' | 'aborted' = 'open';
  readonly #failAt: number;
  readonly #pace: () => Promise<unknown>;
  #bytes = 0;

  constructor({ failAt = Number.POSITIVE_INFINITY, pace = (): Promise<unknown> => Promise.resolve() } = {}) {
    this.#failAt = failAt;
    this.#pace = pace;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#pace();
    this.#bytes += bytes.byteLength;
    if (this.#bytes > this.#failAt) throw new ResultStoreError('The disk is full.');
    this.written.push(Buffer.from(bytes));
  }

  async commit(): Promise<void> {
    if (this.#bytes >= this.#failAt) throw new ResultStoreError('The disk is full.');
    this.state = 'committed';
  }

  async abort(): Promise<void> {
    this.state = 'aborted';
  }
}

const never = (): Promise<never> => new Promise(() => undefined);

describe('the upload beside a stream', () => {
  it('writes what was pushed, in order, and releases each piece once', async () => {
    const { stored, cipher } = await storeRows(Array.from({ length: 5_000 }, (_, id) => rowText(id)));
    const memory = new MemoryUpload();
    const upload = new BufferedUpload(Promise.resolve(memory), { bytesMax: stored.byteLength });
    let released = 0;
    for (let from = 0; from < stored.byteLength; from += 999)
      expect(upload.push(stored.subarray(from, from + 999), () => (released += 1))).toBe(true);
    expect(await upload.finish()).toBeUndefined();
    expect(memory.state).toBe('committed');
    expect(released).toBe(Math.ceil(stored.byteLength / 999));
    const reader = await ResultReader.open(bytesOf(Buffer.concat(memory.written)), cipher);
    expect(reader.end.rows).toBe(5_000);
  });

  it('keeps nothing when the store fails at any byte of a result', async () => {
    const { stored } = await storeRows([rowText(1)], { identity: IDENTITY });
    for (let failAt = 0; failAt <= stored.byteLength; failAt += 1) {
      const memory = new MemoryUpload({ failAt });
      const upload = new BufferedUpload(Promise.resolve(memory), { bytesMax: 1_000_000 });
      let released = 0;
      for (let from = 0; from < stored.byteLength; from += 7)
        upload.push(stored.subarray(from, from + 7), () => (released += 1));
      expect(await upload.finish()).toBe('The result store failed.');
      await upload.abort();
      expect(memory.state).toBe('aborted');
      expect(released).toBe(Math.ceil(stored.byteLength / 7));
      expect(upload.cause).toBeInstanceOf(ResultStoreError);
    }
  });

  it('keeps nothing when the store cannot be reached', async () => {
    const failed = Promise.reject(new ResultStoreError('No route to the store.'));
    const upload = new BufferedUpload(failed, { bytesMax: 100 });
    upload.push(Buffer.alloc(10), () => undefined);
    expect(await upload.finish()).toBe('The result store failed.');
  });

  it('drops a result for which the store is too slow, without a wait of its stream', async () => {
    const memory = new MemoryUpload({ pace: never });
    const upload = new BufferedUpload(Promise.resolve(memory), {
      bytesMax: 1_000,
      waitingBytesMax: 100,
      endTimeoutMs: 20,
    });
    let released = 0;
    const taken = Array.from({ length: 20 }, () => upload.push(Buffer.alloc(10), () => (released += 1)));
    expect(taken.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => true));
    expect(taken.at(-1)).toBe(false);
    expect(await upload.finish()).toBe('The result store was too slow.');
    expect(released).toBeGreaterThanOrEqual(19);
  });

  it('does not wait forever for the last bytes', async () => {
    const upload = new BufferedUpload(never(), { bytesMax: 1_000, endTimeoutMs: 20 });
    upload.push(Buffer.alloc(10), () => undefined);
    expect(await upload.finish()).toBe('The result store was too slow.');
  });

  it('drops a result that exceeds its limit of bytes', async () => {
    const memory = new MemoryUpload();
    const upload = new BufferedUpload(Promise.resolve(memory), { bytesMax: 25 });
    expect([10, 10, 10, 1].map((bytes) => upload.push(Buffer.alloc(bytes), () => undefined))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(await upload.finish()).toBe('The kept results of the tenant would exceed their limit of bytes.');
    await upload.abort();
    expect(memory.state).toBe('aborted');
  });
});
