import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { hrefOf } from '../router/router.ts';
import { hasJustTriedLogin, loginAddress } from '../session/session.ts';
import { useSession, useSessionState } from '../session/session-context.tsx';
import type { SessionEnd, SessionState } from '../session/session-state.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Notice } from './notice.tsx';

/** Time after which a page that the user returns to asks whether the session and the rights of the user have changed. */
const RECHECK_MS = 60_000;

/** Reads the user at the start, and again when the user comes back to this tab after a while. */
function useSessionCheck(): void {
  const session = useSession();
  useEffect(() => {
    let checkedAt = Date.now();
    void session.check();
    const onReturn = (): void => {
      if (document.visibilityState !== 'visible' || Date.now() - checkedAt < RECHECK_MS) return;
      checkedAt = Date.now();
      void session.check();
    };
    document.addEventListener('visibilitychange', onReturn);
    return () => document.removeEventListener('visibilitychange', onReturn);
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
          {state.status === 'ended' && <SessionEnded end={state.end} />}
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

/** Path of the page that a login in another tab ends on. */
export const SIGNED_IN_PATH = '/signed-in';

/**
 * Says that the session is over. The login opens in another tab, which tells this one when it is done, so that statements and rows of
 * a page whose session has expired stay. If the browser blocks that tab, the user decides whether the login replaces this page.
 */
function SessionEnded({ end }: { readonly end: SessionEnd }) {
  const { t } = useTranslation();
  const session = useSession();
  const [isBlocked, setBlocked] = useState(false);
  const signInBeside = (): void => {
    const opened = window.open(loginAddress(session.addresses.tenant, hrefOf(SIGNED_IN_PATH)), '_blank');
    setBlocked(opened === null);
  };
  const isExpired = end === 'expired';
  return (
    <Dialog role="alertdialog" isOpen title={t(isExpired ? 'error.unauthorized' : 'session.ended-elsewhere.title')}>
      <p>{t(isExpired ? 'session.expired.message' : 'session.ended-elsewhere.message')}</p>
      {isBlocked && <p role="alert">{t('session.blocked')}</p>}
      <DialogActions>
        {isBlocked && (
          <Button kind="danger" onPress={session.signIn}>
            {t('session.sign-in-here')}
          </Button>
        )}
        <Button kind="primary" autoFocus onPress={signInBeside}>
          {t('action.sign-in-again')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
