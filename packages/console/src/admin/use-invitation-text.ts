import { useTranslation } from '../i18n/translate.tsx';
import type { ShownOnce } from './shown-once-dialog.tsx';

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
