import { useTranslation } from '../i18n/translate.tsx';
import type { RunSnapshot } from './run-state.ts';
import './run-waiting.css';

/** Message for an execution whose columns have not arrived: it waits, is planned or is being cancelled. */
export function RunWaiting({ snapshot: { state } }: { readonly snapshot: RunSnapshot }) {
  const { t } = useTranslation();
  const isWaiting =
    state === 'submitted' ||
    state === 'queued' ||
    state === 'planning' ||
    state === 'withdrawing' ||
    state === 'cancelling';
  return <p className="run-waiting">{isWaiting ? t(`run.waiting.${state}`) : ''}</p>;
}
