import { crc32 } from 'node:zlib';
import { type DeflateTotals, LAST_BLOCK } from './deflate-blocks.ts';

/** Largest block without compression (RFC 1951 section 3.2.4). */
const BLOCK_BYTES_MAX = 0xffff;
const HEADER_BYTES = 5;

/**
 * Writes a source as a deflate stream without compression. The method of the entry is still "deflated": readers of streams (Java's
 * ZipInputStream, for example) cannot find the end of an entry that is "stored" and whose size follows its data.
 */
export async function* storeBlocks(
  source: AsyncIterable<Uint8Array>,
  totals: DeflateTotals,
): AsyncGenerator<Uint8Array> {
  const count = (blocks: Buffer): Buffer => {
    totals.bytesCompressed += blocks.length;
    return blocks;
  };
  for await (const chunk of source) {
    if (chunk.byteLength === 0) continue;
    totals.crc32 = crc32(chunk, totals.crc32);
    totals.bytes += chunk.byteLength;
    yield count(blocksOf(chunk));
  }
  yield count(LAST_BLOCK);
}

/** Copies a chunk, whose memory the source may use again. */
function blocksOf(chunk: Uint8Array): Buffer {
  const count = Math.ceil(chunk.byteLength / BLOCK_BYTES_MAX);
  const blocks = Buffer.allocUnsafeSlow(chunk.byteLength + count * HEADER_BYTES);
  let at = 0;
  for (let from = 0; from < chunk.byteLength; from += BLOCK_BYTES_MAX) {
    const part = chunk.subarray(from, from + BLOCK_BYTES_MAX);
    at = blocks.writeUInt8(0, at); // not the last block, without compression
    at = blocks.writeUInt16LE(part.byteLength, at);
    at = blocks.writeUInt16LE(part.byteLength ^ 0xffff, at);
    blocks.set(part, at);
    at += part.byteLength;
  }
  return blocks;
}
