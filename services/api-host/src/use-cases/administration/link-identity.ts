import { auditOf, type Caller, ProblemError } from '@sluice/contract';
import type { StoredUser } from '@sluice/store/administration';
import { requireFound } from '../../resources/target.ts';
import { type AdministrationStep, inTransaction, type StepDependencies } from './account-transactions.ts';

export interface IdentityLinkInput {
  readonly userId: string;
  /** `sub` at the identity provider of the tenant. */
  readonly subject: string;
}

const conflict = (sentence: string): ProblemError => new ProblemError('conflict', sentence);

/**
 * Links a user to an identity of the tenant's provider, and replaces an earlier link. This is how another admin approves the single
 * sign-on of an account that administers the tenant. Throws `not_found`, and `conflict` for the caller's own account.
 */
type LinkIdentity = (caller: Caller, input: IdentityLinkInput) => Promise<StoredUser>;

const linkIdentity: AdministrationStep<IdentityLinkInput, StoredUser> = async (
  administration,
  caller,
  { userId, subject },
) => {
  const { users, identities, identityProvider, invitations } = administration;
  const user = requireFound(await users.find(userId), { what: 'user' });
  if (caller.principal.id === user.id) {
    throw conflict('Another admin must link your account. Or log in by single sign-on and enter your password there.');
  }
  const provider = await identityProvider.find();
  if (provider === undefined) throw conflict('The tenant has no identity provider.');
  const { issuer } = provider;
  const before = await identities.findSubject(issuer, user.id);
  if (!(await identities.replace({ issuer, subject }, user.id))) {
    throw conflict('Another user is linked to this subject of the identity provider.');
  }
  // An open invitation would be a second way to log in, and may be in another person's mail.
  await invitations.removeOf(user.id);
  const metadata = {
    user_id: user.id,
    issuer,
    before: before === undefined ? null : { subject: before },
    after: { subject },
  };
  await administration.record(auditOf(caller, { action: 'LINK_IDENTITY', target: user.email, metadata }));
  return requireFound(await users.find(user.id), { what: 'user' });
};

export const createLinkIdentity = (dependencies: StepDependencies): LinkIdentity =>
  inTransaction(dependencies, linkIdentity);
