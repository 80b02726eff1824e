import { hashOpaqueToken, type Passwords, type RequestOrigin } from '@sluice/auth';
import { type AcceptInvitationRequest, ProblemError, type Tenant } from '@sluice/contract';
import type { Administration, AdministrationStore, OpenInvitation } from '@sluice/store/administration';

export interface AcceptInvitationOptions {
  readonly administration: AdministrationStore;
  readonly passwords: Pick<Passwords, 'hash'>;
}

export interface AcceptInvitation {
  /** Whom it is for. Throws `not_found`, alike for one that is unknown, used or expired. */
  find(tenant: Tenant, token: string): Promise<OpenInvitation>;
  /** Sets the password, once, and answers the e-mail to log in with. Throws `conflict` for an e-mail that is taken, too. */
  accept(tenant: Tenant, wish: AcceptInvitationRequest, origin: RequestOrigin): Promise<string>;
}

const refuse = (): ProblemError =>
  new ProblemError('not_found', 'This invitation is unknown, used or expired. Ask for a new one.');

const refuseEmail = (message: string): ProblemError =>
  new ProblemError('invalid_request', `The request is not valid: body.email: ${message}.`, {
    details: [{ path: 'body.email', message }],
  });

/** The e-mail that is meant: the invitation's, or where it names nobody, the one that was sent. */
function emailOf({ email: invited }: OpenInvitation, { email: sent }: AcceptInvitationRequest): string {
  if (invited === null && sent === undefined) throw refuseEmail('is required: the invitation names none');
  if (invited !== null && sent !== undefined && sent !== invited) throw refuseEmail('is not whom this is for');
  return invited ?? sent ?? '';
}

async function putUser(
  { users, roles }: Administration,
  { userId, roles: wanted, by }: OpenInvitation,
  account: { readonly email: string; readonly passwordHash: string },
): Promise<string> {
  const { email, passwordHash } = account;
  if (userId !== null) {
    await users.setPassword(userId, { passwordHash, by: email });
    return userId;
  }
  const unknown = await roles.unknown(wanted);
  const kept = wanted.filter((role) => !unknown.includes(role));
  const made = await users.insert({ email, passwordHash, roles: kept, by });
  if (made === undefined) {
    throw new ProblemError('conflict', 'There is a user with this e-mail already. Log in, or say another e-mail.');
  }
  return made.id;
}

export const createAcceptInvitation = ({ administration, passwords }: AcceptInvitationOptions): AcceptInvitation => ({
  async find({ id }, token) {
    const found = await administration.read(id, ({ invitations }) => invitations.find(hashOpaqueToken(token)));
    if (found === undefined) throw refuse();
    return found;
  },
  async accept({ id: tenantId }, wish, origin) {
    const tokenHash = hashOpaqueToken(wish.token);
    const open = await administration.read(tenantId, ({ invitations }) => invitations.find(tokenHash));
    if (open === undefined) throw refuse();
    // Only who holds an invitation makes us work, and nobody waits for the tenant's turn while we do.
    const email = emailOf(open, wish);
    const passwordHash = await passwords.hash(wish.password);
    await administration.change(tenantId, async (within) => {
      const invitation = await within.invitations.find(tokenHash);
      if (invitation === undefined) throw refuse();
      await within.invitations.remove(tokenHash);
      const userId = await putUser(within, invitation, { email, passwordHash });
      const metadata = { user_id: userId, invited_by: invitation.by };
      await within.record({ tenantId, user: email, action: 'ACCEPT_INVITATION', target: email, metadata, ...origin });
    });
    return email;
  },
});
