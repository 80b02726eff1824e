import { useTranslation } from '../i18n/translate.tsx';
import type { ShownOnce } from './shown-once-dialog.tsx';

/** Returns a function from the secret of a service account to the text that is shown once. */
export function useSecretText(): (clientId: string, secret: string) => ShownOnce {
  const { t } = useTranslation();
  return (client, secret) => ({
    about: t('admin.secret.once', { client }),
    text: secret,
    copyLabel: t('admin.secret.copy'),
  });
}
