import { auditOf, type Caller, type Permission, ProblemError } from '@sluice/contract';
import type { Administration, StoredRole } from '@sluice/store/administration';
import { found } from './account-rules.ts';

export interface RoleInput {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

export interface RoleTarget {
  readonly name: string;
  /** Undefined: whatever it is now. */
  readonly version: number | undefined;
}

const lookUp = async ({ roles }: Administration, { name, version }: RoleTarget): Promise<StoredRole> =>
  found(await roles.find(name), { what: 'role', version });

/** Throws `conflict` for a name that is taken. */
export async function createRole(administration: Administration, caller: Caller, wish: RoleInput): Promise<StoredRole> {
  const { name, permissions } = wish;
  const made = await administration.roles.insert({ name, permissions, by: caller.principal.name });
  if (made === undefined) throw new ProblemError('conflict', `There is a role ${name} already.`);
  await administration.record(
    auditOf(caller, { action: 'CREATE_ROLE', target: name, metadata: { before: null, after: permissions } }),
  );
  return made;
}

/** Throws `not_found` and `precondition_failed`. */
export async function updateRole(
  administration: Administration,
  caller: Caller,
  { version, ...wish }: RoleInput & RoleTarget,
): Promise<StoredRole> {
  const { name, permissions } = wish;
  const before = await lookUp(administration, { name, version });
  const isSame =
    permissions.length === before.permissions.length && permissions.every((each) => before.permissions.includes(each));
  if (!isSame) await administration.roles.update({ name, permissions, by: caller.principal.name });
  const metadata = { before: before.permissions, after: permissions };
  await administration.record(auditOf(caller, { action: 'UPDATE_ROLE', target: name, metadata }));
  return lookUp(administration, { name, version: undefined });
}

/** It goes from everybody who has it, so that a role that is one day made under the same name is nobody's. Throws as above. */
export async function removeRole(administration: Administration, caller: Caller, target: RoleTarget): Promise<void> {
  const before = await lookUp(administration, target);
  await administration.roles.remove(before.name, caller.principal.name);
  const { user_count: users, service_account_count: serviceAccounts } = before;
  const metadata = { before: before.permissions, after: null, users, service_accounts: serviceAccounts };
  await administration.record(auditOf(caller, { action: 'DELETE_ROLE', target: before.name, metadata }));
}
