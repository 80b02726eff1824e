import { randomUUID } from 'node:crypto';
import {
  type Clock,
  createOpaqueToken,
  hashOpaqueToken,
  type RequestOrigin,
  type SecretBox,
  type TokenSigner,
} from '@sluice/auth';
import type { Tenant, Tokens } from '@sluice/contract';
import type { NewSession, SessionStore } from '@sluice/store/identity';
import { type SessionSubject, sessionRecord, signTokens, type TokenAccount } from './session-subject.ts';

/** Who has proved to be who, and by what. */
export interface ProvedLogin {
  readonly tenant: Tenant;
  readonly account: TokenAccount;
  readonly origin: RequestOrigin;
  /** Of the record. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The stored hash that a password matched. */
  readonly secretHash?: string;
  /** Of whom an identity provider has named. */
  readonly identity?: { readonly issuer: string; readonly idToken: string };
}

export interface HeldCookie {
  readonly cookie: string;
  readonly lifetimeSeconds: number;
}

/** Opens a session of any login. Throws `unauthorized` when the account may not log in any more. */
export interface OpenSession {
  forTokens(login: ProvedLogin): Promise<Tokens>;
  /** A session whose tokens a page fetches later, by the cookie's value that is answered. */
  forCookie(login: ProvedLogin): Promise<HeldCookie>;
}

export interface OpenSessionOptions {
  readonly sessions: Pick<SessionStore, 'create'>;
  readonly signer: TokenSigner;
  readonly box: Pick<SecretBox, 'seal'>;
  readonly sessionLifetimeMs: number;
  /** Lifetime of sessions from single sign-on: a change at the provider is not seen here before the next login. */
  readonly ssoSessionLifetimeMs: number;
  readonly sessionsMax: number;
  readonly now: Clock;
}

/** Whose ID token of a provider it is: sealed for one session, it opens for no other. */
export const identityContext = (sessionId: string): string => `session ${sessionId}`;

export function createOpenSession(options: OpenSessionOptions): OpenSession {
  const { sessions, signer, box, sessionLifetimeMs, sessionsMax, now } = options;
  const ssoSessionLifetimeMs = Math.min(options.ssoSessionLifetimeMs, sessionLifetimeMs);
  const lifetimeMsOf = ({ identity }: ProvedLogin): number =>
    identity === undefined ? sessionLifetimeMs : ssoSessionLifetimeMs;

  const subjectOf = (login: ProvedLogin): SessionSubject => {
    const { tenant, account } = login;
    const expires = new Date(now() + lifetimeMsOf(login));
    return { tenant, account, sessionId: randomUUID(), expires };
  };

  const identityOf = (sessionId: string, { identity }: ProvedLogin): Pick<NewSession, 'identity'> =>
    identity === undefined
      ? {}
      : { identity: { issuer: identity.issuer, sealed: box.seal(identity.idToken, identityContext(sessionId)) } };

  const open = (
    subject: SessionSubject,
    login: ProvedLogin,
    holds: Pick<NewSession, 'cookieHash' | 'refreshToken'>,
  ): Promise<void> =>
    sessions.create({
      tenantId: subject.tenant.id,
      sid: subject.sessionId,
      account: subject.account,
      expires: subject.expires,
      keyId: signer.keyId(),
      secretHash: login.secretHash,
      sessionsMax,
      ...holds,
      ...identityOf(subject.sessionId, login),
      audit: sessionRecord('LOGIN', subject, { origin: login.origin, metadata: login.metadata }),
    });

  return {
    async forTokens(login) {
      const subject = subjectOf(login);
      const refreshToken = createOpaqueToken();
      const tokens = await signTokens(signer, subject, refreshToken);
      const family = { family: randomUUID(), tokenHash: hashOpaqueToken(refreshToken) };
      await open(subject, login, { refreshToken: family });
      return tokens;
    },
    async forCookie(login) {
      const cookie = createOpaqueToken();
      await open(subjectOf(login), login, { cookieHash: hashOpaqueToken(cookie) });
      return { cookie, lifetimeSeconds: Math.floor(lifetimeMsOf(login) / 1000) };
    },
  };
}
