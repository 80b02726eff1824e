import { useEffect, useMemo, useRef, useState } from 'react';
import { QUERY_KEYS, useInvalidate } from '../api/query-keys.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { DecideDialog, type Decision } from '../marketplace/decide-dialog.tsx';
import { DECISION_KEYS, OpenRequests } from '../marketplace/open-requests.tsx';
import { RequestTable } from '../marketplace/request-table.tsx';
import { REQUEST_PAGE_SIZE, type RequestList, useAccessRequests } from '../marketplace/use-market.ts';
import { useRequestCounts } from '../marketplace/use-request-counts.ts';
import { useListState } from '../router/query-parameters.ts';
import { navigate } from '../router/router.ts';
import { useCommands } from '../shell/commands.ts';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Pager } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loaded } from '../ui/failure.tsx';
import { Stack } from '../ui/layout.tsx';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';

const LISTS: readonly RequestList[] = ['open', 'inbox', 'own'];
/** Order in which the page looks for a list with requests when it is opened: what is to be decided first. */
const OPENED: readonly RequestList[] = ['open', 'own', 'inbox'];

type CountsQuery = ReturnType<typeof useRequestCounts>;

const pathOf = (list: RequestList): string => `/requests?list=${list}`;

/**
 * Returns the list of the address. An address without one gets the first list that has requests, and keeps it when the counts change: the
 * last decision must not take the list away.
 */
function useList(chosen: string | undefined, { data: counts, isError }: CountsQuery): RequestList | undefined {
  const list = LISTS.find((each) => each === chosen);
  const found = counts === undefined ? undefined : OPENED.find((each) => counts[each] > 0);
  const opened = found ?? (counts !== undefined || isError ? 'open' : undefined);
  const isOpening = list === undefined && opened !== undefined;
  useEffect(() => {
    if (isOpening) navigate(pathOf(opened), { replaces: true });
  }, [isOpening, opened]);
  return list ?? opened;
}

/** Reads the lists again when the counts show that others have requested or decided something. */
function useFreshLists({ data: counts }: CountsQuery): void {
  const refresh = useInvalidate(QUERY_KEYS.requestLists);
  const state = counts && JSON.stringify(counts);
  const seen = useRef(state);
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== state) refresh();
    seen.current = state;
  }, [state, refresh]);
}

/** Page with the requests that wait for the user's decision, those that are decided, and the user's own. */
export function RequestsPage() {
  const { t } = useTranslation();
  const { text, from, move } = useListState();
  const counts = useRequestCounts();
  const list = useList(text('list'), counts);
  const [decision, setDecision] = useState<Decision>();
  const notice = useChangeNotice();
  useFreshLists(counts);
  useDecisionKeys();
  if (list === undefined)
    return (
      <Page title={t('page.requests')}>
        <p>{t('market.loading')}</p>
      </Page>
    );
  return (
    <Page title={t('page.requests')}>
      <Tabs
        label={t('page.requests')}
        selected={list}
        onSelect={(id) => navigate(pathOf(id), { replaces: true })}
        items={LISTS.map((id) => ({
          id,
          title: t(`requests.list.${id}`),
          count: counts.data?.[id] || undefined,
          content: <Requests list={id} from={from} onMove={move} onDecide={setDecision} />,
        }))}
      />
      <DecideDialog
        decision={decision}
        onClose={() => setDecision(undefined)}
        onDecided={(text, requestId) => notice(text, { requestId })}
      />
    </Page>
  );
}

interface RequestsProps {
  readonly list: RequestList;
  readonly onDecide: (decision: Decision) => void;
}

interface RequestPageProps extends RequestsProps {
  readonly from: number;
  readonly onMove: (from: number) => void;
}

function Requests({ list, from, onMove, onDecide }: RequestPageProps) {
  const { t } = useTranslation();
  const query = useAccessRequests(list, from);
  const rows = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is lost when a decided request leaves the list
  useEffect(() => {
    if (document.activeElement === document.body) rows.current?.focus();
  }, [query.data]);
  return (
    <Loaded query={query} waiting={<p>{t('market.loading')}</p>}>
      {({ data, total }) => (
        <Stack ref={rows} tabIndex={-1}>
          <RequestRows list={list} requests={data} onDecide={onDecide} />
          <Pager label={t('requests.pages')} from={from} size={REQUEST_PAGE_SIZE} total={total} onMove={onMove} />
        </Stack>
      )}
    </Loaded>
  );
}

function RequestRows({
  list,
  requests,
  onDecide,
}: RequestsProps & { readonly requests: Parameters<typeof RequestTable>[0]['requests'] }) {
  const { t } = useTranslation();
  if (requests.length === 0)
    return (
      <EmptyState icon="inbox" title={t(`requests.empty.${list}`)} message={t(`requests.empty.${list}.message`)}>
        {list === 'own' && <Button onPress={() => navigate('/marketplace')}>{t('requests.to-marketplace')}</Button>}
      </EmptyState>
    );
  if (list === 'open') return <OpenRequests requests={requests} onDecide={onDecide} />;
  return (
    <RequestTable label={t(`requests.list.${list}`)} requests={requests} hasUser={list === 'inbox'} empty={null} />
  );
}

/** Lists the keys of the open requests in the shortcut sheet. The list itself listens. */
function useDecisionKeys(): void {
  const { t } = useTranslation();
  const group = useMemo(
    () => ({
      title: t('page.requests'),
      commands: (['approve', 'refuse'] as const).map((verdict) => ({
        id: `requests:${verdict}`,
        title: t(`requests.${verdict}`),
        keys: DECISION_KEYS[verdict],
      })),
    }),
    [t],
  );
  useCommands(group);
}
