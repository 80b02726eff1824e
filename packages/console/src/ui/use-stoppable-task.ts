import { useEffect, useRef, useState } from 'react';

/** State of a task: not started, failed, or what the task itself shows. */
export type TaskState<Progress> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'failed'; readonly failure: unknown }
  | Progress;

export interface StoppableTask<Input, Progress> {
  readonly state: TaskState<Progress>;
  /** Starts the task. One that runs is stopped. */
  readonly start: (input: Input) => void;
  /** Ends a running task, and forgets how far it was. */
  readonly stop: () => void;
}

/** Runs a task once. It calls `show` with each step, and must end soon after its signal is aborted. */
type RunTask<Input, Progress> = (
  input: Input,
  context: { readonly show: (state: Progress) => void; readonly signal: AbortSignal },
) => Promise<void>;

/**
 * Returns a task that the user can stop, one run at a time. It is stopped when its component disappears.
 * @param first - shown as soon as a run starts
 */
export function useStoppableTask<Input, Progress>(
  first: Progress,
  run: RunTask<Input, Progress>,
): StoppableTask<Input, Progress> {
  const [state, setState] = useState<TaskState<Progress>>({ kind: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  return {
    state,
    stop() {
      running.current?.abort();
      running.current = undefined;
      setState({ kind: 'idle' });
    },
    start(input) {
      running.current?.abort();
      const current = new AbortController();
      running.current = current;
      const { signal } = current;
      // A step may be on its way when the user stops.
      const show = (next: TaskState<Progress>) => {
        if (!signal.aborted) setState(next);
      };
      show(first);
      run(input, { show, signal }).catch((failure: unknown) => show({ kind: 'failed', failure }));
    },
  };
}
