import { type AuditAction, auditOf, type Caller, ProblemError } from '@sluice/contract';
import type { Administration, NewInvitation, StoredUser } from '@sluice/store/administration';
import { type AccountChange, found, merged, requireRoles, statusOf, type Target } from './account-rules.ts';

/** One of the two: who has no password is invited to set one. */
export interface PasswordOrInvitation {
  readonly passwordHash: string | null;
  readonly invitation: Pick<NewInvitation, 'tokenHash' | 'expires'> | undefined;
}

export interface UserInput extends PasswordOrInvitation {
  readonly email: string;
  readonly roles: readonly string[];
}

interface UserRecordOptions {
  readonly action: AuditAction;
  readonly before: StoredUser | null;
  readonly after: StoredUser | null;
  readonly invited?: true;
}

const record = (caller: Caller, { action, before, after, ...more }: UserRecordOptions) => {
  const user = after ?? before;
  const metadata = { user_id: user?.id, before: statusOf(before), after: statusOf(after), ...more };
  return auditOf(caller, { action, target: user?.email ?? '', metadata });
};

const lookUp = async ({ users }: Administration, { id, version }: Target): Promise<StoredUser> =>
  found(await users.find(id), { what: 'user', version });

/** Throws `conflict` for an e-mail that is taken, `invalid_request` for a role that is not there. */
export async function createUser(administration: Administration, caller: Caller, wish: UserInput): Promise<StoredUser> {
  const { users, invitations } = administration;
  const by = caller.principal.name;
  await requireRoles(administration, wish.roles);
  const { email, roles, passwordHash, invitation } = wish;
  const made = await users.insert({ email, passwordHash, roles, by });
  if (made === undefined) throw new ProblemError('conflict', 'There is a user with this e-mail already.');
  if (invitation !== undefined) await invitations.insert({ ...invitation, userId: made.id, roles: [], by });
  const invited = invitation === undefined ? {} : ({ invited: true } as const);
  await administration.record(record(caller, { action: 'CREATE_USER', before: null, after: made, ...invited }));
  return lookUp(administration, { id: made.id, version: undefined });
}

/** Throws `not_found`, `precondition_failed` and, for a role that is not there, `invalid_request`. */
export async function updateUser(
  administration: Administration,
  caller: Caller,
  { target, change }: { readonly target: Target; readonly change: AccountChange },
): Promise<StoredUser> {
  const before = await lookUp(administration, target);
  await requireRoles(administration, change.roles ?? []);
  const { after: to, isSame } = merged(before, change);
  if (!isSame) await administration.users.update(before.id, { ...to, by: caller.principal.name });
  const after = await lookUp(administration, { id: before.id, version: undefined });
  await administration.record(record(caller, { action: 'UPDATE_USER', before, after }));
  return after;
}

/** The old password and every session are no longer good, and neither is an earlier invitation. Throws as above. */
export async function resetPassword(
  administration: Administration,
  caller: Caller,
  { target, passwordHash, invitation }: PasswordOrInvitation & { readonly target: Target },
): Promise<StoredUser> {
  const { users, invitations } = administration;
  const { id, email } = await lookUp(administration, target);
  const by = caller.principal.name;
  await users.setPassword(id, { passwordHash, by });
  if (invitation === undefined) await invitations.removeOf(id);
  else await invitations.insert({ ...invitation, userId: id, roles: [], by });
  const metadata = { user_id: id, invited: invitation !== undefined };
  await administration.record(auditOf(caller, { action: 'RESET_PASSWORD', target: email, metadata }));
  return lookUp(administration, { id, version: undefined });
}

export async function removeUser(administration: Administration, caller: Caller, target: Target): Promise<void> {
  const before = await lookUp(administration, target);
  await administration.users.remove(before);
  await administration.record(record(caller, { action: 'DELETE_USER', before, after: null }));
}
