import { setTimeout as wait } from 'node:timers/promises';

/** Resolves like the work, or rejects after the timeout. A later rejection of the work is ignored. */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const settled = new AbortController();
  work.catch(() => undefined);
  const timeout = wait(timeoutMs, undefined, { signal: settled.signal }).then(() => {
    throw new Error(`no reply within ${timeoutMs} ms`);
  });
  timeout.catch(() => undefined);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    settled.abort();
  }
}

/** Waits for the work to settle, but not longer than the timeout. Never rejects. */
export const settleWithin = (work: Promise<unknown>, timeoutMs: number): Promise<void> =>
  withTimeout(work, timeoutMs).then(
    () => undefined,
    () => undefined,
  );
