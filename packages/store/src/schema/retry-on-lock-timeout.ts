import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError } from '@sluice/contract';

/**
 * Shorter than PostgreSQL's `deadlock_timeout` (1 s by default). When a step that changes several tables deadlocks with a request that
 * reads them in another order, the step gives up, and no request fails.
 */
export const LOCK_TIMEOUT_MS = 500;
const ATTEMPTS_MAX = 20;
const PAUSE_MS_MIN = 250;
const PAUSE_MS_SPREAD = 500;

const LOCK_NOT_AVAILABLE = '55P03';

const codeOf = (thrown: unknown): unknown =>
  typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;

/**
 * Runs work that gives up a lock soon, so that no request waits long for it, and tries again from the start.
 *
 * @throws ProblemError `service_unavailable` when a table was locked at every attempt
 */
export async function retryOnLockTimeout(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (thrown) {
      if (codeOf(thrown) !== LOCK_NOT_AVAILABLE) throw thrown;
      if (attempt === ATTEMPTS_MAX) {
        throw new ProblemError(
          'service_unavailable',
          'Another transaction keeps a table locked, so the schema was not changed. End it, or migrate again later.',
          { cause: thrown },
        );
      }
      await wait(PAUSE_MS_MIN + Math.random() * PAUSE_MS_SPREAD);
    }
  }
}
