/** Permissions of roles by name. */
export type RolePermissions = ReadonlyMap<string, readonly string[]>;

/** An account with its roles. */
export interface RoleHolder {
  readonly roles: readonly string[];
}

/** Returns what an account with these roles may do. A role that does not exist grants nothing. */
export const permissionsOf = (names: readonly string[], roles: RolePermissions): ReadonlySet<string> =>
  new Set(names.flatMap((name) => roles.get(name) ?? []));

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
 * Returns how many of these accounts lose which permission when a role changes: another role of theirs may still grant it.
 * @param after - the roles after the change; a deleted role is absent
 */
export function lostByRoleChange(
  holders: readonly RoleHolder[],
  before: RolePermissions,
  after: RolePermissions,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { roles } of holders) {
    const left = permissionsOf(roles, after);
    for (const permission of permissionsOf(roles, before))
      if (!left.has(permission)) counts.set(permission, (counts.get(permission) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
