import { useCallback, useRef, useState } from 'react';

/** A request that a button or form sends. */
export interface Action<Input> {
  /** Sends the request, unless one is in flight. Never rejects; resolves with whether it succeeded. */
  readonly start: (input: Input) => Promise<boolean>;
  readonly isRunning: boolean;
  /** Error of the last request. Undefined while a request runs, and after one that succeeded. */
  readonly failure: unknown;
}

/**
 * Returns an action that runs once at a time. The state of a page is a frame old, so a second press within it would send the request
 * again without the lock.
 */
export function useAction<Input = void>(send: (input: Input) => Promise<void>): Action<Input> {
  const isLocked = useRef(false);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const latest = useRef(send);
  latest.current = send;
  const start = useCallback(async (input: Input): Promise<boolean> => {
    if (isLocked.current) return false;
    isLocked.current = true;
    setRunning(true);
    setFailure(undefined);
    try {
      await latest.current(input);
      return true;
    } catch (error) {
      setFailure(error);
      return false;
    } finally {
      isLocked.current = false;
      setRunning(false);
    }
  }, []);
  return { start, isRunning, failure };
}
