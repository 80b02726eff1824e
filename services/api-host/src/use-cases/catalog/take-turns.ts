import { ProblemError } from '@sluice/contract';

export interface TurnLimits {
  readonly runningMax: number;
  /** Of one key. */
  readonly waitingMax: number;
}

/**
 * Lets a few of each key run at once and the others wait here, first come first served: work that would only wait for the same
 * rows must not hold the connections that everybody needs.
 * @throws ProblemError `too_many_requests` when too many wait
 */
export function takeTurns({ runningMax, waitingMax }: TurnLimits) {
  const queues = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  const leave = (key: string): void => {
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

  const enter = async (key: string): Promise<void> => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] };
    queues.set(key, queue);
    if (queue.running < runningMax) {
      queue.running += 1;
      return;
    }
    if (queue.waiting.length >= waitingMax) {
      throw new ProblemError(
        'too_many_requests',
        'Too many imports of this tenant wait already. Try again in a moment.',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    await new Promise<void>((resolve) => queue.waiting.push(resolve));
  };

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    await enter(key);
    try {
      return await work();
    } finally {
      leave(key);
    }
  };
}
