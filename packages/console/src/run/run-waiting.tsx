import { useTranslation } from '../i18n/translate.tsx';
import type { RunSnapshot } from './run-state.ts';
import './run-waiting.css';

/** What an execution without columns waits for. */
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
