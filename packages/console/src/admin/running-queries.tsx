import type { StreamOperationTypes } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isInaccessible } from '../api/describe-error.ts';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { formatBytes } from '../i18n/format-bytes.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { AuditLogLink, useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Row, Stack } from '../ui/layout.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import './running-queries.css';

/** Characters of a statement in the list. */
const SHOWN_CHARACTERS = 300;

type RunningQuery = StreamOperationTypes['listTenantQueries']['result']['data'][number];

/** Queries of all users that run or wait, and a way to stop one. The list is read when it is opened and when the user asks. */
export function RunningQueries() {
  const { t, language, formatTime } = useTranslation();
  const client = useClient();
  const [chosen, setChosen] = useState<RunningQuery>();
  // Every read is recorded, so the list does not read itself again.
  const queries = useQuery({
    queryKey: QUERY_KEYS.adminList('queries'),
    queryFn: async ({ signal }) => (await client.stream.listTenantQueries({ signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Stack>
      <Row>
        <Button isDisabled={queries.isFetching} onPress={() => void queries.refetch()}>
          {t('action.reload')}
        </Button>
      </Row>
      <Loaded query={queries}>
        {(data) => (
          <DataTable
            label={t('admin.queries')}
            items={data}
            empty={<EmptyState icon="query" title={t('admin.queries.none')} />}
            idOf={({ query_id: id }) => id}
            onOpen={setChosen}
            columns={[
              { id: 'user', title: t('audit.record.user'), cell: ({ user }) => <VisibleText text={user} /> },
              {
                id: 'sql',
                title: t('label.statement'),
                isText: true,
                cell: ({ sql }) => (
                  <span className="running-query__sql">
                    <VisibleText text={sql.slice(0, SHOWN_CHARACTERS)} lines="join" />
                  </span>
                ),
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
      </Loaded>
      <CancelDialog query={chosen} onClose={() => setChosen(undefined)} />
    </Stack>
  );
}

/** The receipt of a query that waits, and of any query for admins without `audit:read`, is not accessible. The list shows those. */
const ignoreInaccessible = (error: unknown): void => {
  if (!isInaccessible(error)) throw error;
};

interface CancelDialogProps {
  /** Undefined: the dialog is closed. */
  readonly query: RunningQuery | undefined;
  readonly onClose: () => void;
}

function CancelDialog({ query, onClose }: CancelDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const { start, isRunning, failure } = useAction(
    async ({ query_id: id }: RunningQuery) => {
      await client.stream.cancelTenantQuery({ params: { id } });
      await client.awaitReceipt(id).catch(ignoreInaccessible);
    },
    {
      invalidates: [QUERY_KEYS.adminList('queries')],
      onDone({ input: { user, query_id: queryId } }) {
        notice(t('admin.query.cancelled', { user: visibleText(user) }), { queryId });
        onClose();
      },
    },
  );
  return (
    <Dialog title={t('admin.query.title')} width="l" isOpen={query !== undefined} onClose={onClose}>
      {query !== undefined && (
        <Stack>
          <Failure error={failure} />
          <p>
            {t('admin.query.about', { user: visibleText(query.user) })}{' '}
            <AuditLogLink search={{ queryId: query.query_id }} />
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls needs the focus to be scrolled by keys */}
          <pre className="running-query__text" tabIndex={0}>
            <VisibleText text={query.sql} lines="preserve" />
          </pre>
          {query.sql_truncated === true && <p>{t('admin.query.truncated', { characters: query.sql.length })}</p>}
          <DialogActions onCancel={onClose}>
            <Button kind="danger" isDisabled={isRunning} onPress={() => void start(query)}>
              {t(isRunning ? 'admin.query.cancelling' : 'admin.query.cancel')}
            </Button>
          </DialogActions>
        </Stack>
      )}
    </Dialog>
  );
}
