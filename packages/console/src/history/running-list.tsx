import type { StreamOperationTypes } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

type OwnQuery = StreamOperationTypes['listQueries']['result']['data'][number];

/** A query that runs or waits. Only administrators see those of others, with their users. */
type RunningQuery = OwnQuery & { readonly user?: string };

const REFRESH_MS = 2_000;

/** Queries that run now: those of the user, or for administrators those of everybody. */
export function RunningList() {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const { permissions, user } = useCurrentUser();
  const isAdmin = permissions.includes('admin');
  const { data, error, refetch } = useQuery({
    queryKey: QUERY_KEYS.running,
    queryFn: async ({ signal }): Promise<readonly RunningQuery[]> => {
      const { data } = isAdmin
        ? await client.stream.listTenantQueries({ signal })
        : await client.stream.listQueries({ signal });
      return data;
    },
    refetchInterval: REFRESH_MS,
    gcTime: 0,
    retry: false,
  });
  const stop = useAction(
    ({ query_id: id, user: owner = user }: RunningQuery) =>
      owner === user
        ? client.stream.cancelQuery({ params: { id } })
        : client.stream.cancelTenantQuery({ params: { id } }),
    { invalidates: [QUERY_KEYS.running] },
  );
  return (
    <div className="query-history">
      <Failure error={error ?? stop.failure} onRetry={refetch} />
      {data?.length === 0 && <p>{t('history.running.none')}</p>}
      <ul className="query-history__list" aria-label={t('history.running')}>
        {(data ?? []).map((query) => (
          <li key={query.query_id} className="query-history__entry">
            <code className="query-history__sql">
              <VisibleText text={query.sql ?? query.query_id} lines="join" />
            </code>
            <span className="query-history__facts">
              {[
                ...(query.user === undefined ? [] : [query.user]),
                t('history.facts', {
                  time: formatTime(query.started_ts),
                  state: t(`query-state.${query.state}`),
                  count: query.rows,
                }),
              ].join(' · ')}
            </span>
            <div className="query-history__actions">
              <Button size="s" kind="quiet" icon="stop" onPress={() => void stop.start(query)}>
                {t('action.stop')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
