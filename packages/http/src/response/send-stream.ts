import type { ServerResponse } from 'node:http';
import { constants } from 'node:zlib';
import type { StreamResponse } from '../model/route-response.ts';
import { type ContentCoding, createCompressor } from './content-coding.ts';
import { type CorkedStart, corkStart } from './cork-start.ts';

/** Destination of the bytes of a stream. */
interface BodySink {
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
const plainSink = (res: ServerResponse, onWritten: OnWritten): BodySink => ({
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
function compressedSink(res: ServerResponse, coding: ContentCoding, onWritten: OnWritten): BodySink {
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

/** Races promises against the close of the response, one at a time. */
interface CloseWatch {
  /** Resolves or rejects as the promise does, or resolves to 'closed' if the response closes first. */
  orClosed<T>(promise: Promise<T>): Promise<T | 'closed'>;
}

/**
 * Creates the watch. `Promise.race` with a long-lived promise leaks a reaction per chunk until the stream ends; here each wait
 * replaces the previous one.
 */
function watchClose(closed: Promise<void>): CloseWatch {
  let isClosed = false;
  let onClosed: () => void = () => undefined;
  void closed.then(() => {
    isClosed = true;
    onClosed();
  });
  return {
    orClosed: (promise) =>
      new Promise((resolve, reject) => {
        onClosed = () => resolve('closed');
        promise.then(resolve, reject);
        if (isClosed) onClosed();
      }),
  };
}

/**
 * Writes a stream to the response, at the speed of the client. Rejects with the error of the stream: before the first byte the
 * caller sends it as a problem, after that the connection is cut, not ended. Returns when the stream has released its resources,
 * also if the client has disconnected.
 * `start` sets status and headers.
 */
export async function sendStream(options: {
  readonly res: ServerResponse;
  readonly answer: StreamResponse;
  readonly closed: Promise<void>;
  readonly withoutBody: boolean;
  /** Undefined: not compressed. */
  readonly coding: ContentCoding | undefined;
  readonly start: () => void;
}): Promise<void> {
  const { res, answer, closed, withoutBody, coding, start } = options;
  const { onWritten } = answer;
  const iterator = answer.body[Symbol.asyncIterator]();
  const watch = watchClose(closed);
  // Called before anything can fail here: the `finally` of a generator that was never started would not run.
  let next = withoutBody ? undefined : iterator.next();
  let corked: CorkedStart | undefined;
  let sink: BodySink | undefined;
  const open = (): BodySink => {
    start();
    corked = corkStart(res);
    return coding === undefined || withoutBody ? plainSink(res, onWritten) : compressedSink(res, coding, onWritten);
  };
  try {
    if (answer.flushHeaders || withoutBody) {
      sink = open();
      res.flushHeaders();
    }
    while (next !== undefined) {
      const step = await watch.orClosed(next);
      if (step === 'closed') return;
      sink ??= open();
      if (step.done === true) break;
      const room = sink.write(step.value);
      corked?.add(step.value.byteLength);
      if (room !== undefined && (await watch.orClosed(room)) === 'closed') return;
      next = iterator.next();
    }
    if ((await watch.orClosed((sink ?? open()).end())) === 'closed') return;
    await closed;
  } finally {
    // A pending step may still reject after the client has disconnected; its error is ignored.
    next?.catch(() => undefined);
    corked?.flush();
    sink?.discard();
    await iterator.return?.();
  }
}
