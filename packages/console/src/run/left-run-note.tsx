import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { isNotFound } from '../api/describe-error.ts';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { awaitKeptResult } from './await-kept-result.ts';
import type { LeftRun } from './left-run.ts';
import './left-run.css';

/** Time between two reads of a receipt that is not there yet: the host notices within a second that the page is gone. */
const REFRESH_MS = 1_000;
/** Attempts to wait for a result after the connection was cut. */
const RETRIES = 3;

interface LeftRunNoteProps {
  readonly left: LeftRun;
  readonly onRerun: () => void;
  /** Called when the run has ended and the host keeps its result. */
  readonly onKept: (result: { readonly queryId: string; readonly keptUntil: number }) => void;
}

/** Says how the run of a tab ended whose page was left or loaded again, from the receipt of the host, or waits for its kept result. */
export function LeftRunNote({ left, onRerun, onKept }: LeftRunNoteProps) {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const { queryId, startedMs, isKept } = left;
  const receipt = useQuery({
    queryKey: QUERY_KEYS.receipt(queryId),
    queryFn: ({ signal }) => client.stream.getQuery({ params: { id: queryId }, signal }),
    enabled: queryId !== '',
    refetchInterval: ({ state }) => (state.data?.ended_ts === null ? REFRESH_MS : false),
    retry: false,
  });
  const kept = useQuery({
    queryKey: QUERY_KEYS.leftRun(queryId),
    queryFn: ({ signal }) => awaitKeptResult(client, queryId, signal),
    enabled: isKept && queryId !== '',
    retry: (count, error) => count < RETRIES && !isNotFound(error),
    gcTime: 0,
  });
  const keptUntil = kept.data;
  const open = useEffectEvent((until: number) => onKept({ queryId, keptUntil: until }));
  useEffect(() => {
    if (keptUntil !== undefined) open(keptUntil);
  }, [keptUntil]);
  const stop = useAction(() => client.stream.cancelQuery({ params: { id: queryId } }));
  const started = formatTime(startedMs);
  if (kept.isLoading)
    return (
      <div className="left-run" role="status">
        <p>{t('run.left.continues', { started })}</p>
        <Button icon="stop" isDisabled={stop.isRunning} onPress={() => void stop.start()}>
          {t('action.stop')}
        </Button>
      </div>
    );
  const { data } = receipt;
  return (
    <div className="left-run" role="status">
      <p>
        {data === undefined || data.ended_ts === null
          ? t('run.left', { started })
          : t('run.left.ended', {
              started,
              ended: formatTime(data.ended_ts),
              state: t(data.limited ? 'query-state.limited' : `query-state.${data.state}`),
              count: data.rows,
            })}
      </p>
      <Button icon="run" onPress={onRerun}>
        {t('run.again')}
      </Button>
    </div>
  );
}
