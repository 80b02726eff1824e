import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Impact } from '../ui/impact.tsx';
import { lostByRoleChange } from './lost-permissions.ts';
import { type AdminRole, readHolders, rolePermissions } from './use-admin.ts';

interface RoleImpactProps {
  readonly name: string;
  /** Permissions after the change; undefined: the role is deleted. */
  readonly after: readonly string[] | undefined;
  readonly roles: readonly AdminRole[];
}

/** How many accounts lose which permission when a role changes. */
export function RoleImpact({ name, after, roles }: RoleImpactProps) {
  const { t } = useTranslation();
  const client = useClient();
  const holders = useQuery({
    queryKey: ['admin-holders', name],
    queryFn: async ({ signal }) => (await readHolders(client, name, signal)) ?? null,
    staleTime: 0,
  });
  const before = rolePermissions(roles);
  if (holders.data === undefined) return null;
  if (holders.data === null) {
    const role = roles.find((each) => each.name === name);
    const lost = (role?.permissions ?? []).filter((permission) => after?.includes(permission) !== true);
    const count = (role?.user_count ?? 0) + (role?.service_account_count ?? 0);
    return <Impact losses={lost.map((permission) => t('admin.impact.at-most', { count, permission }))} />;
  }
  const next = new Map(before);
  if (after === undefined) next.delete(name);
  else next.set(name, after);
  const lost = lostByRoleChange(holders.data, before, next);
  return <Impact losses={[...lost].map(([permission, count]) => t('admin.impact.accounts', { count, permission }))} />;
}
