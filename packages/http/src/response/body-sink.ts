import type { ServerResponse } from 'node:http';
import { constants } from 'node:zlib';
import { type ContentCoding, createCompressor } from './content-coding.ts';

/** Destination of the bytes of a stream. */
export interface BodySink {
  /** Resolves when the client (and the compressor) can accept the next chunk. Undefined: it can already. */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** Ends the response. Called at most once. */
  end(): Promise<void>;
  /** Releases resources without writing. */
  discard(): void;
}

const drained = (res: ServerResponse): Promise<void> => new Promise((resolve) => void res.once('drain', resolve));

type OnWritten = ((chunk: Uint8Array) => void) | undefined;

/** Bytes that may wait for the client while the next chunk is read: one chunk of rows. */
const WAITING_BYTES_MAX = 256 * 1024 + 1024;

/** Creates a sink that writes the bytes unchanged. */
export const plainSink = (res: ServerResponse, onWritten: OnWritten): BodySink => ({
  write(chunk) {
    const hasRoom = res.write(chunk, (error) => {
      if (!error) onWritten?.(chunk);
    });
    return hasRoom || res.writableLength <= WAITING_BYTES_MAX ? undefined : drained(res);
  },
  async end() {
    res.end();
  },
  discard: () => undefined,
});

/**
 * Creates a sink that compresses. Each chunk is flushed, so that a computed row is never delayed. When rows arrive fast, chunks are
 * large and the flush costs little.
 */
export function compressedSink(res: ServerResponse, coding: ContentCoding, onWritten: OnWritten): BodySink {
  const compressor = createCompressor(coding);
  const flush = coding === 'gzip' ? constants.Z_SYNC_FLUSH : constants.BROTLI_OPERATION_FLUSH;
  compressor.on('error', () => res.destroy()); // without a listener the error would end the process
  compressor.on('data', (bytes: Buffer) => {
    if (res.write(bytes)) return;
    compressor.pause();
    res.once('drain', () => compressor.resume());
  });
  return {
    async write(chunk) {
      compressor.write(chunk);
      await new Promise<void>((resolve) => compressor.flush(flush, resolve));
      onWritten?.(chunk);
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
