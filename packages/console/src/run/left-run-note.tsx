import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import type { LeftRun } from './left-run.ts';
import './left-run.css';

/** Time between two reads of a receipt that is not there yet: the host notices within a second that the page is gone. */
const REFRESH_MS = 1_000;

interface LeftRunNoteProps {
  readonly left: LeftRun;
  readonly onRerun: () => void;
}

/** Says how the run of a tab ended whose page was left or loaded again, from the receipt of the host. */
export function LeftRunNote({ left: { queryId, startedMs }, onRerun }: LeftRunNoteProps) {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const { data } = useQuery({
    queryKey: QUERY_KEYS.receipt(queryId),
    queryFn: ({ signal }) => client.stream.getQuery({ params: { id: queryId }, signal }),
    enabled: queryId !== '',
    refetchInterval: ({ state }) => (state.data?.ended_ts === null ? REFRESH_MS : false),
    retry: false,
  });
  const started = formatTime(startedMs);
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
        {t('history.rerun')}
      </Button>
    </div>
  );
}
