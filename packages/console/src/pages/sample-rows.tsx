import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import type { RunInput } from '../run/start-run.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { RunView } from './run-view.tsx';
import type { Sample } from './use-sample.ts';

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
    <div className="sample-rows">
      {children}
      <div className="sample-rows__actions">
        {/* Stays enabled: a disabled button would lose the focus. A second press does nothing. */}
        <Button kind={run === undefined ? 'primary' : 'secondary'} icon="run" onPress={press}>
          {t('sample.run', { count: size })}
        </Button>
        {isRunning && (
          <Button icon="stop" onPress={() => run?.cancel()}>
            {t('action.stop')}
          </Button>
        )}
      </div>
      {run === undefined ? (
        <EmptyState icon="table" title={t('sample.none')} message={t('sample.message')} />
      ) : (
        <div className="sample-rows__result">
          <RunView run={run} />
        </div>
      )}
    </div>
  );
}
