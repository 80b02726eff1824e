import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@sluice/observability';

export interface PeriodicTask {
  /** Name for the log. */
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

/**
 * Runs a task immediately and then periodically, never concurrently. A failure is logged and the task runs again at the next
 * interval: an outage of the database must not end a host. Disposing waits for the current run.
 */
export function startPeriodicTask({ name, everyMs, run }: PeriodicTask, log: Logger): AsyncDisposable {
  const stopped = new AbortController();
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      try {
        await run();
      } catch (err) {
        log.warn({ err, work: name }, 'a periodic task failed and will run again');
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
