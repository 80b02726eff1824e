import type { ApiOperationTypes } from '@sluice/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { AuditLogLink, useChangeNotice } from '../ui/audit-log-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Row, Stack } from '../ui/layout.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';

type OpenSession = ApiOperationTypes['listSessions']['result']['data'][number];

const PAGE_SIZE = 100;

/** Open sessions of the tenant, newest first, and a way to end one. */
export function SessionsList() {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const [chosen, setChosen] = useState<OpenSession>();
  const sessions = useInfiniteQuery({
    queryKey: QUERY_KEYS.adminList('sessions'),
    queryFn: ({ pageParam, signal }) =>
      client.api.listSessions({
        query: { size: PAGE_SIZE, ...(pageParam === '' ? {} : { page_token: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_page_token: token }) => token,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Stack>
      <Loaded query={sessions}>
        {({ pages }) => (
          <DataTable
            label={t('admin.sessions')}
            items={pages.flatMap((page) => page.data)}
            idOf={({ id }) => id}
            onOpen={setChosen}
            columns={[
              { id: 'user', title: t('audit.record.user'), cell: ({ user }) => <VisibleText text={user} /> },
              { id: 'issuer', title: t('admin.session.issuer'), cell: (session) => <SignInWay session={session} /> },
              { id: 'created', title: t('admin.started'), cell: ({ created_ts: time }) => formatTime(time) },
              { id: 'expires', title: t('admin.session.expires'), cell: ({ expires_ts: time }) => formatTime(time) },
            ]}
          />
        )}
      </Loaded>
      {sessions.hasNextPage && (
        <Button isDisabled={sessions.isFetching} onPress={() => void sessions.fetchNextPage()}>
          {t('search.more')}
        </Button>
      )}
      <EndAllSessions />
      <EndSessionDialog session={chosen} onClose={() => setChosen(undefined)} />
    </Stack>
  );
}

/** Button that ends all sessions of the tenant but that of this page, after a confirmation. */
function EndAllSessions() {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const [isAsked, setAsked] = useState(false);
  const title = t('admin.sessions.end-all');
  const { start, isRunning, failure } = useAction(() => client.api.endSessions({ body: { account_id: null } }), {
    invalidates: [QUERY_KEYS.admin],
    onDone({ result: { ended_count: count } }) {
      notice(t('admin.sessions.ended', { count }), { action: 'END_SESSIONS' });
      setAsked(false);
    },
  });
  return (
    <>
      <Row>
        <Button kind="danger-quiet" onPress={() => setAsked(true)}>
          {title}
        </Button>
      </Row>
      <Dialog title={title} isOpen={isAsked} onClose={() => setAsked(false)}>
        <Stack>
          <Failure error={failure} />
          <Impact losses={[t('admin.impact.sessions.all')]} />
          <DialogActions onCancel={() => setAsked(false)}>
            <Button kind="danger" isDisabled={isRunning} onPress={() => void start()}>
              {title}
            </Button>
          </DialogActions>
        </Stack>
      </Dialog>
    </>
  );
}

function SignInWay({ session: { issuer, client, kind, current } }: { readonly session: OpenSession }) {
  const { t } = useTranslation();
  // A login of a program has no way of its own: the user signed in in a browser.
  const shown = issuer ?? client;
  return (
    <>
      {shown === null ? (
        t(kind === 'client' ? 'label.client-secret' : 'admin.session.password')
      ) : (
        <VisibleText text={shown} />
      )}{' '}
      {current && <Badge tone="accent">{t('admin.session.current')}</Badge>}
    </>
  );
}

interface EndSessionDialogProps {
  /** Undefined: the dialog is closed. */
  readonly session: OpenSession | undefined;
  readonly onClose: () => void;
}

function EndSessionDialog({ session, onClose }: EndSessionDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const { start, isRunning, failure } = useAction(({ id }: OpenSession) => client.api.endSession({ params: { id } }), {
    invalidates: [QUERY_KEYS.admin],
    onDone({ input: { user } }) {
      const text = t('admin.session.ended', { user: visibleText(user) });
      notice(text, { action: 'END_SESSION', target: user });
      onClose();
    },
  });
  return (
    <Dialog title={t('admin.session.end')} isOpen={session !== undefined} onClose={onClose}>
      {session !== undefined && (
        <Stack>
          <p>
            <VisibleText text={session.user} /> <AuditLogLink search={{ user: session.user }} />
          </p>
          <Failure error={failure} />
          <Impact losses={[t('admin.impact.session', { user: visibleText(session.user) })]} />
          <DialogActions onCancel={onClose}>
            <Button kind="danger" isDisabled={isRunning} onPress={() => void start(session)}>
              {t('admin.session.end')}
            </Button>
          </DialogActions>
        </Stack>
      )}
    </Dialog>
  );
}
