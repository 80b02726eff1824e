import { useTranslation } from '../i18n/translate.tsx';
import type { RunSnapshot } from './run-state.ts';
import './run-waiting.css';

interface RunWaitingProps {
  readonly snapshot: RunSnapshot;
  /** Whether a kept result is read, without a run. Default: false. */
  readonly isReopened?: boolean | undefined;
}

/** Message for an execution whose columns have not arrived: it waits, is planned or is being cancelled. */
export function RunWaiting({ snapshot: { state }, isReopened = false }: RunWaitingProps) {
  const { t } = useTranslation();
  const isWaiting =
    state === 'submitted' ||
    state === 'queued' ||
    state === 'planning' ||
    state === 'withdrawing' ||
    state === 'cancelling';
  if (!isWaiting) return <p className="run-waiting" />;
  return <p className="run-waiting">{isReopened ? t('run.reopening') : t(`run.waiting.${state}`)}</p>;
}
