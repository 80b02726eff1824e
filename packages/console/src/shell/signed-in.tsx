import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { hasJustTriedLogin } from '../session/session.ts';
import { useSession, useSessionState } from '../session/session-context.tsx';
import type { SessionState } from '../session/session-state.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { Notice } from './notice.tsx';

// Loaded long before a session ends: the host may be out of reach then.
const SessionEnded = onDemand(
  async () => (await import('./session-ended.tsx')).SessionEnded,
  ({ end }) => end !== undefined,
);

/** Time after which a page that the user returns to asks whether the session and the rights of the user have changed. */
const RECHECK_MS = 60_000;

/** Interval at which a visible page asks whether its session has ended elsewhere. With the request itself, it shows that within 5 s. */
const WATCH_MS = 4000;

/**
 * Reads the user at the start, and again when the user comes back to this tab after a while. While the tab is visible, notices soon that the
 * session has ended elsewhere.
 */
function useSessionCheck(): void {
  const session = useSession();
  useEffect(() => {
    let checkedAt = Date.now();
    void session.check();
    const watch = (): void => {
      if (document.visibilityState === 'visible') void session.watch();
    };
    const onReturn = (): void => {
      const isDue = document.visibilityState === 'visible' && Date.now() - checkedAt >= RECHECK_MS;
      if (!isDue) {
        watch();
        return;
      }
      checkedAt = Date.now();
      void session.check();
    };
    const timer = setInterval(watch, WATCH_MS);
    window.addEventListener('focus', watch);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', watch);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [session]);
}

/** Checks whether the user signed out in another tab: the rows of this one then leave the screen and the memory. */
const isSignedOut = (state: SessionState): boolean => state.status === 'ended' && state.end === 'signed-out';

/** Forgets the responses of the hosts at a sign-out. */
function useForgetAtSignOut(state: SessionState): void {
  const queries = useQueryClient();
  const isOut = isSignedOut(state);
  useEffect(() => {
    if (isOut) queries.clear();
  }, [isOut, queries]);
}

/** Shows its children once a user is signed in; before that it leads to the login. */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  useSessionCheck();
  const state = useSessionState();
  useForgetAtSignOut(state);
  const session = useSession();
  const { t } = useTranslation();
  switch (state.status) {
    case 'starting':
      return <Notice title={t('session.starting')} isBusy />;
    case 'signed-out':
      return <SignedOut />;
    case 'unreachable':
      return (
        <Notice title={t('error.connection_failed')}>
          <Failure error={state.error} onRetry={() => session.check()} />
        </Notice>
      );
    case 'ended':
    case 'active':
      return (
        <>
          {!isSignedOut(state) && children}
          <SessionEnded end={state.status === 'ended' ? state.end : undefined} />
        </>
      );
  }
}

/** Goes to the login, unless this tab has just come from there without a session. */
function SignedOut() {
  const session = useSession();
  const { t } = useTranslation();
  const isLoop = hasJustTriedLogin();
  useEffect(() => {
    if (!isLoop) session.signIn();
  }, [isLoop, session]);
  if (!isLoop) return <Notice title={t('session.starting')} isBusy />;
  return (
    <Notice title={t('session.signed-out.title', { tenant: session.addresses.tenant })}>
      <p>{t('session.signed-out.message')}</p>
      <Button kind="primary" onPress={session.signIn}>
        {t('action.sign-in')}
      </Button>
    </Notice>
  );
}
