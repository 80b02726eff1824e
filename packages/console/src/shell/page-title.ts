import { useEffect } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { useSession } from '../session/session-context.tsx';

/** Names the page in the title of the tab. */
export function usePageTitle(page: string): void {
  const { t } = useTranslation();
  const { tenant } = useSession().addresses;
  useEffect(() => {
    document.title = t('app.title', { page, tenant });
  }, [page, t, tenant]);
}
