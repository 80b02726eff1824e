import { ProblemError } from '@sluice/contract';
import type { Administration } from '@sluice/store/administration';

/** What of an account a caller wants changed, and the version that the caller has read. */
export interface Target {
  readonly id: string;
  /** Undefined: whatever it is now. */
  readonly version: number | undefined;
}

/** What is not named stays. */
export interface AccountChange {
  readonly roles?: readonly string[] | undefined;
  readonly disabled?: boolean | undefined;
}

interface Changeable {
  readonly roles: readonly string[];
  readonly disabled: boolean;
}

/** Throws `invalid_request` with each name that no role of the tenant has. */
export async function requireRoles({ roles }: Pick<Administration, 'roles'>, names: readonly string[]): Promise<void> {
  const unknown = await roles.unknown(names);
  if (unknown.length === 0) return;
  throw new ProblemError('invalid_request', `There is no role ${unknown.join(', ')}. Make it first.`, {
    details: unknown.map((name) => ({ path: `body.roles[${names.indexOf(name)}]`, message: 'there is no such role' })),
  });
}

/** What was found, where it is there and as the caller has read it. Throws `not_found` and `precondition_failed`. */
export function found<T extends { readonly version: number }>(
  thing: T | undefined,
  { what, version }: { readonly what: string; readonly version?: number | undefined },
): T {
  if (thing === undefined) throw new ProblemError('not_found', `There is no such ${what}.`);
  if (version !== undefined && version !== thing.version) {
    throw new ProblemError('precondition_failed', `The ${what} was changed meanwhile. Read it again.`);
  }
  return thing;
}

/** Roles and state after a change, and whether anything differs. */
export function merged(before: Changeable, { roles, disabled }: AccountChange) {
  const after = { roles: roles ?? before.roles, disabled: disabled ?? before.disabled };
  const isSame =
    after.disabled === before.disabled &&
    after.roles.length === before.roles.length &&
    after.roles.every((role) => before.roles.includes(role));
  return { after, isSame };
}

/** What of an account stands in its audit records. */
export const statusOf = <T extends Changeable>(account: T | null) =>
  account === null ? null : { roles: account.roles, disabled: account.disabled };
