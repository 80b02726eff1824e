import type { ServerResponse } from 'node:http';
import { constants } from 'node:zlib';
import { type ContentCoding, createCompressor } from './content-coding.ts';

/** Where the bytes of a stream go. */
export interface BodySink {
  /** Resolves when the next chunk may come: the client, and a compressor before it, have taken enough. */
  write(chunk: Uint8Array): Promise<void>;
  /** Ends the response properly, once. */
  end(): Promise<void>;
  /** Lets go of what it holds without another byte. */
  discard(): void;
}

const drained = (res: ServerResponse): Promise<void> => new Promise((resolve) => void res.once('drain', resolve));

/** The bytes as they are. */
export const plainSink = (res: ServerResponse): BodySink => ({
  async write(chunk) {
    if (!res.write(chunk)) await drained(res);
  },
  async end() {
    res.end();
  },
  discard: () => undefined,
});

/**
 * The bytes compressed. Each chunk is flushed, so that a row that was computed is never held back to compress it better; chunks
 * are large where rows come fast, and then a flush costs nothing to speak of.
 */
export function compressedSink(res: ServerResponse, coding: ContentCoding): BodySink {
  const compressor = createCompressor(coding);
  const flush = coding === 'gzip' ? constants.Z_SYNC_FLUSH : constants.BROTLI_OPERATION_FLUSH;
  compressor.on('error', () => res.destroy()); // without a listener it would end the process
  compressor.on('data', (bytes: Buffer) => {
    if (res.write(bytes)) return;
    compressor.pause();
    res.once('drain', () => compressor.resume());
  });
  return {
    async write(chunk) {
      compressor.write(chunk);
      await new Promise<void>((resolve) => compressor.flush(flush, resolve));
      if (res.writableNeedDrain) await drained(res);
    },
    async end() {
      const ended = new Promise<void>((resolve) => void compressor.once('end', resolve));
      compressor.end();
      await ended;
      res.end();
    },
    discard: () => {
      compressor.destroy();
    },
  };
}
