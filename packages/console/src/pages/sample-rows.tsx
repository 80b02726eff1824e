import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { isFinal } from '../run/run-transitions.ts';
import { type Run, type RunInput, startRun } from '../run/start-run.ts';
import { useCancelKeys } from '../run/use-cancel-keys.ts';
import { useRunSnapshot } from '../run/use-run.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Row, Stack } from '../ui/layout.tsx';
import { RunView } from './run-view.tsx';
import './sample-rows.css';

/** Run that reads the sample rows of a page. */
export interface SampleRun {
  /** Undefined until the user starts it. */
  readonly run: Run | undefined;
  readonly isRunning: boolean;
  readonly start: (input: RunInput) => void;
}

interface SampleRowsProps {
  readonly sample: SampleRun;
  /** Maximum number of rows to read. */
  readonly size: number;
  /** Returns the statement to run, or undefined after a notification about missing values. */
  readonly readInput: () => RunInput | undefined;
  /** Fields for the parameters of the statement. */
  readonly children?: ReactNode;
}

/** First rows of an object. They are read when the user presses the button, never automatically. */
export function SampleRows({ sample, size, readInput, children }: SampleRowsProps) {
  const { t } = useTranslation();
  const { run, isRunning, start } = sample;
  if (!useCurrentUser().permissions.includes('query:run'))
    return <EmptyState icon="table" title={t('sample.not-allowed')} message={t('sample.not-allowed.message')} />;
  const startSample = () => {
    const input = readInput();
    if (input !== undefined) start({ ...input, size });
  };
  return (
    <Stack>
      {children}
      <Row>
        {/* Stays enabled: a disabled button would lose the focus. A second press does nothing. */}
        <Button kind={run === undefined ? 'primary' : 'secondary'} icon="run" onPress={startSample}>
          {t('sample.run', { count: size })}
        </Button>
        {isRunning && (
          <Button icon="stop" onPress={() => run?.cancel()}>
            {t('action.stop')}
          </Button>
        )}
      </Row>
      {run === undefined ? (
        <EmptyState icon="table" title={t('sample.none')} message={t('sample.message')} />
      ) : (
        <div className="sample-rows__result">
          <RunView run={run} />
        </div>
      )}
    </Stack>
  );
}

/**
 * Holds the sample run of a page. The page calls it, not its tab: the run continues while another tab is shown, and is cancelled when the
 * user leaves the page.
 */
export function useSampleRun(): SampleRun {
  const client = useClient();
  const [run, setRun] = useState<Run>();
  const snapshot = useRunSnapshot(run);
  // The state is one render old when a second press follows within a frame, and in the cleanup of the effect.
  const latest = useRef(run);
  latest.current = run;
  useCancelKeys(run);
  useEffect(() => () => latest.current?.cancel(), []);
  return {
    run,
    isRunning: snapshot !== undefined && !isFinal(snapshot.state),
    start: (input) => {
      if (latest.current !== undefined && !isFinal(latest.current.store.state)) return;
      const started = startRun(client, input);
      latest.current = started;
      setRun(started);
    },
  };
}
