import { type IdentityFacts, readIdentityClaims, type VerifiedIdentity } from '@sluice/auth';
import { type AuditAction, emailText, ProblemError } from '@sluice/contract';
import {
  type Administration,
  type AdministrationStore,
  emailDomainMessage,
  type StoredIdentityProvider,
  type StoredUser,
} from '@sluice/store/administration';
import { accountStatus, mergeAccount } from '../administration/account-rules.ts';
import type { AnonymousCaller } from './anonymous-caller.ts';

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

const accessDenied = (sentence: string): ProblemError => new ProblemError('access_denied', sentence);

/** Returns the roles of the user's groups, without removed roles; undefined if the provider does not manage roles. */
export async function mappedRoles(
  { roles }: Administration,
  login: IdentityLogin,
): Promise<readonly string[] | undefined> {
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
  const authStatus = { before: accountStatus(before), after: accountStatus(after) };
  const metadata = { user_id: after.id, ...authStatus, issuer: identity.issuer };
  return { tenantId: tenant.id, user: after.email, action, target: after.email, metadata, ...origin };
};

/**
 * Finds the account to link by its e-mail. The e-mail is trusted only once, at the link; later logins go by the provider's subject,
 * which is never reassigned. An existing account belongs to a person, so the e-mail must be verified: by the provider's claim, or by
 * the tenant's setting that trusts the e-mails of the provider.
 */
async function findByEmail(within: Administration, login: IdentityLogin): Promise<StoredUser | undefined> {
  const address = identityEmail(login);
  if (address === undefined) {
    throw accessDenied(`The identity provider sent no e-mail in the claim ${login.provider.emailClaim}.`);
  }
  const { trustsEmail } = login.provider;
  const { emailVerified } = factsOf(login);
  if (emailVerified === false && !trustsEmail) {
    throw accessDenied('The identity provider reports that the e-mail is not verified.');
  }
  if (!(await within.users.allowsEmail(address))) throw accessDenied(emailDomainMessage(address));
  const user = await within.users.findByEmail(address);
  if (user !== undefined && emailVerified !== true && !trustsEmail) {
    throw accessDenied(
      'This e-mail has an account here, and the identity provider does not report it as verified (email_verified). Ask an admin of the tenant.',
    );
  }
  return user;
}

async function createUser(within: Administration, login: IdentityLogin, roles: readonly string[]): Promise<StoredUser> {
  const address = identityEmail(login) ?? '';
  if (!login.provider.createUsers) {
    throw accessDenied(
      `There is no user ${address} in ${login.tenant.name}. Ask an admin of the tenant to create one.`,
    );
  }
  const created = await within.users.insert({ email: address, passwordHash: null, roles, by: BY_PROVIDER });
  if (created === undefined) throw new ProblemError('conflict', 'Another request is creating this user. Log in again.');
  await within.record(record(login, { action: 'CREATE_USER', before: null, after: created }));
  return created;
}

async function link(within: Administration, login: IdentityLogin, user: StoredUser): Promise<void> {
  if (!(await within.identities.link(login.identity, user.id))) {
    throw accessDenied(
      'This account is linked to another identity of the identity provider. Ask an admin of the tenant.',
    );
  }
  // The user can log in now. An open invitation would be a second way in, and may be in another person's mail.
  await within.invitations.removeOf(user.id);
}

/** Throws `conflict` if no admin would be left. */
async function setRoles(
  within: Administration,
  login: IdentityLogin,
  { user, roles }: { readonly user: StoredUser; readonly roles: readonly string[] },
): Promise<StoredUser> {
  const { after: to, isSame } = mergeAccount(user, { roles });
  if (isSame) return user;
  const hadAdmin = await within.hasAdmin();
  await within.users.update(user.id, { ...to, by: BY_PROVIDER });
  if (hadAdmin && !(await within.hasAdmin())) {
    throw new ProblemError(
      'conflict',
      'With the groups that the identity provider sent, the tenant would have no admin left. Ask to be added to the group of its admins.',
    );
  }
  const after = { ...user, ...to, roles: [...to.roles] };
  await within.record(record(login, { action: 'UPDATE_USER', before: user, after }));
  return after;
}

const requireEnabled = (user: StoredUser): StoredUser => {
  if (user.disabled) throw accessDenied('This account is disabled. Ask an admin of the tenant.');
  return user;
};

const isAdmin = async ({ roles }: Administration, user: StoredUser): Promise<boolean> =>
  (await roles.list()).some(({ name, permissions }) => user.roles.includes(name) && permissions.includes('admin'));

const findLinked = async ({ identities, users }: Administration, { identity }: IdentityLogin) => {
  const userId = await identities.findUserId(identity);
  return userId === undefined ? undefined : await users.find(userId);
};

/** Returns a linked user whose roles do not change (the common case): no lock is taken. */
async function findUnchanged(within: Administration, login: IdentityLogin): Promise<StoredUser | undefined> {
  const user = await findLinked(within, login);
  if (user === undefined) return undefined;
  const roles = await mappedRoles(within, login);
  return mergeAccount(user, { roles }).isSame ? requireEnabled(user) : undefined;
}

/** Returns the user of an identity in a transaction. Throws the errors of `AdmitIdentity`. */
export async function admit(within: Administration, login: IdentityLogin): Promise<AdmittedUser | UnconfirmedUser> {
  const roles = await mappedRoles(within, login);
  const linked = await findLinked(within, login);
  const known = linked ?? (await findByEmail(within, login));
  const user = requireEnabled(known ?? (await createUser(within, login, roles ?? [])));
  if (linked === undefined) {
    const mustConfirm = known !== undefined && login.confirmedUserId !== user.id && (await isAdmin(within, user));
    if (mustConfirm) return { kind: 'unconfirmed', user };
    await link(within, login, user);
  }
  const admitted = roles === undefined ? user : await setRoles(within, login, { user, roles });
  return { kind: 'admitted', user: admitted, isLinked: linked === undefined };
}

/**
 * Returns the user of an identity, with the roles of its groups. Links or creates the user if that is allowed. Throws
 * `access_denied`, with the reason, for an identity without a usable account, and `conflict`.
 */
export type AdmitIdentity = (caller: AnonymousCaller, input: IdentityInput) => Promise<AdmittedUser | UnconfirmedUser>;

interface AdmitIdentityDependencies {
  readonly administration: Pick<AdministrationStore, 'read' | 'change'>;
}

export const createAdmitIdentity =
  ({ administration }: AdmitIdentityDependencies): AdmitIdentity =>
  async (caller, input) => {
    const login = { ...caller, ...input };
    const { id } = caller.tenant;
    const user = await administration.read(id, (within) => findUnchanged(within, login));
    return user === undefined
      ? administration.change(id, (within) => admit(within, login))
      : { kind: 'admitted', user, isLinked: false };
  };
