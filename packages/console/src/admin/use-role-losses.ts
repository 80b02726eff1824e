import { useTranslation } from '../i18n/translate.tsx';
import { lostByRoleChange, type RoleHolder, type RolePermissions } from './permissions.ts';
import { useAccountNames } from './use-account-names.ts';
import { type AdminRole, rolePermissions } from './use-admin.ts';

interface RoleChange {
  /** Accounts with the changed roles. Null: there are too many to name. */
  readonly holders: readonly RoleHolder[] | null;
  readonly roles: readonly AdminRole[];
  /** Permissions of the changed roles after the change; undefined: the role is deleted. */
  readonly changed: ReadonlyMap<string, readonly string[] | undefined>;
}

/** Returns a function that describes what accounts lose when roles change, one sentence for each permission. */
export function useRoleLosses(): (change: RoleChange) => readonly string[] {
  const { t } = useTranslation();
  const namesOf = useAccountNames();
  const textOf = (permission: string, affected: readonly string[]): string =>
    t('admin.impact.named', { count: affected.length, names: namesOf(affected), permission });
  return ({ holders, roles, changed }) => {
    if (holders === null) return atMost(roles, changed).map((most) => t('admin.impact.at-most', most));
    const after: RolePermissions = new Map(
      [...rolePermissions(roles), ...changed].flatMap(([name, permissions]) =>
        permissions === undefined || (changed.has(name) && changed.get(name) === undefined)
          ? []
          : [[name, permissions] as const],
      ),
    );
    const lost = lostByRoleChange(holders, rolePermissions(roles), after);
    return [...lost].map(([permission, affected]) => textOf(permission, affected));
  };
}

function atMost(
  roles: readonly AdminRole[],
  changed: RoleChange['changed'],
): { readonly count: number; readonly permission: string }[] {
  return roles.flatMap(({ name, permissions, user_count: users, service_account_count: services }) => {
    if (!changed.has(name)) return [];
    const left = changed.get(name) ?? [];
    const lost = permissions.filter((permission) => !left.includes(permission));
    return lost.map((permission) => ({ count: users + services, permission }));
  });
}
