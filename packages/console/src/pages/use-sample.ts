import { useEffect, useRef, useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { isFinal } from '../run/run-transitions.ts';
import { type Run, type RunInput, startRun } from '../run/start-run.ts';
import { useCancelKeys } from '../run/use-cancel-keys.ts';
import { useRunSnapshot } from '../run/use-run.ts';

/** Sample rows of a page. */
export interface Sample {
  /** Undefined: the user has not asked for rows. */
  readonly run: Run | undefined;
  readonly isRunning: boolean;
  readonly start: (input: RunInput) => void;
}

/** Keeps the sample run of a page. It goes on while another tab of the page is shown, and is cancelled when the page is left. */
export function useSample(): Sample {
  const client = useClient();
  const [run, setRun] = useState<Run>();
  const snapshot = useRunSnapshot(run);
  const latest = useRef(run);
  latest.current = run;
  useCancelKeys(run);
  useEffect(() => () => latest.current?.cancel(), []);
  return {
    run,
    isRunning: snapshot !== undefined && !isFinal(snapshot.state),
    start: (input) => {
      // The state of the page is a frame old: a second press within it must not run again.
      if (latest.current !== undefined && !isFinal(latest.current.store.state)) return;
      const started = startRun(client, input);
      latest.current = started;
      setRun(started);
    },
  };
}
