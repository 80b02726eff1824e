import { createReadStream } from 'node:fs';
import * as zlib from 'node:zlib';
import type { Compression } from './data-file.ts';

interface TextFile {
  readonly path: string;
  readonly compression: Compression | null;
}

/** Node.js has Zstandard from 22.15 and 23.8 on. */
const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => NodeJS.ReadWriteStream };

/** Yields the bytes of a text file without its compression; undefined if this Node.js cannot. */
export function openText({ path, compression }: TextFile): AsyncIterable<Buffer> | undefined {
  if (compression === null) return createReadStream(path);
  const decompress = compression === 'gzip' ? zlib.createGunzip : createZstdDecompress;
  if (decompress === undefined) return undefined;
  const compressed = createReadStream(path);
  const text = decompress();
  compressed.once('error', (error) => text.emit('error', error));
  return compressed.pipe(text) as unknown as AsyncIterable<Buffer>;
}

/** Returns the first bytes of a text file without its compression; undefined if this Node.js cannot. */
export async function readHead(file: TextFile, bytesMax: number): Promise<Buffer | undefined> {
  const text = openText(file);
  if (text === undefined) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of text) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}

const NOT_UTF_8 = 'is not UTF-8';
/** iconv is on every Linux and macOS. */
const convertFrom = (encoding: string): string => `convert it with iconv -f ${encoding} -t utf-8.`;

/** Returns why the first bytes of a file cannot be those of a text in UTF-8. */
export function headProblem(head: Buffer): string | undefined {
  const [first, second] = head;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (hasMark) return `${NOT_UTF_8} but UTF-16: ${convertFrom('utf-16')}`;
  if (!head.includes(0)) return undefined;
  return `${NOT_UTF_8}: it has NUL bytes. If it is UTF-16, ${convertFrom('utf-16le')}`;
}

/** Finds the first line of a text that is not UTF-8, chunk by chunk. */
export class Utf8Check {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #line = 1;

  /** Returns the problem that the next bytes have. */
  problemAfter(chunk: Buffer): string | undefined {
    return this.#problem(chunk, true);
  }

  /** Returns the problem that the end of the text has: it may be within a character. */
  problemAtEnd(): string | undefined {
    return this.#problem(Buffer.alloc(0), false);
  }

  #problem(chunk: Buffer, stream: boolean): string | undefined {
    try {
      this.#decoder.decode(chunk, { stream });
    } catch {
      return `${NOT_UTF_8} in line ${this.#line + badLine(chunk)}: ${convertFrom('latin1')}`;
    }
    for (const byte of chunk) if (byte === LINE_FEED) this.#line += 1;
    return undefined;
  }
}

const LINE_FEED = 10;

/** Returns the index of the first line of a chunk that is not UTF-8; 0 if it is what the last chunk began. */
function badLine(chunk: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 0;
  for (let start = 0; start < chunk.length; line += 1) {
    const end = chunk.indexOf(LINE_FEED, start);
    try {
      decoder.decode(chunk.subarray(start, end === -1 ? chunk.length : end));
    } catch {
      return line;
    }
    if (end === -1) break;
    start = end + 1;
  }
  return 0;
}
