import { isPermission, PERMISSIONS, type Permission } from '@sluice/contract/permissions';

/** Permissions that a role may have. */
export const PERMISSION_NAMES: readonly Permission[] = Object.keys(PERMISSIONS).filter(isPermission);

/** Permissions of roles by name. */
export type RolePermissions = ReadonlyMap<string, readonly string[]>;

/** An account with its roles. */
export interface RoleHolder {
  /** E-mail or client id. */
  readonly name: string;
  readonly roles: readonly string[];
}

/** Returns what an account with these roles may do. A role that does not exist grants nothing. */
export const permissionsOf = (names: readonly string[], roles: RolePermissions): ReadonlySet<string> =>
  new Set(names.flatMap((name) => roles.get(name) ?? []));

/** Checks whether two lists have the same names, in any order. */
export const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name) => other.includes(name));

/** Returns the permissions that an account with the first roles has, and one with the second does not, by name. */
export function lostByRoles(
  before: readonly string[],
  after: readonly string[],
  roles: RolePermissions,
): readonly string[] {
  const left = permissionsOf(after, roles);
  return [...permissionsOf(before, roles)].filter((permission) => !left.has(permission)).sort();
}

/**
 * Returns which of these accounts lose which permission when roles change: another role of theirs may still grant it.
 * @param after - the roles after the change; a deleted role is absent
 */
export function lostByRoleChange(
  holders: readonly RoleHolder[],
  before: RolePermissions,
  after: RolePermissions,
): ReadonlyMap<string, readonly string[]> {
  const affected = new Map<string, string[]>();
  for (const { name, roles } of holders) {
    const left = permissionsOf(roles, after);
    for (const permission of permissionsOf(roles, before))
      if (!left.has(permission)) {
        const names = affected.get(permission);
        if (names === undefined) affected.set(permission, [name]);
        else names.push(name);
      }
  }
  return new Map([...affected].sort(([a], [b]) => (a < b ? -1 : 1)));
}
