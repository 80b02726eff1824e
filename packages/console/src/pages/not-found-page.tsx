import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { Notice } from '../shell/notice.tsx';
import { usePageTitle } from '../shell/page-title.ts';

/** Page for an address that no page has. */
export function NotFoundPage() {
  const { t } = useTranslation();
  usePageTitle(t('not-found.title'));
  return (
    <Notice title={t('not-found.title')}>
      <p>{t('not-found.message')}</p>
      <Link to="/">{t('not-found.home')}</Link>
    </Notice>
  );
}
