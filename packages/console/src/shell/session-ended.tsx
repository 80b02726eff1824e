import { useTranslation } from '../i18n/translate.tsx';
import { hrefOf } from '../router/router.ts';
import { loginAddress } from '../session/login-address.ts';
import { useSession } from '../session/session-context.tsx';
import type { SessionEnd } from '../session/session-state.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';

/** Path of the page that a login in another tab ends on. */
export const SIGNED_IN_PATH = '/signed-in';

/**
 * Says that the session is over. The login opens in another tab, which tells this one when it is done, so that statements and rows of
 * a page whose session has expired stay. Without that tab, the login replaces this page.
 */
export function SessionEnded({ end }: { readonly end: SessionEnd }) {
  const { t } = useTranslation();
  const session = useSession();
  const signInBeside = (): void => {
    const opened = window.open(loginAddress(session.addresses.tenant, hrefOf(SIGNED_IN_PATH)), '_blank');
    if (opened === null) session.signIn();
  };
  const isExpired = end === 'expired';
  return (
    <Dialog role="alertdialog" isOpen title={t(isExpired ? 'error.unauthorized' : 'session.ended-elsewhere.title')}>
      <p>{t(isExpired ? 'session.expired.message' : 'session.ended-elsewhere.message')}</p>
      <DialogActions>
        <Button kind="primary" autoFocus onPress={signInBeside}>
          {t('action.sign-in-again')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
