import { useEffect, useMemo, useRef, useState } from 'react';
import { useChangeNotice } from '../admin/audit-log-link.tsx';
import { useTranslation } from '../i18n/translate.tsx';
import { DecideDialog, type Decision } from '../marketplace/decide-dialog.tsx';
import { DECISION_KEYS, OpenRequests } from '../marketplace/open-requests.tsx';
import { RequestTable } from '../marketplace/request-table.tsx';
import { REQUEST_PAGE_SIZE, type RequestList, useAccessRequests } from '../marketplace/use-market.ts';
import { navigate, useQueryString } from '../router/router.ts';
import { useCommands } from '../shell/commands.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { Button } from '../ui/button.tsx';
import { Pager } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure } from '../ui/failure.tsx';
import { Tabs } from '../ui/tabs.tsx';
import './requests-page.css';

const LISTS: readonly RequestList[] = ['open', 'inbox', 'own'];

/** Page with the requests that wait for the user's decision, those that are decided, and the user's own. */
export function RequestsPage() {
  const { t } = useTranslation();
  usePageTitle(t('page.requests'));
  const chosen = new URLSearchParams(useQueryString()).get('list');
  const list = LISTS.find((each) => each === chosen) ?? 'open';
  const [decision, setDecision] = useState<Decision>();
  const notice = useChangeNotice();
  useDecisionKeys();
  return (
    <main className="requests-page">
      <h1 className="requests-page__title">{t('page.requests')}</h1>
      <Tabs
        label={t('page.requests')}
        selected={list}
        onSelect={(id) => navigate(`/requests?list=${id}`, { replaces: true })}
        items={LISTS.map((id) => ({
          id,
          title: t(`requests.list.${id}`),
          content: <Requests list={id} onDecide={setDecision} />,
        }))}
      />
      <DecideDialog
        decision={decision}
        onClose={() => setDecision(undefined)}
        onDecided={(text, requestId) => notice(text, { requestId })}
      />
    </main>
  );
}

interface RequestsProps {
  readonly list: RequestList;
  readonly onDecide: (decision: Decision) => void;
}

function Requests({ list, onDecide }: RequestsProps) {
  const { t } = useTranslation();
  const [from, setFrom] = useState(0);
  const { data, error, refetch } = useAccessRequests(list, from);
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is lost when a decided request leaves the list
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus();
  }, [data]);
  if (error !== null)
    return (
      <Failure error={error}>
        <Button size="s" onPress={() => void refetch()}>
          {t('action.retry')}
        </Button>
      </Failure>
    );
  if (data === undefined) return <p>{t('market.loading')}</p>;
  return (
    <div ref={place} className="requests-page__list" tabIndex={-1}>
      <RequestRows list={list} requests={data.data} onDecide={onDecide} />
      <Pager label={t('requests.pages')} from={from} size={REQUEST_PAGE_SIZE} total={data.total} onMove={setFrom} />
    </div>
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
