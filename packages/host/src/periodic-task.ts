import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@sluice/observability';

export interface PeriodicTask {
  /** For the log. */
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

/**
 * Does the work now and then every so often, never twice at once. A failure is logged and the next turn tries again: an outage
 * of the database must not end a host. Disposing waits for the turn that runs.
 */
export function startPeriodicTask({ name, everyMs, run }: PeriodicTask, log: Logger): AsyncDisposable {
  const stopped = new AbortController();
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      try {
        await run();
      } catch (err) {
        log.warn({ err, work: name }, 'periodic work failed and will be tried again');
      }
      await wait(everyMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await loop;
    },
  };
}
