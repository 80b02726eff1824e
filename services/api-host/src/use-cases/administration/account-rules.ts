import { ProblemError } from '@sluice/contract';
import type { Administration } from '@sluice/store/administration';
import type { Target } from '../../resources/target.ts';

/** Missing fields are kept. */
interface AccountChange {
  readonly roles?: readonly string[] | undefined;
  readonly disabled?: boolean | undefined;
}

export interface AccountChangeInput {
  readonly target: Target;
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
