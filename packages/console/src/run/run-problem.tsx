import { useTranslation } from '../i18n/translate.tsx';
import { Problem } from '../ui/failure.tsx';
import type { RunSnapshot } from './run-state.ts';

/** A position in a statement; both count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const FIRST: TextPosition = { line: 1, column: 1 };

interface RunProblemProps {
  readonly snapshot: RunSnapshot;
  /** Start of the statement in the text that the user sees. Default: line 1, column 1. */
  readonly start?: TextPosition | undefined;
}

/** Returns the position in the text of a position in the statement. */
export const inText = (
  { line, column }: TextPosition,
  start: TextPosition = FIRST,
): { line: number; column: number } => ({
  line: line + start.line - 1,
  column: line === 1 ? column + start.column - 1 : column,
});

/** Reason that an execution failed or was cut, with the id by which an operator finds it. Renders nothing for other states. */
export function RunProblem({ snapshot, start }: RunProblemProps) {
  const { t } = useTranslation();
  const { state, failure, receivedRows } = snapshot;
  if (failure === undefined || (state !== 'failed' && state !== 'cut')) return null;
  const { code, location, requestId, queryId, retryAfterSeconds } = failure;
  const message = code === 'connection_failed' ? t('error.check-network') : failure.message;
  const lines = [
    location === undefined ? message : t('run.error.at', { ...inText(location, start), message }),
    ...(retryAfterSeconds === undefined ? [] : [t('run.error.retry-after', { count: retryAfterSeconds })]),
  ];
  const id = queryId ?? requestId;
  return (
    <Problem
      title={
        receivedRows > 0
          ? t(state === 'failed' ? 'run.failed-after' : 'run.cut-after', { count: receivedRows })
          : t(`run.state.${state}`)
      }
      message={lines.join('\n')}
      reference={
        id === undefined ? undefined : { label: t(queryId === undefined ? 'label.request-id' : 'label.query-id'), id }
      }
    />
  );
}
