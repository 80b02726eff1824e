import { ProblemError } from '@sluice/contract';

interface ConcurrencyLimits {
  /** Tasks of one key that run at a time. */
  readonly runningMax: number;
  /** Tasks of one key that wait. */
  readonly waitingMax: number;
}

/**
 * Runs at most `runningMax` calls per key at once. Further calls wait in memory, in order of arrival: calls that would only wait for
 * the same rows must not hold database connections that other requests need. Throws `too_many_requests` if too many calls wait.
 */
export function limitConcurrency({ runningMax, waitingMax }: ConcurrencyLimits) {
  const queues = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  const release = (key: string): void => {
    const queue = queues.get(key);
    if (queue === undefined) return;
    const next = queue.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    queue.running -= 1;
    if (queue.running === 0) queues.delete(key);
  };

  const acquire = async (key: string): Promise<void> => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] };
    queues.set(key, queue);
    if (queue.running < runningMax) {
      queue.running += 1;
      return;
    }
    if (queue.waiting.length >= waitingMax) {
      throw new ProblemError(
        'too_many_requests',
        'Too many imports of this tenant are waiting. Try again in a moment.',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    await new Promise<void>((resolve) => queue.waiting.push(resolve));
  };

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    await acquire(key);
    try {
      return await work();
    } finally {
      release(key);
    }
  };
}
