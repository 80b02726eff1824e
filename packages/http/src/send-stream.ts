import type { ServerResponse } from 'node:http';
import type { StreamAnswer } from './answer.ts';

type Step = IteratorResult<Uint8Array> | 'closed';

/** Resolves when the response takes data again, or is over. */
const writable = (res: ServerResponse, closed: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    res.once('drain', resolve);
    void closed.then(resolve);
  });

/**
 * Writes a stream to the response, as fast as the client takes it and no faster. Rejects with what the stream throws: before
 * the first byte that is answered as a problem, after it the connection is cut, never ended. Returns when the stream has
 * let go of what it held, also when the client has left.
 *
 * `start` sets status and headers; compression will stand between `write` and the response.
 */
export async function sendStream(options: {
  readonly res: ServerResponse;
  readonly answer: StreamAnswer;
  readonly closed: Promise<void>;
  readonly withoutBody: boolean;
  readonly start: () => void;
}): Promise<void> {
  const { res, answer, closed, withoutBody, start } = options;
  const iterator = answer.body[Symbol.asyncIterator]();
  const left = closed.then((): Step => 'closed');
  let pending: Promise<unknown> | undefined;
  try {
    if (answer.flushHeaders || withoutBody) {
      start();
      res.flushHeaders();
    }
    while (!withoutBody) {
      const next = iterator.next();
      pending = next;
      const step = await Promise.race([next, left]);
      pending = step === 'closed' ? next : undefined;
      if (step === 'closed') return;
      if (!res.headersSent) start();
      if (step.done === true) break;
      if (!res.write(step.value)) await writable(res, closed);
      if (res.destroyed) return;
    }
    res.end();
    await closed;
  } finally {
    // A step that the client's leaving overtook may still reject; nobody is there to be told.
    pending?.catch(() => undefined);
    await iterator.return?.();
  }
}
