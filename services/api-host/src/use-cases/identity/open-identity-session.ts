import type { VerifiedIdentity } from '@sluice/auth';
import type { Tokens } from '@sluice/contract';
import type { AdmittedUser } from './admit-identity.ts';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { OpenSession, SessionCookie } from './open-session.ts';

/** Session of a single sign-on: its tokens, or its cookie with the address at which the login ends. */
export type OpenedIdentitySession = { readonly user: string; readonly userId: string } & (
  | { readonly tokens: Tokens }
  | { readonly returnTo: string; readonly session: SessionCookie }
);

interface IdentitySessionInput {
  readonly admitted: AdmittedUser;
  readonly identity: VerifiedIdentity;
  readonly returnTo: string | undefined;
  /** Session cookie of the browser, which a new one replaces. */
  readonly replacedCookie: string | undefined;
  /** Device cookie that the browser sent. */
  readonly deviceCookie: string | undefined;
  /** Confirmation of the link, if one was needed. */
  readonly confirmedBy?: 'password';
}

/** Opens the session of a user that an identity provider has authenticated. */
export type OpenIdentitySession = (
  caller: AnonymousCaller,
  input: IdentitySessionInput,
) => Promise<OpenedIdentitySession>;

export const createOpenIdentitySession =
  (openSession: OpenSession): OpenIdentitySession =>
  async ({ tenant, origin }, { admitted, identity, returnTo, replacedCookie, deviceCookie, confirmedBy }) => {
    const { id, roles, email: user } = admitted.user;
    const { issuer, subject, providerSid, idToken } = identity;
    const metadata = {
      method: 'single_sign_on',
      issuer,
      ...(admitted.isLinked ? { linked: true } : {}),
      ...(confirmedBy === undefined ? {} : { confirmed_by: confirmedBy }),
    };
    const account = { kind: 'user', id, name: user, roles } as const;
    const provided = { issuer, subject, providerSid, idToken };
    const login = { tenant, account, origin, deviceCookie, identity: provided, metadata };
    if (returnTo === undefined) return { user, userId: id, tokens: await openSession.forTokens(login) };
    return { user, userId: id, returnTo, session: await openSession.forCookie(login, replacedCookie) };
  };
