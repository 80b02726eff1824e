import { randomUUID } from 'node:crypto';
import {
  type Clock,
  createOpaqueToken,
  hashOpaqueToken,
  type RequestOrigin,
  type SecretVerifier,
  type TokenSigner,
} from '@sluice/auth';
import type { Tenant, Tokens } from '@sluice/contract';
import type { SessionStore } from '@sluice/store';
import { type SessionSubject, sessionRecord, signTokens } from './session-subject.ts';

export interface PasswordLogin {
  readonly tenant: Tenant;
  readonly email: string;
  readonly password: string;
  readonly origin: RequestOrigin;
}

/** What is opened, and the stored hash that the password matched. */
interface ProvedLogin {
  readonly subject: SessionSubject;
  readonly secretHash: string | undefined;
}

export interface LogIn {
  /** Opens a session and answers its tokens. Throws `unauthorized` or `too_many_requests`. */
  forTokens(login: PasswordLogin): Promise<Tokens>;
  /** Opens a session whose tokens a page fetches later, by the cookie's value that is answered. */
  forCookie(login: PasswordLogin): Promise<{ readonly cookie: string; readonly lifetimeSeconds: number }>;
}

export interface LogInOptions {
  readonly secrets: SecretVerifier;
  readonly sessions: Pick<SessionStore, 'create'>;
  readonly signer: TokenSigner;
  readonly sessionLifetimeMs: number;
  readonly now: Clock;
}

export function createLogIn({ secrets, sessions, signer, sessionLifetimeMs, now }: LogInOptions): LogIn {
  const prove = async ({ tenant, email, password, origin }: PasswordLogin): Promise<ProvedLogin> => {
    const attempt = { tenantName: tenant.name, method: 'password', name: email, secret: password, origin } as const;
    const { account, secretHash } = await secrets.verify(attempt);
    const expires = new Date(now() + sessionLifetimeMs);
    return { subject: { tenant, account, sessionId: randomUUID(), expires }, secretHash };
  };

  const open = (
    { subject, secretHash }: ProvedLogin,
    origin: RequestOrigin,
    holds: { readonly refreshToken?: string; readonly cookie?: string },
  ): Promise<void> =>
    sessions.create({
      tenantId: subject.tenant.id,
      sid: subject.sessionId,
      account: subject.account,
      expires: subject.expires,
      keyId: signer.keyId(),
      secretHash,
      ...(holds.cookie === undefined ? {} : { cookieHash: hashOpaqueToken(holds.cookie) }),
      ...(holds.refreshToken === undefined
        ? {}
        : { refreshToken: { family: randomUUID(), tokenHash: hashOpaqueToken(holds.refreshToken) } }),
      audit: sessionRecord('LOGIN', subject, {
        origin,
        metadata: { method: holds.cookie ? 'sign_in_page' : 'password' },
      }),
    });

  return {
    async forTokens(login) {
      const proved = await prove(login);
      const refreshToken = createOpaqueToken();
      const tokens = await signTokens(signer, proved.subject, refreshToken);
      await open(proved, login.origin, { refreshToken });
      return tokens;
    },
    async forCookie(login) {
      const proved = await prove(login);
      const cookie = createOpaqueToken();
      await open(proved, login.origin, { cookie });
      return { cookie, lifetimeSeconds: Math.floor(sessionLifetimeMs / 1000) };
    },
  };
}
