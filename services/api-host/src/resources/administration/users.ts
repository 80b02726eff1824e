import type { Passwords } from '@sluice/auth';
import {
  type AuditAction,
  apiOperations,
  type Caller,
  callerOf,
  type Invitation,
  ProblemError,
  type UserRecord,
} from '@sluice/contract';
import { entityTag, json, noContent, type Route, route } from '@sluice/http';
import type { StoredUser } from '@sluice/store/administration';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { requireFound, type Target, targetOf } from '../target.ts';
import { type AccountChange, accountStatus, changeAccounts, mergeAccount, requireRoles } from './accounts.ts';
import type { MakeInvitation, NewInvitation } from './make-invitation.ts';

const SIZE_DEFAULT = 100;

/** Hash of a password, or an invitation to set one. */
interface Credential {
  readonly passwordHash: string | null;
  readonly invitation: NewInvitation['stored'] | undefined;
}

interface NewUser extends Credential {
  readonly email: string;
  readonly roles: readonly string[];
}

const lookUp = async ({ users }: TenantTransaction, { id, version }: Target): Promise<StoredUser> =>
  requireFound(await users.find(id), { what: 'user', version });

interface RecordedChange {
  readonly before: StoredUser | null;
  readonly after: StoredUser | null;
  readonly invited?: true;
}

const recordChange = (
  tx: TenantTransaction,
  action: AuditAction,
  { before, after, ...more }: RecordedChange,
): Promise<void> => {
  const user = after ?? before;
  const statuses = { before: accountStatus(before), after: accountStatus(after) };
  return tx.record(action, user?.email ?? '', { user_id: user?.id, ...statuses, ...more });
};

/** Creates a user. Throws `conflict` for an e-mail that is taken, and `invalid_request` for a role that does not exist. */
export async function createUser(
  tx: TenantTransaction,
  { email, roles, passwordHash, invitation }: NewUser,
): Promise<StoredUser> {
  const { by } = tx;
  await requireRoles(tx, roles);
  const created = await tx.users.insert({ email, passwordHash, roles, by });
  if (created === undefined) throw new ProblemError('conflict', 'A user with this e-mail already exists.');
  if (invitation !== undefined) await tx.invitations.insert({ ...invitation, userId: created.id, roles: [], by });
  const invited = invitation === undefined ? {} : ({ invited: true } as const);
  await recordChange(tx, 'CREATE_USER', { before: null, after: created, ...invited });
  return lookUp(tx, { id: created.id, version: undefined });
}

/** Changes a user. Throws `not_found`, `precondition_failed`, and `invalid_request` for a role that does not exist. */
export async function updateUser(tx: TenantTransaction, target: Target, change: AccountChange): Promise<StoredUser> {
  const before = await lookUp(tx, target);
  await requireRoles(tx, change.roles ?? []);
  const { after: to, isSame } = mergeAccount(before, change);
  if (!isSame) await tx.users.update(before.id, { ...to, by: tx.by });
  const after = await lookUp(tx, { id: before.id, version: undefined });
  await recordChange(tx, 'UPDATE_USER', { before, after });
  return after;
}

/** Replaces the password, and ends every session and earlier invitation. Throws `not_found` and `precondition_failed`. */
async function resetPassword(
  tx: TenantTransaction,
  target: Target,
  { passwordHash, invitation }: Credential,
): Promise<StoredUser> {
  const { by } = tx;
  const { id, email } = await lookUp(tx, target);
  await tx.users.setPassword(id, { passwordHash, by });
  if (invitation === undefined) await tx.invitations.removeOf(id);
  else await tx.invitations.insert({ ...invitation, userId: id, roles: [], by });
  await tx.record('RESET_PASSWORD', email, { user_id: id, invited: invitation !== undefined });
  return lookUp(tx, { id, version: undefined });
}

/** Throws `not_found` and `precondition_failed`. */
async function removeUser(tx: TenantTransaction, target: Target): Promise<void> {
  const before = await lookUp(tx, target);
  await tx.users.remove(before);
  await recordChange(tx, 'DELETE_USER', { before, after: null });
}

interface LinkInput {
  readonly userId: string;
  /** `sub` at the identity provider of the tenant. */
  readonly subject: string;
}

/**
 * Links a user to an identity of the tenant's provider, and replaces an earlier link. This is how another admin approves the single
 * sign-on of an account that administers the tenant. Throws `not_found`, and `conflict` for the caller's own account.
 */
async function linkIdentity(
  tx: TenantTransaction,
  caller: Caller,
  { userId, subject }: LinkInput,
): Promise<StoredUser> {
  const conflict = (sentence: string) => new ProblemError('conflict', sentence);
  const user = await lookUp(tx, { id: userId, version: undefined });
  if (caller.principal.id === user.id) {
    throw conflict('Another admin must link your account. Or log in by single sign-on and enter your password there.');
  }
  const provider = await tx.identityProvider.find();
  if (provider === undefined) throw conflict('The tenant has no identity provider.');
  const { issuer } = provider;
  const before = await tx.identities.findSubject(issuer, user.id);
  if (!(await tx.identities.replace({ issuer, subject }, user.id))) {
    throw conflict('Another user is linked to this subject of the identity provider.');
  }
  // An open invitation would be a second way to log in, and may be in another person's mail.
  await tx.invitations.removeOf(user.id);
  const subjects = { before: before === undefined ? null : { subject: before }, after: { subject } };
  await tx.record('LINK_IDENTITY', user.email, { user_id: user.id, issuer, ...subjects });
  return lookUp(tx, { id: user.id, version: undefined });
}

interface UsersContext {
  readonly database: ResourceDatabase;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly makeInvitation: MakeInvitation;
}

interface CredentialRequest {
  readonly tenant: { readonly name: string };
  /** Address of the API host as the caller sees it, for the link of the invitation. */
  readonly baseUrl: string;
  /** A request without a password invites the user to set one. */
  readonly body: { readonly password?: string | undefined };
}

/** Hashes the password or makes an invitation, before the transaction: hashing is slow, and the tenant is locked in it. */
async function prepareCredential(
  { passwords, makeInvitation }: UsersContext,
  { tenant, baseUrl, body: { password } }: CredentialRequest,
): Promise<{ readonly shown: Invitation | null; readonly stored: Credential }> {
  if (password !== undefined) {
    return { shown: null, stored: { passwordHash: await passwords.hash(password), invitation: undefined } };
  }
  const { shown, stored } = makeInvitation({ tenantName: tenant.name, baseUrl });
  return { shown, stored: { passwordHash: null, invitation: stored } };
}

const presentUser = ({ version: _version, ...user }: StoredUser): UserRecord => user;
const etag = ({ version }: StoredUser) => ({ etag: entityTag(version) });

/** Everything below /admin/users */
export function userRoutes(context: UsersContext): Route[] {
  const { database } = context;
  return [
    route(apiOperations.listUsers, async (request) => {
      const query = { ...request.query, from: request.query.from ?? 0, size: request.query.size ?? SIZE_DEFAULT };
      const { total, users } = await database.read(callerOf(request), async (tx) => {
        const page = await tx.users.list(query);
        await tx.record('READ_USERS', 'users', query);
        return page;
      });
      return json(200, { total, data: users.map(presentUser) });
    }),
    route(apiOperations.createUser, async (request) => {
      const { email, roles = [] } = request.body;
      const { shown: invitation, stored } = await prepareCredential(context, request);
      const create = (tx: TenantTransaction) => createUser(tx, { email, roles, ...stored });
      const user = await changeAccounts(database, callerOf(request), create);
      return json(201, { ...presentUser(user), invitation }, { ...etag(user), location: `/admin/users/${user.id}` });
    }),
    route(apiOperations.getUser, async (request) => {
      const { id } = request.params;
      const user = await database.read(callerOf(request), async (tx) => {
        const found = await lookUp(tx, { id, version: undefined });
        await tx.record('READ_USERS', found.email, { user_id: id });
        return found;
      });
      return json(200, presentUser(user), etag(user));
    }),
    route(apiOperations.updateUser, async (request) => {
      const update = (tx: TenantTransaction) => updateUser(tx, targetOf(request), request.body);
      const user = await changeAccounts(database, callerOf(request), update);
      return json(200, presentUser(user), etag(user));
    }),
    route(apiOperations.resetPassword, async (request) => {
      const { shown: invitation, stored } = await prepareCredential(context, request);
      const reset = (tx: TenantTransaction) => resetPassword(tx, targetOf(request), stored);
      const user = await changeAccounts(database, callerOf(request), reset);
      return json(200, { ...presentUser(user), invitation }, etag(user));
    }),
    route(apiOperations.linkIdentity, async (request) => {
      const input = { userId: request.params.id, subject: request.body.subject };
      const caller = callerOf(request);
      const user = await changeAccounts(database, caller, (tx) => linkIdentity(tx, caller, input));
      return json(200, presentUser(user), etag(user));
    }),
    route(apiOperations.deleteUser, async (request) => {
      await changeAccounts(database, callerOf(request), (tx) => removeUser(tx, targetOf(request)));
      return noContent();
    }),
  ];
}
