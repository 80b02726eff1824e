import { auditOf, type Caller, type Permission, ProblemError } from '@sluice/contract';
import type { Administration, StoredRole } from '@sluice/store/administration';
import { requireFound } from '../../resources/target.ts';
import { type AdministrationStep, inTransaction, type StepDependencies } from './account-transactions.ts';

export interface RoleInput {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

export interface RoleTarget {
  readonly name: string;
  /** Version that the caller has read; undefined accepts any version. */
  readonly version: number | undefined;
}

type CreateRole = (caller: Caller, input: RoleInput) => Promise<StoredRole>;
type UpdateRole = (caller: Caller, input: RoleInput & RoleTarget) => Promise<StoredRole>;
type RemoveRole = (caller: Caller, target: RoleTarget) => Promise<void>;

const lookUp = async ({ roles }: Administration, { name, version }: RoleTarget): Promise<StoredRole> =>
  requireFound(await roles.find(name), { what: 'role', version });

/** Throws `conflict` for a name that is taken. */
export const createRole: AdministrationStep<RoleInput, StoredRole> = async (administration, caller, input) => {
  const { name, permissions } = input;
  const created = await administration.roles.insert({ name, permissions, by: caller.principal.name });
  if (created === undefined) throw new ProblemError('conflict', `A role ${name} already exists.`);
  await administration.record(
    auditOf(caller, { action: 'CREATE_ROLE', target: name, metadata: { before: null, after: permissions } }),
  );
  return created;
};

/** Throws `not_found` and `precondition_failed`. */
export const updateRole: AdministrationStep<RoleInput & RoleTarget, StoredRole> = async (
  administration,
  caller,
  { name, permissions, version },
) => {
  const before = await lookUp(administration, { name, version });
  const isSame =
    permissions.length === before.permissions.length && permissions.every((each) => before.permissions.includes(each));
  if (!isSame) await administration.roles.update({ name, permissions, by: caller.principal.name });
  const metadata = { before: before.permissions, after: permissions };
  await administration.record(auditOf(caller, { action: 'UPDATE_ROLE', target: name, metadata }));
  return lookUp(administration, { name, version: undefined });
};

/**
 * Removes a role, also from every account that has it: no account must get a role that is created later under the same name. Throws
 * `not_found` and `precondition_failed`.
 */
const removeRole: AdministrationStep<RoleTarget, void> = async (administration, caller, target) => {
  const before = await lookUp(administration, target);
  await administration.roles.remove(before.name, caller.principal.name);
  const { user_count: users, service_account_count: serviceAccounts } = before;
  const metadata = { before: before.permissions, after: null, users, service_accounts: serviceAccounts };
  await administration.record(auditOf(caller, { action: 'DELETE_ROLE', target: before.name, metadata }));
};

export const createCreateRole = (dependencies: StepDependencies): CreateRole => inTransaction(dependencies, createRole);
export const createUpdateRole = (dependencies: StepDependencies): UpdateRole => inTransaction(dependencies, updateRole);
export const createRemoveRole = (dependencies: StepDependencies): RemoveRole => inTransaction(dependencies, removeRole);
