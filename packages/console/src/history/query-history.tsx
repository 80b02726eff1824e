import type { StreamOperationTypes } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { SearchField } from '../ui/search-field.tsx';
import './query-history.css';

type Entry = StreamOperationTypes['listQueryHistory']['result']['data'][number];

interface QueryHistoryProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Opens a statement in a new tab, without running it. */
  readonly onReopen: (sql: string) => void;
}

/** Entries of one list. Older ones are found by their text. */
const ENTRIES_MAX = 50;

/** Statements that the user has run, newest first, as the host has recorded them. */
export function QueryHistory({ isOpen, onClose, onReopen }: QueryHistoryProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('history.title')} isOpen={isOpen} onClose={onClose} width="l">
      {isOpen && <HistoryList onReopen={onReopen} />}
    </Dialog>
  );
}

function HistoryList({ onReopen }: Pick<QueryHistoryProps, 'onReopen'>) {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const [text, setText] = useState('');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: QUERY_KEYS.history(text),
    queryFn: ({ signal }) =>
      client.stream.listQueryHistory({
        query: { kind: 'QUERY', size: ENTRIES_MAX, ...(text === '' ? {} : { q: text }) },
        signal,
      }),
    gcTime: 0,
    retry: false,
  });
  return (
    <div className="query-history">
      <SearchField hasLabel label={t('history.search')} searchText={text} onSearch={setText} autoFocus />
      <Failure error={error} onRetry={refetch} />
      {!isPending && data?.data.length === 0 && <p>{t('history.empty')}</p>}
      <ul className="query-history__list" aria-label={t('history.title')}>
        {(data?.data ?? []).map((entry) => (
          <li key={entry.query_id} className="query-history__entry">
            <div className="query-history__content">
              <code className="query-history__sql">{entry.sql}</code>
              <span className="query-history__facts">
                {t('history.facts', {
                  time: formatTime(entry.started_ts),
                  state: t(entry.limited ? 'query-state.limited' : `query-state.${entry.state}`),
                  count: entry.rows,
                })}
              </span>
            </div>
            <OpenButton entry={entry} onReopen={onReopen} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function OpenButton({ entry: { sql }, onReopen }: Pick<QueryHistoryProps, 'onReopen'> & { readonly entry: Entry }) {
  const { t } = useTranslation();
  if (sql === null) return null;
  return (
    <Button size="s" onPress={() => onReopen(sql)}>
      {t('history.open')}
    </Button>
  );
}
