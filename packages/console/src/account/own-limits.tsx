import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { formatBytes } from '../i18n/format-bytes.ts';
import { useTranslation } from '../i18n/translate.tsx';
import type { CurrentUser } from '../session/session-state.ts';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Loaded } from '../ui/failure.tsx';
import { Section } from '../ui/layout.tsx';

interface ShownLimit {
  readonly id: string;
  readonly title: string;
  /** Empty for a limit that applies to each query. */
  readonly use: string;
  readonly most: string;
}

/** Limits of the user and their current use on all hosts. */
export function OwnLimits() {
  const { t } = useTranslation();
  const client = useClient();
  const limitsOf = useShownLimits();
  // The user of the session was read when the page was opened. The use has changed since.
  const me = useQuery({ queryKey: QUERY_KEYS.me, queryFn: ({ signal }) => client.api.getMe({ signal }), staleTime: 0 });
  return (
    <Section title={t('account.limits')}>
      <Loaded query={me}>
        {(data) => (
          <DataTable
            label={t('account.limits')}
            items={limitsOf(data)}
            idOf={({ id }) => id}
            columns={[
              { id: 'title', title: t('account.limit.title'), isText: true, cell: ({ title }) => title },
              { id: 'use', title: t('account.limit.use'), isNumber: true, cell: ({ use }) => use },
              { id: 'most', title: t('account.limit.most'), isNumber: true, cell: ({ most }) => most },
            ]}
          />
        )}
      </Loaded>
      <Button size="s" onPress={() => void me.refetch()}>
        {t('action.reload')}
      </Button>
    </Section>
  );
}

/** Returns a function that lists limits in the words and units of the language. */
function useShownLimits(): (me: Pick<CurrentUser, 'limits' | 'use'>) => readonly ShownLimit[] {
  const { t, language, formatNumber } = useTranslation();
  const seconds = (ms: number): string => t('label.seconds', { seconds: formatNumber(ms / 1000) });
  const orUnlimited = (value: number | null, format: (limit: number) => string): string =>
    value === null ? t('account.limit.unlimited') : format(value);
  const counted = (
    id: 'queries' | 'queued' | 'tenant-queries' | 'tenant-queued',
    use: number,
    most: number,
  ): ShownLimit => ({ id, title: t(`account.limit.${id}`), use: formatNumber(use), most: formatNumber(most) });
  const ofEach = (
    id: 'bytes' | 'keep-time' | 'kept-bytes' | 'query-time' | 'queue-time' | 'rows',
    most: string,
  ): ShownLimit => ({
    id,
    title: t(`account.limit.${id}`),
    use: '',
    most,
  });
  return ({ limits, use }) => [
    counted('queries', use.queries, limits.queries_per_user),
    counted('tenant-queries', use.tenant_queries, limits.queries_per_tenant),
    counted('queued', use.queued, limits.queued_per_user),
    counted('tenant-queued', use.tenant_queued, limits.queued_per_tenant),
    ofEach('query-time', seconds(limits.query_time_ms)),
    ofEach('queue-time', seconds(limits.queue_timeout_ms)),
    ofEach('rows', orUnlimited(limits.rows_max, formatNumber)),
    ofEach(
      'bytes',
      orUnlimited(limits.bytes_max, (bytes) => formatBytes(bytes, language)),
    ),
    ofEach('keep-time', limits.keep_time_ms === 0 ? t('label.none') : seconds(limits.keep_time_ms)),
    ofEach('kept-bytes', formatBytes(limits.kept_bytes_max, language)),
  ];
}
