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

interface SampleRowsProps {
  readonly sample: Sample;
  /** Most rows that are read. */
  readonly size: number;
  /** Returns what runs, or undefined after it has said what is missing. */
  readonly inputOf: () => RunInput | undefined;
  /** Fields of values that the statement needs. */
  readonly children?: ReactNode;
}

/** The first rows of an object. They are read when the user asks for them, never by themselves. */
export function SampleRows({ sample, size, inputOf, children }: SampleRowsProps) {
  const { t } = useTranslation();
  const { run, isRunning, start } = sample;
  if (!useCurrentUser().permissions.includes('query:run'))
    return <EmptyState icon="table" title={t('sample.not-allowed')} message={t('sample.not-allowed.message')} />;
  const press = () => {
    const input = inputOf();
    if (input !== undefined) start({ ...input, size });
  };
  return (
    <Stack>
      {children}
      <Row>
        {/* Stays enabled: a disabled button would lose the focus. A second press does nothing. */}
        <Button kind={run === undefined ? 'primary' : 'secondary'} icon="run" onPress={press}>
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

/** Sample rows of a page. */
interface Sample {
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
