import { hashOpaqueToken, type Passwords } from '@sluice/auth';
import { type AcceptInvitationRequest, type ProblemError, type SignInSentence, signInProblem } from '@sluice/contract';
import type { OpenInvitation } from '@sluice/store/administration';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { lockTenant } from '../../resources/administration/accounts.ts';
import { type AnonymousCaller, loginActor } from './anonymous-caller.ts';

/** Returns the open invitation of a token. Throws `not_found` for an unknown, a used and an expired one alike. */
export type FindInvitation = (
  caller: Pick<AnonymousCaller, 'tenant'>,
  input: { readonly token: string },
) => Promise<OpenInvitation>;

/**
 * Sets the password of the invited user, once, and returns the e-mail to log in with. Throws `not_found` like `FindInvitation`,
 * `invalid_request` for a missing or another e-mail, and `conflict` for an e-mail that is taken.
 */
type AcceptInvitation = (caller: AnonymousCaller, input: AcceptInvitationRequest) => Promise<string>;

interface FindInvitationDependencies {
  readonly database: Pick<ResourceDatabase, 'read'>;
}

interface AcceptInvitationDependencies {
  readonly database: Pick<ResourceDatabase, 'change'>;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly findInvitation: FindInvitation;
}

const unknownInvitation = (): ProblemError => signInProblem('not_found', 'invitation_unknown');

const invalidEmail = (name: SignInSentence): ProblemError => {
  const { message } = signInProblem('invalid_request', name);
  return signInProblem('invalid_request', name, { details: [{ path: 'body.email', message }] });
};

/** Returns the e-mail of the invitation, or the sent one if the invitation has none. */
function emailOf({ email: invited }: OpenInvitation, { email: sent }: AcceptInvitationRequest): string {
  if (invited === null && sent === undefined) throw invalidEmail('email_required');
  if (invited !== null && sent !== undefined && sent !== invited) throw invalidEmail('email_not_invited');
  return invited ?? sent ?? '';
}

async function saveUser(
  { users, roles }: TenantTransaction,
  { userId, roles: wanted, by }: OpenInvitation,
  { email, passwordHash }: { readonly email: string; readonly passwordHash: string },
): Promise<string> {
  if (userId !== null) {
    await users.setPassword(userId, { passwordHash, by: email });
    return userId;
  }
  const unknown = await roles.unknown(wanted);
  const known = wanted.filter((role) => !unknown.includes(role));
  const created = await users.insert({ email, passwordHash, roles: known, by });
  if (created === undefined) {
    throw signInProblem('conflict', 'user_exists');
  }
  return created.id;
}

export const createFindInvitation =
  ({ database }: FindInvitationDependencies): FindInvitation =>
  async ({ tenant }, { token }) => {
    const tokenHash = hashOpaqueToken(token);
    const found = await database.read(loginActor({ tenant }), ({ invitations }) => invitations.find(tokenHash));
    if (found === undefined) throw unknownInvitation();
    return found;
  };

export const createAcceptInvitation =
  ({ database, passwords, findInvitation }: AcceptInvitationDependencies): AcceptInvitation =>
  async (caller, input) => {
    const tokenHash = hashOpaqueToken(input.token);
    // Hashed only for the holder of an invitation, and before the transaction: hashing is slow, and the tenant is locked in it.
    const email = emailOf(await findInvitation(caller, input), input);
    const passwordHash = await passwords.hash(input.password);
    await database.change(loginActor(caller, email), async (tx) => {
      await lockTenant(tx);
      const invitation = await tx.invitations.find(tokenHash);
      if (invitation === undefined) throw unknownInvitation();
      await tx.invitations.remove(tokenHash);
      const userId = await saveUser(tx, invitation, { email, passwordHash });
      await tx.record('ACCEPT_INVITATION', email, { user_id: userId, invited_by: invitation.by });
    });
    return email;
  };
