import { type IdentityFacts, type RequestOrigin, readIdentityClaims, type VerifiedIdentity } from '@sluice/auth';
import { type AuditAction, emailText, ProblemError, type Tenant } from '@sluice/contract';
import {
  type Administration,
  type AdministrationStore,
  emailDomainMessage,
  type StoredIdentityProvider,
  type StoredUser,
} from '@sluice/store/administration';
import { merged, statusOf } from '../administration/account-rules.ts';

export interface IdentityLogin {
  readonly tenant: Tenant;
  readonly provider: StoredIdentityProvider;
  readonly identity: VerifiedIdentity;
  readonly origin: RequestOrigin;
  /** The user whose password was given, so that the account may be linked although it administers the tenant. */
  readonly confirmedUserId?: string;
}

export interface AdmittedUser {
  readonly kind: 'admitted';
  readonly user: StoredUser;
  /** True at the login that made the identity the user's. */
  readonly isLinked: boolean;
}

/** The account administers the tenant, and is linked only by its password or by another admin. Nothing was changed. */
export interface UnconfirmedUser {
  readonly kind: 'unconfirmed';
  readonly user: StoredUser;
}

/** What stands in the place of an admin who made or changed a user; no account can be called so. */
const BY_PROVIDER = 'identity provider';

const email = emailText('email');

/** The e-mail that accounts are known by; undefined for what no account could be called. */
export const identityEmail = (login: IdentityLogin): string | undefined => {
  const { email: claimed } = factsOf(login);
  const parsed = claimed === undefined ? undefined : email.safeParse(claimed);
  return parsed?.success === true ? parsed.data : undefined;
};

const factsOf = ({ provider, identity }: IdentityLogin): IdentityFacts => readIdentityClaims(identity.claims, provider);

const refuse = (sentence: string): ProblemError => new ProblemError('access_denied', sentence);

/** Undefined: roles are not the provider's to give. A role that was removed meanwhile is nobody's. */
async function mappedRoles({ roles }: Administration, login: IdentityLogin): Promise<readonly string[] | undefined> {
  const { roleMappings } = login.provider;
  if (roleMappings.length === 0) return undefined;
  const groups = new Set(factsOf(login).groups);
  const mapped = new Set(roleMappings.filter(({ value }) => groups.has(value)).flatMap((mapping) => mapping.roles));
  const unknown = await roles.unknown([...mapped]);
  return [...mapped].filter((role) => !unknown.includes(role));
}

const record = (
  { tenant, identity, origin }: IdentityLogin,
  change: { readonly action: AuditAction; readonly before: StoredUser | null; readonly after: StoredUser },
) => {
  const { action, before, after } = change;
  const authStatus = { before: statusOf(before), after: statusOf(after) };
  const metadata = { user_id: after.id, ...authStatus, issuer: identity.issuer };
  return { tenantId: tenant.id, user: after.email, action, target: after.email, metadata, ...origin };
};

/**
 * The e-mail is believed once, when an identity becomes a user's; afterwards the provider's own name for the person counts, which nobody
 * else ever gets. An existing account belongs to a person, so the provider must say that the e-mail is verified, or the tenant's admin
 * that its e-mails are.
 */
async function findByEmail(within: Administration, login: IdentityLogin): Promise<StoredUser | undefined> {
  const address = identityEmail(login);
  if (address === undefined) {
    throw refuse(`The identity provider names no e-mail in the claim ${login.provider.emailClaim}.`);
  }
  const { trustsEmail } = login.provider;
  const { emailVerified } = factsOf(login);
  if (emailVerified === false && !trustsEmail) {
    throw refuse('The identity provider says that the e-mail is not verified.');
  }
  if (!(await within.users.allowsEmail(address))) throw refuse(emailDomainMessage(address));
  const user = await within.users.findByEmail(address);
  if (user !== undefined && emailVerified !== true && !trustsEmail) {
    throw refuse(
      'This e-mail has an account here, and the identity provider does not say that it is verified (email_verified). Ask an admin of the tenant.',
    );
  }
  return user;
}

async function makeUser(within: Administration, login: IdentityLogin, roles: readonly string[]): Promise<StoredUser> {
  const address = identityEmail(login) ?? '';
  if (!login.provider.createUsers) {
    throw refuse(`There is no user ${address} in ${login.tenant.name}. Ask an admin of the tenant to make one.`);
  }
  const made = await within.users.insert({ email: address, passwordHash: null, roles, by: BY_PROVIDER });
  if (made === undefined) throw new ProblemError('conflict', 'This user is being made at this moment. Log in again.');
  await within.record(record(login, { action: 'CREATE_USER', before: null, after: made }));
  return made;
}

async function link(within: Administration, login: IdentityLogin, user: StoredUser): Promise<void> {
  if (!(await within.identities.link(login.identity, user.id))) {
    throw refuse('This account is of somebody else at the identity provider. Ask an admin of the tenant.');
  }
  // Whoever has come in needs no other way in, which may lie in somebody's mail.
  await within.invitations.removeOf(user.id);
}

/** Throws `conflict` when it would take the last admin's rights. */
async function setRoles(
  within: Administration,
  login: IdentityLogin,
  { user, roles }: { readonly user: StoredUser; readonly roles: readonly string[] },
): Promise<StoredUser> {
  const { after: to, isSame } = merged(user, { roles });
  if (isSame) return user;
  const hadAdmin = await within.hasAdmin();
  await within.users.update(user.id, { ...to, by: BY_PROVIDER });
  if (hadAdmin && !(await within.hasAdmin())) {
    throw new ProblemError(
      'conflict',
      'By the groups of the identity provider the tenant would have no admin any more. Ask for the group of its admins.',
    );
  }
  const after = { ...user, ...to, roles: [...to.roles] };
  await within.record(record(login, { action: 'UPDATE_USER', before: user, after }));
  return after;
}

const requireEnabled = (user: StoredUser): StoredUser => {
  if (user.disabled) throw refuse('This account is disabled. Ask an admin of the tenant.');
  return user;
};

const isAdmin = async ({ roles }: Administration, user: StoredUser): Promise<boolean> =>
  (await roles.list()).some(({ name, permissions }) => user.roles.includes(name) && permissions.includes('admin'));

const findLinked = async ({ identities, users }: Administration, { identity }: IdentityLogin) => {
  const userId = await identities.findUserId(identity);
  return userId === undefined ? undefined : await users.find(userId);
};

/** Of whom nothing changes; most logins are such, and wait for nobody. */
async function findUnchanged(within: Administration, login: IdentityLogin): Promise<StoredUser | undefined> {
  const user = await findLinked(within, login);
  if (user === undefined) return undefined;
  const roles = await mappedRoles(within, login);
  return merged(user, { roles }).isSame ? requireEnabled(user) : undefined;
}

async function settle(within: Administration, login: IdentityLogin): Promise<AdmittedUser | UnconfirmedUser> {
  const roles = await mappedRoles(within, login);
  const linked = await findLinked(within, login);
  const known = linked ?? (await findByEmail(within, login));
  const user = requireEnabled(known ?? (await makeUser(within, login, roles ?? [])));
  if (linked === undefined) {
    const mustConfirm = known !== undefined && login.confirmedUserId !== user.id && (await isAdmin(within, user));
    if (mustConfirm) return { kind: 'unconfirmed', user };
    await link(within, login, user);
  }
  const admitted = roles === undefined ? user : await setRoles(within, login, { user, roles });
  return { kind: 'admitted', user: admitted, isLinked: linked === undefined };
}

/**
 * The user of the tenant whom a provider has named, made where that is configured, with the roles that its groups have. Throws
 * `access_denied` in words for whom there is no account, and `conflict`.
 */
export const createAdmitIdentity =
  (store: Pick<AdministrationStore, 'read' | 'change'>) =>
  async (login: IdentityLogin): Promise<AdmittedUser | UnconfirmedUser> => {
    const { id } = login.tenant;
    const user = await store.read(id, (within) => findUnchanged(within, login));
    return user === undefined
      ? store.change(id, (within) => settle(within, login))
      : { kind: 'admitted', user, isLinked: false };
  };

export type AdmitIdentity = ReturnType<typeof createAdmitIdentity>;
