import { ProblemError } from '@sluice/contract';
import type { Administration } from '@sluice/store/administration';

export interface AccountTarget {
  readonly id: string;
  /** Version that the caller has read; undefined accepts any version. */
  readonly version: number | undefined;
}

/** Missing fields are kept. */
interface AccountChange {
  readonly roles?: readonly string[] | undefined;
  readonly disabled?: boolean | undefined;
}

export interface AccountChangeInput {
  readonly target: AccountTarget;
  readonly change: AccountChange;
}

interface Changeable {
  readonly roles: readonly string[];
  readonly disabled: boolean;
}

/** Throws `invalid_request` with each role that does not exist in the tenant. */
export async function requireRoles({ roles }: Pick<Administration, 'roles'>, names: readonly string[]): Promise<void> {
  const unknown = await roles.unknown(names);
  if (unknown.length === 0) return;
  throw new ProblemError('invalid_request', `There is no role ${unknown.join(', ')}. Create it first.`, {
    details: unknown.map((name) => ({ path: `body.roles[${names.indexOf(name)}]`, message: 'there is no such role' })),
  });
}

/** Returns a row that exists, in the version that the caller has read. Throws `not_found` and `precondition_failed`. */
export function requireFound<T extends { readonly version: number }>(
  row: T | undefined,
  { what, version }: { readonly what: string; readonly version?: number | undefined },
): T {
  if (row === undefined) throw new ProblemError('not_found', `There is no such ${what}.`);
  if (version !== undefined && version !== row.version) {
    throw new ProblemError('precondition_failed', `The ${what} was changed meanwhile. Read it again.`);
  }
  return row;
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
