import { crc32 } from 'node:zlib';
import { type DeflateTotals, deflateBlocks, LAST_BLOCK } from './deflate-blocks.ts';
import { archiveEnd, type DosTime, dataDescriptor, dosTime, localHeader, type ZipEntry } from './zip-records.ts';

/** Largest block without compression (RFC 1951 section 3.2.4). */
const BLOCK_BYTES_MAX = 0xffff;
const HEADER_BYTES = 5;

/**
 * Writes a source as a deflate stream without compression. The method of the entry is still "deflated": readers of streams (Java's
 * ZipInputStream, for example) cannot find the end of an entry that is "stored" and whose size follows its data.
 */
async function* storeBlocks(source: AsyncIterable<Uint8Array>, totals: DeflateTotals): AsyncGenerator<Uint8Array> {
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

/** An entry whose bytes `deflateBlocks` has compressed. */
interface DeflatedEntry extends Readonly<DeflateTotals> {
  readonly compressed: AsyncIterable<Uint8Array>;
}

/** `store`: without compression, for networks that are faster than deflate. */
export type ZipCompression = 'deflate' | 'store';

/**
 * Writes a ZIP archive (APPNOTE 6.3.10) as a stream: sizes follow the data of an entry, with zip64 where needed and UTF-8 names.
 * Only the directory is kept, so memory grows with the number of entries and not with bytes. Entries are written one after the
 * other; every tool rejects an archive whose `end` was not sent.
 */
export class ZipWriter {
  readonly #modified: DosTime;
  readonly #entries: ZipEntry[] = [];
  #offset = 0;

  constructor(modified: Date) {
    this.#modified = dosTime(modified);
  }

  /** Returns the bytes of one entry, to be read to its end before the next starts. Throws what the source throws. */
  async *entry(
    name: string,
    source: AsyncIterable<Uint8Array>,
    compression: ZipCompression = 'deflate',
  ): AsyncGenerator<Uint8Array> {
    const totals: DeflateTotals = { crc32: 0, bytes: 0, bytesCompressed: 0 };
    const blocks = compression === 'store' ? storeBlocks(source, totals) : deflateBlocks(source, totals);
    yield* this.#write(name, blocks, totals);
  }

  async *deflatedEntry(name: string, entry: DeflatedEntry): AsyncGenerator<Uint8Array> {
    yield* this.#write(name, entry.compressed, entry);
  }

  async *#write(
    name: string,
    compressed: AsyncIterable<Uint8Array>,
    totals: Readonly<DeflateTotals>,
  ): AsyncGenerator<Uint8Array> {
    const offset = this.#offset;
    const bytesOfName = Buffer.from(name);
    yield this.#count(localHeader(bytesOfName, this.#modified));
    for await (const block of compressed) yield this.#count(block);
    yield this.#count(dataDescriptor(totals));
    this.#entries.push({ ...totals, name: bytesOfName, offset });
  }

  #count(bytes: Uint8Array): Uint8Array {
    this.#offset += bytes.byteLength;
    return bytes;
  }

  /** Returns the last bytes of the archive. */
  end(): Uint8Array {
    return archiveEnd(this.#entries, this.#offset, this.#modified);
  }
}

/** Returns a string as the source of an entry. */
export async function* textSource(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
