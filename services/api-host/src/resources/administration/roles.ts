import { apiOperations, callerOf, type Permission, ProblemError, type RoleRecord } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import type { StoredRole } from '@sluice/store/administration';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { requireFound } from '../target.ts';
import { changeAccounts } from './accounts.ts';

interface RoleInput {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

interface RoleTarget {
  readonly name: string;
  /** Version that the caller has read; undefined accepts any version. */
  readonly version: number | undefined;
}

const lookUp = async ({ roles }: TenantTransaction, { name, version }: RoleTarget): Promise<StoredRole> =>
  requireFound(await roles.find(name), { what: 'role', version });

/** Creates a role. Throws `conflict` for a name that is taken. */
export async function createRole(tx: TenantTransaction, { name, permissions }: RoleInput): Promise<StoredRole> {
  const created = await tx.roles.insert({ name, permissions, by: tx.by });
  if (created === undefined) throw new ProblemError('conflict', `A role ${name} already exists.`);
  await tx.record('CREATE_ROLE', name, { before: null, after: permissions });
  return created;
}

/** Replaces the permissions of a role. The same ones are recorded, and keep the version. Throws `not_found` and `precondition_failed`. */
export async function updateRole(
  tx: TenantTransaction,
  { name, permissions, version }: RoleInput & RoleTarget,
): Promise<StoredRole> {
  const before = await lookUp(tx, { name, version });
  const isSame =
    permissions.length === before.permissions.length && permissions.every((each) => before.permissions.includes(each));
  if (!isSame) await tx.roles.update({ name, permissions, by: tx.by });
  await tx.record('UPDATE_ROLE', name, { before: before.permissions, after: permissions });
  return lookUp(tx, { name, version: undefined });
}

/**
 * Removes a role, also from every account that has it: no account must get a role that is created later under the same name. Throws
 * `not_found` and `precondition_failed`.
 */
async function removeRole(tx: TenantTransaction, target: RoleTarget): Promise<void> {
  const { name, permissions, user_count: users, service_account_count } = await lookUp(tx, target);
  await tx.roles.remove(name, tx.by);
  const counts = { users, service_accounts: service_account_count };
  await tx.record('DELETE_ROLE', name, { before: permissions, after: null, ...counts });
}

const presentRole = ({ version: _version, ...role }: StoredRole): RoleRecord => role;
const etag = ({ version }: StoredRole) => ({ etag: entityTag(version) });

/** Everything below /admin/roles */
export const roleRoutes = ({ database }: { readonly database: ResourceDatabase }): Route[] => [
  route(apiOperations.listRoles, async (request) => {
    const roles = await database.read(callerOf(request), async (tx) => {
      const found = await tx.roles.list();
      await tx.record('READ_ROLES', 'roles');
      return found;
    });
    return json(200, { data: roles.map(presentRole) });
  }),
  route(apiOperations.createRole, async (request) => {
    const role = await changeAccounts(database, callerOf(request), (tx) => createRole(tx, request.body));
    return json(201, presentRole(role), { ...etag(role), location: `/admin/roles/${role.name}` });
  }),
  route(apiOperations.getRole, async (request) => {
    const { name } = request.params;
    const role = await database.read(callerOf(request), async (tx) => {
      const found = await lookUp(tx, { name, version: undefined });
      await tx.record('READ_ROLES', name);
      return found;
    });
    return json(200, presentRole(role), etag(role));
  }),
  route(apiOperations.updateRole, async (request) => {
    const input = { ...request.params, ...request.body, version: matchedVersion(request.headers) };
    const role = await changeAccounts(database, callerOf(request), (tx) => updateRole(tx, input));
    return json(200, presentRole(role), etag(role));
  }),
  route(apiOperations.deleteRole, async (request) => {
    const target = { name: request.params.name, version: matchedVersion(request.headers) };
    await changeAccounts(database, callerOf(request), (tx) => removeRole(tx, target));
    return noContent();
  }),
];
