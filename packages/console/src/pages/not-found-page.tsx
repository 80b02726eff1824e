import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { Notice } from '../shell/notice.tsx';
import { usePageTitle } from '../ui/page.tsx';

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

/** Page for an address that the user may not use. */
export function NotAllowedPage({ permission }: { readonly permission: string }) {
  const { t } = useTranslation();
  usePageTitle(t('not-allowed.title'));
  return (
    <Notice title={t('not-allowed.title')}>
      <p>{t('not-allowed.message', { permission })}</p>
    </Notice>
  );
}
