import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { deflateBlocks } from './deflate-blocks.ts';

async function deflate(bytes: Buffer, chunkBytes: number) {
  const totals = { crc32: 0, bytes: 0, bytesCompressed: 0 };
  const memory = Buffer.alloc(chunkBytes);
  const source = (async function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const length = bytes.copy(memory, 0, at, at + chunkBytes);
      yield memory.subarray(0, length); // the same memory for every chunk, as a source may reuse it
    }
  })();
  const blocks: Uint8Array[] = [];
  for await (const block of deflateBlocks(source, totals)) blocks.push(Buffer.from(block));
  return { compressed: Buffer.concat(blocks), totals };
}

describe('deflateBlocks', () => {
  it.each([0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 1_000_000])(
    'writes one deflate stream of %i bytes, and its totals',
    async (length) => {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 31) % 251));
      const { compressed, totals } = await deflate(bytes, 100_003);
      expect(inflateRawSync(compressed).equals(bytes)).toBe(true);
      expect([totals.bytes, totals.bytesCompressed]).toEqual([length, compressed.length]);
    },
  );
});
