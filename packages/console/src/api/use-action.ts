import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/** A request that a button or form sends. */
export interface Action<Input> {
  /** Sends the request, unless one is in flight. Never rejects; resolves with whether it succeeded. */
  readonly start: (input: Input) => Promise<boolean>;
  readonly isRunning: boolean;
  /** Error of the last request. Undefined while a request runs, and after one that succeeded. */
  readonly failure: unknown;
}

/** Option for a call of the client, which remembers the id of the request. */
export interface RequestOptions {
  readonly onResponse: (response: Response) => void;
}

interface ActionOptions<Input, Result> {
  /** Cached responses to read again, also after a failure: the request may have arrived. */
  readonly invalidates?: readonly QueryKey[];
  /** Called after success. `requestId` leads to the audit record of the change; empty if `send` did not use its options. */
  readonly onDone?: (done: {
    readonly input: Input;
    readonly result: Result;
    readonly requestId: string;
  }) => void | Promise<void>;
  /** Called after a failure, for actions without a place on the page that shows it. */
  readonly onFailed?: (error: unknown) => void;
}

const NOTHING: readonly QueryKey[] = [];

/**
 * Returns an action that runs once at a time. The state of a page is a frame old, so a second press within it would send the request
 * again without the lock.
 */
export function useAction<Input = void, Result = unknown>(
  send: (input: Input, options: RequestOptions) => Promise<Result>,
  { invalidates = NOTHING, onDone, onFailed }: ActionOptions<Input, Result> = {},
): Action<Input> {
  const queries = useQueryClient();
  const isLocked = useRef(false);
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: async (input: Input) => {
      let requestId = '';
      const onResponse = ({ headers }: Response): void => {
        requestId = headers.get('x-request-id') ?? '';
      };
      try {
        const result = await send(input, { onResponse });
        await onDone?.({ input, result, requestId });
      } catch (error) {
        onFailed?.(error);
        throw error;
      } finally {
        for (const queryKey of invalidates) void queries.invalidateQueries({ queryKey });
      }
    },
  });
  const start = useCallback(
    async (input: Input): Promise<boolean> => {
      if (isLocked.current) return false;
      isLocked.current = true;
      try {
        await mutateAsync(input);
        return true;
      } catch {
        return false;
      } finally {
        isLocked.current = false;
      }
    },
    [mutateAsync],
  );
  return { start, isRunning: isPending, failure: error ?? undefined };
}
