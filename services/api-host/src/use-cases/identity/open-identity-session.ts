import type { RequestOrigin, VerifiedIdentity } from '@sluice/auth';
import type { Tenant, Tokens } from '@sluice/contract';
import type { AdmittedUser } from './admit-identity.ts';
import type { HeldCookie, OpenSession } from './open-session.ts';

/** Tokens, or where the login leads with a session cookie. */
export type OpenedIdentitySession = { readonly user: string; readonly userId: string } & (
  | { readonly tokens: Tokens }
  | { readonly returnTo: string; readonly held: HeldCookie }
);

export interface IdentitySessionInput {
  readonly tenant: Tenant;
  readonly admitted: AdmittedUser;
  readonly identity: VerifiedIdentity;
  readonly returnTo: string | undefined;
  readonly origin: RequestOrigin;
  /** Confirmation of the link, where one was needed. */
  readonly confirmedBy?: 'password';
}

/** Opens the session of a user whom an identity provider has named. */
export async function openIdentitySession(
  openSession: OpenSession,
  { tenant, admitted, identity, returnTo, origin, confirmedBy }: IdentitySessionInput,
): Promise<OpenedIdentitySession> {
  const { id, roles, email: user } = admitted.user;
  const { issuer, idToken } = identity;
  const metadata = {
    method: 'single_sign_on',
    issuer,
    ...(admitted.isLinked ? { linked: true } : {}),
    ...(confirmedBy === undefined ? {} : { confirmed_by: confirmedBy }),
  };
  const account = { kind: 'user', id, name: user, roles } as const;
  const login = { tenant, account, origin, identity: { issuer, idToken }, metadata };
  if (returnTo === undefined) return { user, userId: id, tokens: await openSession.forTokens(login) };
  return { user, userId: id, returnTo, held: await openSession.forCookie(login) };
}
