import type { StreamOperationTypes } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmStop } from '../api/confirm-stop.ts';
import { isWithheld } from '../api/describe-error.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { formatBytes } from '../i18n/format-bytes.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure } from '../ui/failure.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { AuditLogLink, useChangeNotice } from './audit-log-link.tsx';
import './admin-list.css';

type RunningQuery = StreamOperationTypes['listTenantQueries']['result']['data'][number];

/** Queries of all users that run or wait, and a way to stop one. The list is read when it is opened and when the user asks. */
export function RunningQueries() {
  const { t, language, formatTime } = useTranslation();
  const client = useClient();
  const [chosen, setChosen] = useState<RunningQuery>();
  // Every read is recorded, so the list does not read itself again.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin', 'queries'],
    queryFn: async ({ signal }) => (await client.stream.listTenantQueries({ signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <div className="admin-list">
      <div className="admin-list__tools">
        <Button isDisabled={isFetching} onPress={() => void refetch()}>
          {t('action.reload')}
        </Button>
      </div>
      {error !== null && <Failure error={error} />}
      {data?.length === 0 && <EmptyState icon="query" title={t('admin.queries.none')} />}
      {data !== undefined && data.length > 0 && (
        <DataTable
          label={t('admin.queries')}
          items={data}
          idOf={({ query_id: id }) => id}
          onOpen={setChosen}
          columns={[
            { id: 'user', title: t('audit.record.user'), cell: ({ user }) => <VisibleText text={user} /> },
            {
              id: 'sql',
              title: t('label.statement'),
              cell: ({ sql }) => <span className="admin-list__sql">{visibleText(sql.slice(0, 300))}</span>,
            },
            { id: 'state', title: t('label.state'), isTerm: true, cell: ({ state }) => state },
            { id: 'started', title: t('admin.started'), cell: ({ started_ts: time }) => formatTime(time) },
            { id: 'rows', title: t('label.rows'), isNumber: true, cell: ({ rows }) => rows },
            {
              id: 'bytes',
              title: t('admin.query.size'),
              isNumber: true,
              cell: ({ bytes }) => formatBytes(bytes, language),
            },
          ]}
        />
      )}
      <CancelDialog query={chosen} onClose={() => setChosen(undefined)} onCancelled={() => void refetch()} />
    </div>
  );
}

/** The receipt of a query that waits, and of any query for admins without `audit:read`, is withheld. The list shows those. */
const ignoreWithheld = (error: unknown): void => {
  if (!isWithheld(error)) throw error;
};

interface CancelDialogProps {
  /** Undefined: the dialog is closed. */
  readonly query: RunningQuery | undefined;
  readonly onClose: () => void;
  /** Called when the query has ended, and when the host did not say so. */
  readonly onCancelled: () => void;
}

function CancelDialog({ query, onClose, onCancelled }: CancelDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const { start, isRunning, failure } = useAction<RunningQuery>(async ({ query_id: id }) => {
    try {
      await client.stream.cancelTenantQuery({ params: { id } });
      await confirmStop(client, id).catch(ignoreWithheld);
    } finally {
      onCancelled();
    }
  });
  const cancel = async (chosen: RunningQuery) => {
    if (!(await start(chosen))) return;
    const text = t('admin.query.cancelled', { user: visibleText(chosen.user) });
    notice(text, { queryId: chosen.query_id });
    onClose();
  };
  return (
    <Dialog title={t('admin.query.title')} width="l" isOpen={query !== undefined} onClose={onClose}>
      {query !== undefined && (
        <div className="dialog-form">
          <Failure error={failure} />
          <p>
            {t('admin.query.about', { user: visibleText(query.user) })}{' '}
            <AuditLogLink search={{ queryId: query.query_id }} />
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls needs the focus to be scrolled by keys */}
          <pre className="admin-list__text" tabIndex={0}>
            <VisibleText text={query.sql} lines="keep" />
          </pre>
          {query.sql_truncated === true && <p>{t('admin.query.truncated', { characters: query.sql.length })}</p>}
          <DialogActions>
            <Button onPress={onClose}>{t('action.close')}</Button>
            <Button kind="danger" isDisabled={isRunning} onPress={() => void cancel(query)}>
              {t(isRunning ? 'admin.query.cancelling' : 'admin.query.cancel')}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}
