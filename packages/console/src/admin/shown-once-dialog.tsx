import { type ReactNode, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { CopiedText } from '../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';

/** A link or secret that the host does not show again, because it keeps a digest of it only. */
export interface ShownOnce {
  /** Sentence about the use of the text, which also says that it is not shown again. */
  readonly about: string;
  readonly text: string;
  readonly copyLabel: string;
}

interface ShownOnceDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Content of the dialog until it calls `show`. */
  readonly children: (show: (text: ShownOnce) => void) => ReactNode;
}

/**
 * Dialog whose action may return a secret that is shown once. While that is shown, only the button closes the dialog: a click beside it would
 * lose the text. A dialog that was closed before the response opens again.
 */
export function ShownOnceDialog({ title, isOpen, onClose, children }: ShownOnceDialogProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<ShownOnce>();
  if (shown === undefined)
    return (
      <Dialog title={title} isOpen={isOpen} onClose={onClose}>
        {isOpen && children(setShown)}
      </Dialog>
    );
  const close = () => {
    setShown(undefined);
    onClose();
  };
  return (
    <Dialog title={title} isOpen>
      <p>{shown.about}</p>
      <CopiedText text={shown.text} label={shown.copyLabel} />
      <DialogActions>
        <Button kind="primary" onPress={close}>
          {t('action.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface Invitation {
  readonly url: string;
  readonly expires_ts: number;
}

/** Returns a function from an invitation to the link that is shown once, with which the person sets a password. */
export function useInvitationText(): (email: string, invitation: Invitation) => ShownOnce {
  const { t, formatTime } = useTranslation();
  return (email, { url, expires_ts: expiresTs }) => ({
    about: t('admin.invite.once', { email, time: formatTime(expiresTs) }),
    text: url,
    copyLabel: t('admin.invite.copy'),
  });
}

/** Returns a function from the secret of a service account to the text that is shown once. */
export function useSecretText(): (clientId: string, secret: string) => ShownOnce {
  const { t } = useTranslation();
  return (client, secret) => ({
    about: t('admin.secret.once', { client }),
    text: secret,
    copyLabel: t('admin.secret.copy'),
  });
}
