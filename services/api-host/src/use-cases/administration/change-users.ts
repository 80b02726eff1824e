import type { Passwords } from '@sluice/auth';
import { type AuditAction, auditOf, type Caller, type Invitation, ProblemError } from '@sluice/contract';
import type { Administration, NewInvitation, StoredUser } from '@sluice/store/administration';
import { requireFound, type Target } from '../../resources/target.ts';
import { type AccountChangeInput, accountStatus, mergeAccount, requireRoles } from './account-rules.ts';
import { type AdministrationStep, inTransaction, type StepDependencies } from './account-transactions.ts';
import type { MakeInvitation } from './make-invitation.ts';

/** Hash of a password, or an invitation to set one. */
interface PasswordOrInvitation {
  readonly passwordHash: string | null;
  readonly invitation: Pick<NewInvitation, 'tokenHash' | 'expires'> | undefined;
}

interface NewUser extends PasswordOrInvitation {
  readonly email: string;
  readonly roles: readonly string[];
}

interface PasswordInput {
  /** Undefined invites the user to set a password. */
  readonly password: string | undefined;
  /** Address of the API host as the caller sees it, for the link of the invitation. */
  readonly baseUrl: string;
}

export interface UserInput extends PasswordInput {
  readonly email: string;
  readonly roles: readonly string[];
}

export interface ResetPasswordInput extends PasswordInput {
  readonly target: Target;
}

export interface UserWithInvitation {
  readonly user: StoredUser;
  /** Null if the user has a password. */
  readonly invitation: Invitation | null;
}

type CreateUser = (caller: Caller, input: UserInput) => Promise<UserWithInvitation>;
type UpdateUser = (caller: Caller, input: AccountChangeInput) => Promise<StoredUser>;
type ResetPassword = (caller: Caller, input: ResetPasswordInput) => Promise<UserWithInvitation>;
type RemoveUser = (caller: Caller, target: Target) => Promise<void>;

interface UserRecordInput {
  readonly action: AuditAction;
  readonly before: StoredUser | null;
  readonly after: StoredUser | null;
  readonly invited?: true;
}

const record = (caller: Caller, { action, before, after, ...more }: UserRecordInput) => {
  const user = after ?? before;
  const metadata = { user_id: user?.id, before: accountStatus(before), after: accountStatus(after), ...more };
  return auditOf(caller, { action, target: user?.email ?? '', metadata });
};

const lookUp = async ({ users }: Administration, { id, version }: Target): Promise<StoredUser> =>
  requireFound(await users.find(id), { what: 'user', version });

/** Throws `conflict` for an e-mail that is taken, and `invalid_request` for a role that does not exist. */
export const createUser: AdministrationStep<NewUser, StoredUser> = async (administration, caller, input) => {
  const { users, invitations } = administration;
  const by = caller.principal.name;
  await requireRoles(administration, input.roles);
  const { email, roles, passwordHash, invitation } = input;
  const created = await users.insert({ email, passwordHash, roles, by });
  if (created === undefined) throw new ProblemError('conflict', 'A user with this e-mail already exists.');
  if (invitation !== undefined) await invitations.insert({ ...invitation, userId: created.id, roles: [], by });
  const invited = invitation === undefined ? {} : ({ invited: true } as const);
  await administration.record(record(caller, { action: 'CREATE_USER', before: null, after: created, ...invited }));
  return lookUp(administration, { id: created.id, version: undefined });
};

/** Throws `not_found`, `precondition_failed`, and `invalid_request` for a role that does not exist. */
export const updateUser: AdministrationStep<AccountChangeInput, StoredUser> = async (
  administration,
  caller,
  { target, change },
) => {
  const before = await lookUp(administration, target);
  await requireRoles(administration, change.roles ?? []);
  const { after: to, isSame } = mergeAccount(before, change);
  if (!isSame) await administration.users.update(before.id, { ...to, by: caller.principal.name });
  const after = await lookUp(administration, { id: before.id, version: undefined });
  await administration.record(record(caller, { action: 'UPDATE_USER', before, after }));
  return after;
};

/** Replaces the password, and ends every session and earlier invitation. Throws `not_found` and `precondition_failed`. */
const resetPassword: AdministrationStep<PasswordOrInvitation & { readonly target: Target }, StoredUser> = async (
  administration,
  caller,
  { target, passwordHash, invitation },
) => {
  const { users, invitations } = administration;
  const { id, email } = await lookUp(administration, target);
  const by = caller.principal.name;
  await users.setPassword(id, { passwordHash, by });
  if (invitation === undefined) await invitations.removeOf(id);
  else await invitations.insert({ ...invitation, userId: id, roles: [], by });
  const metadata = { user_id: id, invited: invitation !== undefined };
  await administration.record(auditOf(caller, { action: 'RESET_PASSWORD', target: email, metadata }));
  return lookUp(administration, { id, version: undefined });
};

/** Throws `not_found` and `precondition_failed`. */
const removeUser: AdministrationStep<Target, void> = async (administration, caller, target) => {
  const before = await lookUp(administration, target);
  await administration.users.remove(before);
  await administration.record(record(caller, { action: 'DELETE_USER', before, after: null }));
};

interface PasswordDependencies extends StepDependencies {
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly makeInvitation: MakeInvitation;
}

/** Hashes the password or makes an invitation, before the transaction: hashing is slow, and the tenant is locked in it. */
async function prepareCredential(
  { passwords, makeInvitation }: PasswordDependencies,
  { principal }: Caller,
  { password, baseUrl }: PasswordInput,
): Promise<{ readonly shown: Invitation | null; readonly stored: PasswordOrInvitation }> {
  if (password !== undefined) {
    return { shown: null, stored: { passwordHash: await passwords.hash(password), invitation: undefined } };
  }
  const { shown, stored } = makeInvitation({ tenantName: principal.tenant.name, baseUrl });
  return { shown, stored: { passwordHash: null, invitation: stored } };
}

export const createCreateUser =
  (dependencies: PasswordDependencies): CreateUser =>
  async (caller, { email, roles, ...credential }) => {
    const { shown, stored } = await prepareCredential(dependencies, caller, credential);
    const user = await inTransaction(dependencies, createUser)(caller, { email, roles, ...stored });
    return { user, invitation: shown };
  };

export const createResetPassword =
  (dependencies: PasswordDependencies): ResetPassword =>
  async (caller, { target, ...credential }) => {
    const { shown, stored } = await prepareCredential(dependencies, caller, credential);
    const user = await inTransaction(dependencies, resetPassword)(caller, { target, ...stored });
    return { user, invitation: shown };
  };

export const createUpdateUser = (dependencies: StepDependencies): UpdateUser => inTransaction(dependencies, updateUser);
export const createRemoveUser = (dependencies: StepDependencies): RemoveUser => inTransaction(dependencies, removeUser);
