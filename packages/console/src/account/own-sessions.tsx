import type { ApiOperationTypes } from '@sluice/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser, useSession } from '../session/session-context.tsx';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Section } from '../ui/layout.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import './own-sessions.css';

type OwnSession = ApiOperationTypes['listOwnSessions']['result']['data'][number];

/** Change that the user confirms: the end of one session, or of all others. */
type AskedEnd = OwnSession | 'others';

const PAGE_SIZE = 100;

/** The session of this page first. The others stay in the order of the host: newest first. */
const inOrder = (sessions: readonly OwnSession[]): readonly OwnSession[] => [
  ...sessions.filter(({ current }) => current),
  ...sessions.filter(({ current }) => !current),
];

/** Open sessions of the user, with ways to end one or all others. */
export function OwnSessions() {
  const { t } = useTranslation();
  const client = useClient();
  const list = useRef<HTMLUListElement>(null);
  const [asked, setAsked] = useState<AskedEnd>();
  const sessions = useInfiniteQuery({
    queryKey: QUERY_KEYS.ownSessions,
    queryFn: ({ pageParam, signal }) =>
      client.api.listOwnSessions({
        query: { size: PAGE_SIZE, ...(pageParam === '' ? {} : { page_token: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_page_token: token }) => token,
    staleTime: 0,
  });
  // The button that was pressed leaves with its session, so the focus goes to the list.
  const { start, failure } = useEndSessions(() => list.current?.focus());
  const shown = sessions.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section title={t('account.sessions')}>
      <Failure error={failure} />
      <Loaded query={sessions}>
        {() => (
          <ul ref={list} className="own-sessions" tabIndex={-1} aria-label={t('account.sessions')}>
            {inOrder(shown).map((session) => (
              <SessionEntry key={session.id} session={session} onEnd={() => setAsked(session)} />
            ))}
          </ul>
        )}
      </Loaded>
      {sessions.hasNextPage && (
        <Button isDisabled={sessions.isFetching} onPress={() => void sessions.fetchNextPage()}>
          {t('search.more')}
        </Button>
      )}
      {shown.some(({ current }) => !current) && (
        <Button kind="danger-quiet" onPress={() => setAsked('others')}>
          {t('account.session.end-others')}
        </Button>
      )}
      <EndDialog asked={asked} onConfirm={(end) => void start(end)} onClose={() => setAsked(undefined)} />
    </Section>
  );
}

/**
 * Returns the action that ends one session or all others.
 * @param onSettled - called after success and failure: the list is read again then
 */
function useEndSessions(onSettled: () => void) {
  const { t } = useTranslation();
  const client = useClient();
  const { user } = useCurrentUser();
  const nameOf = useDeviceName();
  const notice = useChangeNotice();
  return useAction(
    async (end: AskedEnd) => {
      if (end === 'others') {
        const { ended_count: count } = await client.api.endOtherSessions();
        return t('account.sessions.ended', { count });
      }
      await client.api.endOwnSession({ params: { id: end.id } });
      return t('account.session.ended', { device: nameOf(end) });
    },
    {
      invalidates: [QUERY_KEYS.ownSessions],
      onDone({ result }) {
        notice(result, { action: 'END_SESSION', target: user });
        onSettled();
      },
      onFailed: onSettled,
    },
  );
}

/** Returns a function that names the browser or program of a session. */
function useDeviceName(): (session: OwnSession) => string {
  const { t } = useTranslation();
  return ({ device: { name, system }, opened_by: openedBy }) => {
    const shown = name === null ? t(`account.session.${openedBy}`) : visibleText(name);
    return system === null ? shown : t('account.session.device', { name: shown, system });
  };
}

interface SessionEntryProps {
  readonly session: OwnSession;
  readonly onEnd: () => void;
}

function SessionEntry({ session, onEnd }: SessionEntryProps) {
  const { t, formatTime } = useTranslation();
  const { signOut } = useSession();
  const device = useDeviceName()(session);
  const { issuer, address, client, current } = session;
  const facts: readonly (readonly [name: string, value: string])[] = [
    [t('account.session.opened'), formatTime(session.created_ts)],
    [t('account.session.used'), formatTime(session.last_used_ts)],
    [t('admin.session.expires'), formatTime(session.expires_ts)],
    ...(client ? [[t('account.session.client'), visibleText(client)] as const] : []),
    ...(address === null ? [] : [[t('account.session.address'), visibleText(address)] as const]),
  ];
  return (
    <li className="own-session">
      <div className="own-session__content">
        <p className="own-session__device">
          <strong>{device}</strong> {current && <Badge tone="accent">{t('admin.session.current')}</Badge>}
        </p>
        <dl className="own-session__facts">
          <div>
            <dt>{t('admin.session.issuer')}</dt>
            <dd>{issuer === null ? t('admin.session.password') : <VisibleText text={issuer} />}</dd>
          </div>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {current ? (
        <Button size="s" onPress={signOut}>
          {t('action.sign-out')}
        </Button>
      ) : (
        <Button size="s" kind="danger-quiet" aria-label={t('account.session.end.of', { device })} onPress={onEnd}>
          {t('admin.session.end')}
        </Button>
      )}
    </li>
  );
}

interface EndDialogProps {
  /** Undefined: the dialog is closed. */
  readonly asked: AskedEnd | undefined;
  readonly onConfirm: (end: AskedEnd) => void;
  readonly onClose: () => void;
}

function EndDialog({ asked, onConfirm, onClose }: EndDialogProps) {
  const { t } = useTranslation();
  const nameOf = useDeviceName();
  const title = t(asked === 'others' ? 'account.session.end-others' : 'admin.session.end');
  return (
    <ConfirmDialog
      title={title}
      action={title}
      cancel={t('action.cancel')}
      isOpen={asked !== undefined}
      onConfirm={() => asked !== undefined && onConfirm(asked)}
      onClose={onClose}
    >
      {asked !== undefined && (
        <p>
          {asked === 'others'
            ? t('account.session.end-others.about')
            : t('account.session.end.about', { device: nameOf(asked) })}
        </p>
      )}
    </ConfirmDialog>
  );
}
