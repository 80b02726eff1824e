import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { lostByRoleChange, type RoleHolder, type RolePermissions } from './permissions.ts';
import { type AdminRole, rolePermissions } from './use-admin.ts';

/** Accounts that are named. The others are counted. */
const NAMED_MAX = 3;

interface RoleChange {
  /** Accounts with the changed roles. Null: there are too many to name. */
  readonly holders: readonly RoleHolder[] | null;
  readonly roles: readonly AdminRole[];
  /** Permissions of the changed roles after the change; undefined: the role is deleted. */
  readonly changed: ReadonlyMap<string, readonly string[] | undefined>;
}

/** Returns a function that describes what accounts lose when roles change, one sentence for each permission. */
export function useRoleLosses(): (change: RoleChange) => readonly string[] {
  const { t, language } = useTranslation();
  const list = new Intl.ListFormat(language);
  const textOf = (permission: string, affected: readonly string[]): string => {
    const named = affected.slice(0, affected.length > NAMED_MAX + 1 ? NAMED_MAX : affected.length).map(visibleText);
    const more = affected.length - named.length;
    const names = list.format(more === 0 ? named : [...named, t('admin.impact.more', { count: more })]);
    return t('admin.impact.named', { count: affected.length, names, permission });
  };
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
