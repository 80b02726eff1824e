import { type Caller, ProblemError } from '@sluice/contract';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';

/** Missing fields are kept. */
export interface AccountChange {
  readonly roles?: readonly string[] | undefined;
  readonly disabled?: boolean | undefined;
}

interface Changeable {
  readonly roles: readonly string[];
  readonly disabled: boolean;
}

type Work<T> = (tx: TenantTransaction) => Promise<T>;

/** Serializes a transaction with all others that lock the tenant. Throws `not_found` when the tenant does not exist. */
export async function lockTenant({ tenant }: Pick<TenantTransaction, 'tenant'>): Promise<void> {
  if ((await tenant.lock()) === undefined) throw new ProblemError('not_found', 'There is no such tenant.');
}

/**
 * Returns work that runs after other changes of accounts, so that two concurrent changes cannot each remove one of the last two admins.
 * Throws `not_found` when the tenant does not exist, and `conflict` for a change after which only the operator could restore an admin.
 */
const keepingAnAdmin =
  <T>(work: Work<T>): Work<T> =>
  async (tx) => {
    await lockTenant(tx);
    const result = await work(tx);
    if (await tx.users.hasAdmin()) return result;
    throw new ProblemError(
      'conflict',
      'This would leave the tenant without an admin who can log in. Give another user a role with the permission admin first.',
    );
  };

/** Runs a change of accounts or of their rights. Throws `conflict`, and changes nothing, if no admin would be left. */
export const changeAccounts = <T>(database: ResourceDatabase, caller: Caller, work: Work<T>): Promise<T> =>
  database.change(caller, keepingAnAdmin(work));

/** Runs the same transaction as `changeAccounts`, rolls it back, and returns its result. */
export const tryAccountChanges = <T>(database: ResourceDatabase, caller: Caller, work: Work<T>): Promise<T> =>
  database.dryRun(caller, keepingAnAdmin(work));

/** Throws `invalid_request` with each role that does not exist in the tenant. */
export async function requireRoles(
  { roles }: Pick<TenantTransaction, 'roles'>,
  names: readonly string[],
): Promise<void> {
  const unknown = await roles.unknown(names);
  if (unknown.length === 0) return;
  throw new ProblemError('invalid_request', `There is no role ${unknown.join(', ')}. Create it first.`, {
    details: unknown.map((name) => ({ path: `body.roles[${names.indexOf(name)}]`, message: 'there is no such role' })),
  });
}

/** Returns the roles and the state of an account after a change, and whether they are the same as before. */
export function mergeAccount(before: Changeable, { roles, disabled }: AccountChange) {
  const after = { roles: roles ?? before.roles, disabled: disabled ?? before.disabled };
  const isSame =
    after.disabled === before.disabled &&
    after.roles.length === before.roles.length &&
    after.roles.every((role) => before.roles.includes(role));
  return { after, isSame };
}

/** Returns the part of an account that its audit records contain. */
export const accountStatus = <T extends Changeable>(account: T | null) =>
  account === null ? null : { roles: account.roles, disabled: account.disabled };
