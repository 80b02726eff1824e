import { type IdentityFacts, readIdentityClaims, type VerifiedIdentity } from '@sluice/auth';
import { type AuditAction, emailText, type ProblemError, type SignInSentence, signInProblem } from '@sluice/contract';
import { emailDomainOf, type StoredIdentityProvider, type StoredUser } from '@sluice/store/administration';
import type { Actor, ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { accountStatus, lockTenant, mergeAccount } from '../../resources/administration/accounts.ts';
import { type AnonymousCaller, loginActor } from './anonymous-caller.ts';

export interface IdentityInput {
  readonly provider: StoredIdentityProvider;
  readonly identity: VerifiedIdentity;
  /** User whose password was verified: this account may be linked although it administers the tenant. */
  readonly confirmedUserId?: string;
}

/** Login of an identity at a tenant. */
export interface IdentityLogin extends AnonymousCaller, IdentityInput {}

export interface AdmittedUser {
  readonly kind: 'admitted';
  readonly user: StoredUser;
  /** True if this login linked the identity to the user. */
  readonly isLinked: boolean;
}

/** Account that administers the tenant: only its password or another admin can link it. Nothing was changed. */
interface UnconfirmedUser {
  readonly kind: 'unconfirmed';
  readonly user: StoredUser;
}

/** Author of users that a login created or changed. No account can have this name: it is not an e-mail. */
const BY_PROVIDER = 'identity provider';

const email = emailText('email');

/** Returns the e-mail in the form in which accounts store it; undefined if no account can have it. */
export const identityEmail = (login: Pick<IdentityInput, 'provider' | 'identity'>): string | undefined => {
  const { email: claimed } = factsOf(login);
  const parsed = claimed === undefined ? undefined : email.safeParse(claimed);
  return parsed?.success === true ? parsed.data : undefined;
};

const factsOf = ({ provider, identity }: Pick<IdentityInput, 'provider' | 'identity'>): IdentityFacts =>
  readIdentityClaims(identity.claims, provider);

const accessDenied = (name: SignInSentence, values: Readonly<Record<string, string>> = {}): ProblemError =>
  signInProblem('access_denied', name, { values });

/** Returns the roles of the user's groups, without removed roles; undefined if the provider does not manage roles. */
export async function mappedRoles(
  { roles }: TenantTransaction,
  login: IdentityLogin,
): Promise<readonly string[] | undefined> {
  const { roleMappings } = login.provider;
  if (roleMappings.length === 0) return undefined;
  const groups = new Set(factsOf(login).groups);
  const mapped = new Set(roleMappings.filter(({ value }) => groups.has(value)).flatMap((mapping) => mapping.roles));
  const unknown = await roles.unknown([...mapped]);
  return [...mapped].filter((role) => !unknown.includes(role));
}

/** Returns the login as the author of the users that it creates or changes. */
export const admissionActor = (caller: AnonymousCaller): Actor => loginActor(caller, BY_PROVIDER);

interface RecordedChange {
  readonly before: StoredUser | null;
  readonly after: StoredUser;
}

const recordChange = (
  tx: TenantTransaction,
  { identity: { issuer } }: IdentityLogin,
  { action, before, after }: RecordedChange & { readonly action: AuditAction },
): Promise<void> => {
  const statuses = { before: accountStatus(before), after: accountStatus(after) };
  return tx.record(action, after.email, { user_id: after.id, ...statuses, issuer });
};

/**
 * Finds the account to link by its e-mail. The e-mail is trusted only once, at the link; later logins go by the provider's subject,
 * which is never reassigned. An existing account belongs to a person, so the e-mail must be verified: by the provider's claim, or by
 * the tenant's setting that trusts the e-mails of the provider.
 */
async function findByEmail(tx: TenantTransaction, login: IdentityLogin): Promise<StoredUser | undefined> {
  const address = identityEmail(login);
  if (address === undefined) {
    throw accessDenied('email_missing', { claim: login.provider.emailClaim });
  }
  const { trustsEmail } = login.provider;
  const { emailVerified } = factsOf(login);
  if (emailVerified === false && !trustsEmail) {
    throw accessDenied('email_not_verified');
  }
  if (!(await tx.users.allowsEmail(address)))
    throw accessDenied('email_domain_not_allowed', { domain: emailDomainOf(address) });
  const user = await tx.users.findByEmail(address);
  if (user !== undefined && emailVerified !== true && !trustsEmail) {
    throw accessDenied('email_of_other_account');
  }
  return user;
}

async function createUser(tx: TenantTransaction, login: IdentityLogin, roles: readonly string[]): Promise<StoredUser> {
  const address = identityEmail(login) ?? '';
  if (!login.provider.createUsers) {
    throw accessDenied('user_unknown', { email: address, tenant: login.tenant.name });
  }
  const created = await tx.users.insert({ email: address, passwordHash: null, roles, by: tx.by });
  if (created === undefined) throw signInProblem('conflict', 'user_being_created');
  await recordChange(tx, login, { action: 'CREATE_USER', before: null, after: created });
  return created;
}

async function link(tx: TenantTransaction, login: IdentityLogin, user: StoredUser): Promise<void> {
  if (!(await tx.identities.link(login.identity, user.id))) {
    throw accessDenied('account_of_other_identity');
  }
  // The user can log in now. An open invitation would be a second way in, and may be in another person's mail.
  await tx.invitations.removeOf(user.id);
}

/** Throws `conflict` if no admin would be left. */
async function setRoles(
  tx: TenantTransaction,
  login: IdentityLogin,
  { user, roles }: { readonly user: StoredUser; readonly roles: readonly string[] },
): Promise<StoredUser> {
  const { after: to, isSame } = mergeAccount(user, { roles });
  if (isSame) return user;
  const hadAdmin = await tx.users.hasAdmin();
  await tx.users.update(user.id, { ...to, by: tx.by });
  if (hadAdmin && !(await tx.users.hasAdmin())) {
    throw signInProblem('conflict', 'no_admin_left');
  }
  const after = { ...user, ...to, roles: [...to.roles] };
  await recordChange(tx, login, { action: 'UPDATE_USER', before: user, after });
  return after;
}

const requireEnabled = (user: StoredUser): StoredUser => {
  if (user.disabled) throw accessDenied('account_disabled');
  return user;
};

const isAdmin = async ({ roles }: TenantTransaction, user: StoredUser): Promise<boolean> =>
  (await roles.list()).some(({ name, permissions }) => user.roles.includes(name) && permissions.includes('admin'));

const findLinked = async ({ identities, users }: TenantTransaction, { identity }: IdentityLogin) => {
  const userId = await identities.findUserId(identity);
  return userId === undefined ? undefined : await users.find(userId);
};

/** Returns a linked user whose roles do not change (the common case): no lock is taken. */
async function findUnchanged(tx: TenantTransaction, login: IdentityLogin): Promise<StoredUser | undefined> {
  const user = await findLinked(tx, login);
  if (user === undefined) return undefined;
  const roles = await mappedRoles(tx, login);
  return mergeAccount(user, { roles }).isSame ? requireEnabled(user) : undefined;
}

/** Returns the user of an identity in a transaction. Throws the errors of `AdmitIdentity`. */
export async function admit(tx: TenantTransaction, login: IdentityLogin): Promise<AdmittedUser | UnconfirmedUser> {
  await lockTenant(tx);
  const roles = await mappedRoles(tx, login);
  const linked = await findLinked(tx, login);
  const known = linked ?? (await findByEmail(tx, login));
  const user = requireEnabled(known ?? (await createUser(tx, login, roles ?? [])));
  if (linked === undefined) {
    const mustConfirm = known !== undefined && login.confirmedUserId !== user.id && (await isAdmin(tx, user));
    if (mustConfirm) return { kind: 'unconfirmed', user };
    await link(tx, login, user);
  }
  const admitted = roles === undefined ? user : await setRoles(tx, login, { user, roles });
  return { kind: 'admitted', user: admitted, isLinked: linked === undefined };
}

/**
 * Returns the user of an identity, with the roles of its groups. Links or creates the user if that is allowed. Throws
 * `access_denied`, with the reason, for an identity without a usable account, and `conflict`.
 */
export type AdmitIdentity = (caller: AnonymousCaller, input: IdentityInput) => Promise<AdmittedUser | UnconfirmedUser>;

interface AdmitIdentityDependencies {
  readonly database: Pick<ResourceDatabase, 'read' | 'change'>;
}

export const createAdmitIdentity =
  ({ database }: AdmitIdentityDependencies): AdmitIdentity =>
  async (caller, input) => {
    const login = { ...caller, ...input };
    const actor = admissionActor(caller);
    const user = await database.read(actor, (tx) => findUnchanged(tx, login));
    if (user !== undefined) return { kind: 'admitted', user, isLinked: false };
    return database.change(actor, async (tx) => {
      // The record of the login names a new link.
      tx.skipRecord();
      return await admit(tx, login);
    });
  };
