import { auditOf, type Caller, ProblemError } from '@sluice/contract';
import type { Administration, StoredUser } from '@sluice/store/administration';
import { found } from './account-rules.ts';

export interface IdentityLinkInput {
  readonly userId: string;
  /** `sub` at the identity provider of the tenant. */
  readonly subject: string;
}

const conflict = (sentence: string): ProblemError => new ProblemError('conflict', sentence);

/**
 * Links a user to a person at the identity provider, in the place of the one before. This is how another admin approves the single sign-on
 * of an account that administers the tenant. Throws `not_found`, and `conflict` for the caller's own account.
 */
export async function linkIdentity(
  administration: Administration,
  caller: Caller,
  { userId, subject }: IdentityLinkInput,
): Promise<StoredUser> {
  const { users, identities, identityProvider, invitations } = administration;
  const user = found(await users.find(userId), { what: 'user' });
  if (caller.principal.id === user.id) {
    throw conflict('Another admin must link your account. Or log in by single sign-on and give your password there.');
  }
  const provider = await identityProvider.find();
  if (provider === undefined) throw conflict('The tenant has no identity provider.');
  const { issuer } = provider;
  const before = await identities.findSubject(issuer, user.id);
  if (!(await identities.replace({ issuer, subject }, user.id))) {
    throw conflict('Another user is linked to this person of the identity provider.');
  }
  // An open invitation would be another way in, and may be in another person's mail.
  await invitations.removeOf(user.id);
  const metadata = {
    user_id: user.id,
    issuer,
    before: before === undefined ? null : { subject: before },
    after: { subject },
  };
  await administration.record(auditOf(caller, { action: 'LINK_IDENTITY', target: user.email, metadata }));
  return found(await users.find(user.id), { what: 'user' });
}
