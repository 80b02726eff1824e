import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { useCurrentUser } from '../session/session-context.tsx';
import { Notice } from '../shell/notice.tsx';
import { usePageTitle } from '../ui/page.tsx';

interface HomeProps {
  /** Path of the first page that the user may use. Undefined: there is none. */
  readonly home: string | undefined;
}

function HomeLink({ home }: HomeProps) {
  const { t } = useTranslation();
  return home === undefined ? null : <Link to={home}>{t('not-found.home')}</Link>;
}

/** Page for an address that no page has. */
export function NotFoundPage({ home }: HomeProps) {
  const { t } = useTranslation();
  usePageTitle(t('not-found.title'));
  return (
    <Notice title={t('not-found.title')}>
      <p>{t('not-found.message')}</p>
      <HomeLink home={home} />
    </Notice>
  );
}

/** Page for an address that the user may not use. */
export function NotAllowedPage({ permission, home }: HomeProps & { readonly permission: string }) {
  const { t } = useTranslation();
  usePageTitle(t('not-allowed.title'));
  return (
    <Notice title={t('not-allowed.title')}>
      <p>{t('not-allowed.message', { permission })}</p>
      <HomeLink home={home} />
    </Notice>
  );
}

/** Page for a user without permissions: says what the account is, because it may be the wrong one of two. */
export function NoPermissionsPage() {
  const { t } = useTranslation();
  const { user, tenant } = useCurrentUser();
  usePageTitle(t('no-permissions.title'));
  return (
    <Notice title={t('no-permissions.title')}>
      <p>{t('no-permissions.message', { user, tenant })}</p>
      <Link to="/marketplace">{t('no-permissions.marketplace')}</Link>
    </Notice>
  );
}
