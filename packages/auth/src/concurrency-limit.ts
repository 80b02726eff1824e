import { type SignInSentence, signInProblem } from '@sluice/contract';

interface ConcurrencyLimitOptions {
  readonly runningMax: number;
  readonly waitingMax: number;
  /** Sentence for a rejected task. Default: `too_many_passwords`. */
  readonly rejection?: SignInSentence;
}

/** Runs at most `runningMax` tasks at a time. Others wait in order of arrival and are rejected when the queue is full. */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions) {
  const { runningMax, waitingMax, rejection = 'too_many_passwords' } = options;
  let running = 0;
  const waiting: (() => void)[] = [];

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) {
        throw signInProblem('too_many_requests', rejection, { retryAfterSeconds: 1 });
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
