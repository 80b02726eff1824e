import { randomUUID } from 'node:crypto';
import {
  type Clock,
  createOpaqueToken,
  hashOpaqueToken,
  type RequestOrigin,
  type SecretBox,
  type TokenSigner,
  type VerifiedIdentity,
} from '@sluice/auth';
import type { Tenant, Tokens } from '@sluice/contract';
import type { NewSession, SessionStore } from '@sluice/store/identity';
import { loginDevice } from './login-device.ts';
import { type SessionSubject, sessionRecord, signTokens, type TokenAccount } from './session-subject.ts';

/** Login whose credential was verified, by us or by an identity provider. */
export interface VerifiedLogin {
  readonly tenant: Tenant;
  readonly account: TokenAccount;
  readonly origin: RequestOrigin;
  /** Metadata of the audit record. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Stored hash that the password matched. */
  readonly secretHash?: string;
  /** Device cookie that the browser sent. */
  readonly deviceCookie?: string | undefined;
  /** Identity of a single sign-on. */
  readonly identity?: Pick<VerifiedIdentity, 'issuer' | 'subject' | 'providerSid' | 'idToken'>;
}

export interface SessionCookie {
  readonly value: string;
  readonly lifetimeSeconds: number;
}

/** Opens the session of any login. Throws `unauthorized` if the account may no longer log in. */
export interface OpenSession {
  forTokens(login: VerifiedLogin): Promise<Tokens>;
  /**
   * Returns a cookie by which a page fetches the tokens of the session. `replaced` is the session cookie that the browser had before: its
   * session ends.
   */
  forCookie(login: VerifiedLogin, replaced?: string): Promise<SessionCookie>;
}

interface OpenSessionDependencies {
  readonly sessions: Pick<SessionStore, 'create'>;
  readonly signer: TokenSigner;
  readonly box: Pick<SecretBox, 'seal'>;
  readonly sessionLifetimeMs: number;
  /** Lifetime of sessions from single sign-on: a change at the provider has no effect here before the next login. */
  readonly ssoSessionLifetimeMs: number;
  readonly sessionsMax: number;
  readonly now: Clock;
}

const HOUR_MS = 3_600_000;

/** Encryption context of a provider's ID token: a token sealed for one session cannot be opened for another. */
export const identityContext = (sessionId: string): string => `session ${sessionId}`;

export function createOpenSession(dependencies: OpenSessionDependencies): OpenSession {
  const { sessions, signer, box, sessionLifetimeMs, sessionsMax, now } = dependencies;
  const ssoSessionLifetimeMs = Math.min(dependencies.ssoSessionLifetimeMs, sessionLifetimeMs);
  const lifetimeMsOf = ({ identity, tenant }: VerifiedLogin): number => {
    const { absoluteHours = Number.POSITIVE_INFINITY } = tenant.settings.sessionLimits ?? {};
    return Math.min(identity === undefined ? sessionLifetimeMs : ssoSessionLifetimeMs, absoluteHours * HOUR_MS);
  };

  const subjectOf = (login: VerifiedLogin): SessionSubject => {
    const { tenant, account } = login;
    const expires = new Date(now() + lifetimeMsOf(login));
    return { tenant, account, sessionId: randomUUID(), expires };
  };

  const sealedIdentity = (sessionId: string, { identity }: VerifiedLogin): Pick<NewSession, 'identity'> => {
    if (identity === undefined) return {};
    const { issuer, subject, providerSid, idToken } = identity;
    return { identity: { issuer, subject, providerSid, sealed: box.seal(idToken, identityContext(sessionId)) } };
  };

  const open = (
    subject: SessionSubject,
    login: VerifiedLogin,
    credential: Pick<NewSession, 'cookieHash' | 'replacedCookieHash' | 'refreshToken'>,
  ): Promise<void> =>
    sessions.create({
      tenantId: subject.tenant.id,
      sid: subject.sessionId,
      account: subject.account,
      expires: subject.expires,
      keyId: signer.keyId(),
      secretHash: login.secretHash,
      sessionsMax,
      device: loginDevice(login),
      ...credential,
      ...sealedIdentity(subject.sessionId, login),
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
    async forCookie(login, replaced) {
      const value = createOpaqueToken();
      const replacedCookieHash = replaced === undefined ? undefined : hashOpaqueToken(replaced);
      await open(subjectOf(login), login, { cookieHash: hashOpaqueToken(value), replacedCookieHash });
      return { value, lifetimeSeconds: Math.floor(lifetimeMsOf(login) / 1000) };
    },
  };
}
