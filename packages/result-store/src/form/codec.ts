import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { DamagedResultError } from './damaged-result.ts';

/** Compression of the content of a chunk. `zstd` needs Node.js 22.15 or newer. */
export type Codec = 'none' | 'deflate' | 'zstd';

/** First byte of the content of a chunk, by codec. */
const MARKS: readonly Codec[] = ['none', 'deflate', 'zstd'];

type Transform = (bytes: Uint8Array, options?: object) => Promise<Buffer>;
type CallbackTransform = (
  bytes: Uint8Array,
  options: object,
  done: (error: Error | null, result: Buffer) => void,
) => void;

const deflate = promisify(zlib.deflateRaw) as Transform;
const inflate = promisify(zlib.inflateRaw) as Transform;

/** Returns a function of zlib that only newer versions of Node.js have. */
function ofNewerNode(name: string): Transform | undefined {
  const transform: unknown = Reflect.get(zlib, name);
  return typeof transform === 'function' ? (promisify(transform as CallbackTransform) as Transform) : undefined;
}

const zstdCompress = ofNewerNode('zstdCompress');
const zstdDecompress = ofNewerNode('zstdDecompress');
/** ZSTD_c_compressionLevel of zstd.h; the constants of Node.js 20 do not have it. */
const ZSTD_LEVEL = 100;

/** The codec with the best ratio of size to time that this Node.js has (docs/adr/0037). */
export const PREFERRED_CODEC: Codec = zstdCompress === undefined ? 'deflate' : 'zstd';

/** Compresses bytes on a thread of the pool. */
export async function compress(codec: Codec, bytes: Uint8Array): Promise<Uint8Array> {
  switch (codec) {
    case 'none':
      return bytes;
    case 'deflate':
      return await deflate(bytes, { level: zlib.constants.Z_BEST_SPEED });
    case 'zstd':
      if (zstdCompress === undefined) throw new Error('This version of Node.js has no zstd.');
      return await zstdCompress(bytes, { params: { [ZSTD_LEVEL]: 1 } });
  }
}

/** Returns the byte before the content of a chunk. */
export const codecMark = (codec: Codec): Buffer => Buffer.from([MARKS.indexOf(codec)]);

/** Returns the bytes of a chunk's content, which begins with its codec. `bytesMax` is the most that they can be. */
export async function decompress(content: Buffer, bytesMax: number): Promise<Buffer> {
  const compressed = content.subarray(1);
  const options = { maxOutputLength: bytesMax };
  switch (MARKS[content[0] ?? -1]) {
    case 'none':
      return compressed;
    case 'deflate':
      return await inflate(compressed, options);
    case 'zstd':
      if (zstdDecompress === undefined)
        throw new Error('A kept result was written with zstd. Use Node.js 22.15 or newer on every host.');
      return await zstdDecompress(compressed, options);
    default:
      throw new DamagedResultError('A chunk of a kept result has an unknown codec.');
  }
}
