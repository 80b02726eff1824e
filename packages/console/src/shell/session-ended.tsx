import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { hrefOf } from '../router/router.ts';
import { loginAddress } from '../session/session.ts';
import { useSession } from '../session/session-context.tsx';
import type { SessionEnd } from '../session/session-state.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { SIGNED_IN_PATH } from './signed-in-path.ts';

/**
 * Says that the session is over. The login opens in another tab, which tells this one when it is done, so that statements and rows of
 * a page whose session has expired stay. If the browser blocks that tab, the user decides whether the login replaces this page.
 */
export function SessionEnded({ end }: { readonly end: SessionEnd | undefined }) {
  const { t } = useTranslation();
  const session = useSession();
  const [isBlocked, setBlocked] = useState(false);
  const signInBeside = (): void => {
    const opened = window.open(loginAddress(session.addresses.tenant, hrefOf(SIGNED_IN_PATH)), '_blank');
    setBlocked(opened === null);
  };
  const isExpired = end === 'expired';
  return (
    <Dialog
      role="alertdialog"
      isOpen={end !== undefined}
      title={t(isExpired ? 'error.unauthorized' : 'session.ended-elsewhere.title')}
    >
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
