import { signInProblem } from '@sluice/contract';

/** Runs at most `runningMax` tasks at a time. Others wait in order of arrival and are rejected when the queue is full. */
export function createConcurrencyLimit({ runningMax, waitingMax }: { runningMax: number; waitingMax: number }) {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) {
        throw signInProblem('too_many_requests', 'too_many_passwords', { retryAfterSeconds: 1 });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // The slot passes to the next waiter directly, so that a new task cannot overtake it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
