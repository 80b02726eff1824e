import type { ParameterValue, StreamOperationTypes } from '@sluice/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Filters } from '../ui/filters.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { resentParameters } from './resent-parameters.ts';

type Entry = StreamOperationTypes['listQueryHistory']['result']['data'][number];
type State = Entry['state'];
type Kind = Entry['kind'];

/** A statement with the values of its parameters. */
export interface PastStatement {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
}

/** Kept result of a statement. */
export interface PastResult {
  readonly queryId: string;
  /** Epoch milliseconds. */
  readonly keptUntil: number;
}

export interface HistoryListProps {
  /** Opens a statement in a new tab, without running it. */
  readonly onReopen: (statement: PastStatement) => void;
  /** Opens a statement in a new tab, and runs it. */
  readonly onRerun: (statement: PastStatement) => void;
  /** Shows the kept result of a statement in a new tab. */
  readonly onShowResult: (statement: PastStatement, kept: PastResult) => void;
  /** Renders further actions on a statement, such as downloads. */
  readonly renderActions: (statement: PastStatement) => ReactNode;
}

/** Entries that are loaded together. */
const PAGE_SIZE = 50;
const STATES = ['FINISHED', 'FAILED', 'CANCELLED', 'RUNNING', 'QUEUED', 'UNKNOWN'] as const satisfies readonly State[];
const KINDS = ['QUERY', 'DOWNLOAD', 'MARKETPLACE', 'DATAMAP'] as const satisfies readonly Kind[];

/** Statements and downloads of the user, newest first. */
export function HistoryList(actions: HistoryListProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [text, setText] = useState('');
  const [state, setState] = useState<State | 'all'>('all');
  const [kind, setKind] = useState<Kind | 'all'>('all');
  const filter = {
    ...(text === '' ? {} : { q: text }),
    ...(state === 'all' ? {} : { state }),
    ...(kind === 'all' ? {} : { kind }),
  };
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: QUERY_KEYS.history(filter),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const page = pageParam === '' ? {} : { page_token: pageParam };
      return client.stream.listQueryHistory({ query: { ...filter, ...page, size: PAGE_SIZE }, signal });
    },
    getNextPageParam: ({ next_page_token }) => next_page_token ?? undefined,
    gcTime: 0,
    retry: false,
  });
  const entries = data?.pages.flatMap((page) => page.data) ?? [];
  const all = { id: 'all' as const, label: t('history.all') };
  return (
    <div className="query-history">
      <SearchField hasLabel label={t('history.search')} searchText={text} onSearch={setText} />
      <Filters count={Number(state !== 'all') + Number(kind !== 'all')}>
        <div className="query-history__filters">
          <SelectField
            label={t('label.state')}
            choices={[all, ...STATES.map((id) => ({ id, label: t(`query-state.${id}`) }))]}
            value={state}
            onChange={setState}
          />
          <SelectField
            label={t('history.kind')}
            choices={[all, ...KINDS.map((id) => ({ id, label: t(`history.kind.${id}`) }))]}
            value={kind}
            onChange={setKind}
          />
        </div>
      </Filters>
      <Failure error={error} onRetry={refetch} />
      {!isPending && error === null && entries.length === 0 && <p>{t('history.empty')}</p>}
      <ul className="query-history__list" aria-label={t('history.title')}>
        {entries.map((entry) => (
          <li key={entry.query_id} className="query-history__entry">
            <HistoryEntry entry={entry} {...actions} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {t('search.more')}
        </Button>
      )}
    </div>
  );
}

function HistoryEntry({ entry, ...actions }: HistoryListProps & { readonly entry: Entry }) {
  const { t, formatTime, language } = useTranslation();
  const { kind, sql, state, limited, rows, started_ts, ended_ts, error } = entry;
  const facts = {
    time: formatTime(started_ts),
    state: t(limited ? 'query-state.limited' : `query-state.${state}`),
    count: rows,
  };
  const keptUntil = keptUntilOf(entry);
  return (
    <>
      <code className="query-history__sql">
        <VisibleText text={sql ?? entry.item_id ?? entry.datamap_id ?? ''} lines="join" />
      </code>
      <span className="query-history__facts">
        {[
          t('history.facts', facts),
          ...(ended_ts === null ? [] : [t('label.seconds', { seconds: secondsOf(ended_ts - started_ts, language) })]),
          ...(kind === 'QUERY' ? [] : [t(`history.kind.${kind}`)]),
        ].join(' · ')}
      </span>
      {error === null ? null : (
        <span className="query-history__error">
          {/* Messages of engines may have several lines, such as an excerpt of the statement. */}
          <VisibleText text={error.message} lines="join" />
        </span>
      )}
      {keptUntil === undefined ? null : <ExpiryNote until={keptUntil} />}
      {sql === null ? null : <EntryActions entry={entry} sql={sql} {...actions} />}
    </>
  );
}

/** Returns the time until which the result of a statement is kept. Undefined: it is not, or not any more. */
const keptUntilOf = ({ kept_until: until }: Entry): number | undefined =>
  until !== null && until > Date.now() ? until : undefined;

function ExpiryNote({ until }: { readonly until: number }) {
  const { t, formatShortTime } = useTranslation();
  return (
    <span>
      <Badge tone="success">{t('kept.until', { until: formatShortTime(until) })}</Badge>
    </span>
  );
}

interface EntryActionsProps extends HistoryListProps {
  readonly entry: Entry;
  readonly sql: string;
}

function EntryActions({ entry, sql, onReopen, onRerun, onShowResult, renderActions }: EntryActionsProps) {
  const { t } = useTranslation();
  const parameters = resentParameters(entry.parameters);
  const keptUntil = keptUntilOf(entry);
  const { query_id: queryId } = entry;
  return (
    <div className="query-history__actions">
      {keptUntil === undefined ? null : (
        <Button
          size="s"
          icon="table"
          onPress={() => onShowResult({ sql, parameters: parameters ?? {} }, { queryId, keptUntil })}
        >
          {t('kept.show')}
        </Button>
      )}
      <Button size="s" onPress={() => onReopen({ sql, parameters: parameters ?? {} })}>
        {t('history.open')}
      </Button>
      {parameters === undefined ? null : (
        <>
          <Button size="s" kind="quiet" icon="run" onPress={() => onRerun({ sql, parameters })}>
            {t('run.again')}
          </Button>
          {renderActions({ sql, parameters })}
        </>
      )}
    </div>
  );
}

/** Returns seconds as the language writes them, with fractions of short times. */
function secondsOf(milliseconds: number, language: string): string {
  const digits = milliseconds < 10_000 ? 2 : 0;
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return format.format(milliseconds / 1000);
}
