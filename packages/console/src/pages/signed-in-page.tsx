import { useEffect } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Notice } from '../shell/notice.tsx';
import { usePageTitle } from '../ui/page.tsx';

/** End of a login that another tab of the console started. That tab has been told already; this one closes itself if it may. */
export function SignedInPage() {
  const { t } = useTranslation();
  usePageTitle(t('session.signed-in.title'));
  useEffect(() => window.close(), []);
  return (
    <Notice title={t('session.signed-in.title')}>
      <p>{t('session.signed-in.message')}</p>
    </Notice>
  );
}
