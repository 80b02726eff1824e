import type { ServerResponse } from 'node:http';
import type { StreamResponse } from '../model/route-response.ts';
import { type BodySink, compressedSink, plainSink } from './body-sink.ts';
import type { ContentCoding } from './content-coding.ts';

/** Lets one wait at a time be cut short by the end of the response. */
interface CloseWatch {
  /** The promise's outcome, or 'closed' when the response is over first. */
  orClosed<T>(promise: Promise<T>): Promise<T | 'closed'>;
}

/**
 * `Promise.race` against one long-lived promise would leave something behind on it at every chunk, for as long as the
 * stream runs; here each wait replaces the one before.
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
 * Writes a stream to the response, as fast as the client takes it and no faster. Rejects with what the stream throws: before
 * the first byte that is answered as a problem, after it the connection is cut, never ended. Returns when the stream has
 * let go of what it held, also when the client has left.
 * `start` sets status and headers.
 */
export async function sendStream(options: {
  readonly res: ServerResponse;
  readonly answer: StreamResponse;
  readonly closed: Promise<void>;
  readonly withoutBody: boolean;
  /** Undefined: as it is. */
  readonly coding: ContentCoding | undefined;
  readonly start: () => void;
}): Promise<void> {
  const { res, answer, closed, withoutBody, coding, start } = options;
  const iterator = answer.body[Symbol.asyncIterator]();
  const watch = watchClose(closed);
  // Asked before anything can fail here: the `finally` of a generator that never began would not run.
  let next = withoutBody ? undefined : iterator.next();
  let sink: BodySink | undefined;
  const open = (): BodySink => {
    start();
    return coding === undefined || withoutBody ? plainSink(res) : compressedSink(res, coding);
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
      if ((await watch.orClosed(sink.write(step.value))) === 'closed') return;
      next = iterator.next();
    }
    if ((await watch.orClosed((sink ?? open()).end())) === 'closed') return;
    await closed;
  } finally {
    // A step that the client's leaving overtook may still reject; nobody is there to be told.
    next?.catch(() => undefined);
    sink?.discard();
    await iterator.return?.();
  }
}
