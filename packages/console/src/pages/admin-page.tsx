import { ApplyFile } from '../admin/apply-file.tsx';
import { AuditSettingsForm } from '../admin/audit-settings-form.tsx';
import { GrantsList } from '../admin/grants-list.tsx';
import { IdentityProviderForm } from '../admin/identity-provider-form.tsx';
import { LimitsForm } from '../admin/limits-form.tsx';
import { ProgramsList } from '../admin/programs-list.tsx';
import { RolesList } from '../admin/roles-list.tsx';
import { RunningQueries } from '../admin/running-queries.tsx';
import { ServiceAccountsList } from '../admin/service-accounts-list.tsx';
import { SessionsView } from '../admin/sessions-view.tsx';
import { UsersList } from '../admin/users-list.tsx';
import { useTranslation } from '../i18n/translate.tsx';
import { navigate, useQueryString } from '../router/router.ts';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';

const VIEWS = {
  users: UsersList,
  roles: RolesList,
  'service-accounts': ServiceAccountsList,
  programs: ProgramsList,
  grants: GrantsList,
  sessions: SessionsView,
  queries: RunningQueries,
  limits: LimitsForm,
  provider: IdentityProviderForm,
  audit: AuditSettingsForm,
  apply: ApplyFile,
} as const;
type View = keyof typeof VIEWS;

const isView = (text: string | null): text is View => text !== null && Object.hasOwn(VIEWS, text);

/** Page on which administrators manage users, roles, service accounts, programs, grants, sessions and when they end, running queries, limits, the identity provider and audit settings, and apply a file. */
export function AdminPage() {
  const { t } = useTranslation();
  const chosen = new URLSearchParams(useQueryString()).get('view');
  return (
    <Page title={t('page.admin')}>
      <Tabs
        label={t('page.admin')}
        selected={isView(chosen) ? chosen : 'users'}
        onSelect={(view) => navigate(`/admin?view=${view}`)}
        items={(Object.keys(VIEWS) as View[]).map((id) => {
          const Content = VIEWS[id];
          return { id, title: t(`admin.${id}`), content: <Content /> };
        })}
      />
    </Page>
  );
}
