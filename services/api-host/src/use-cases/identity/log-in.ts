import { hashOpaqueToken, type RequestOrigin, type SecretVerifier } from '@sluice/auth';
import type { Tenant, Tokens } from '@sluice/contract';
import type { SessionStore } from '@sluice/store/identity';
import type { HeldCookie, OpenSession, ProvedLogin } from './open-session.ts';
import type { RememberDevice } from './remember-device.ts';

export interface PasswordLogin {
  readonly tenant: Tenant;
  readonly email: string;
  readonly password: string;
  readonly origin: RequestOrigin;
  readonly deviceCookie: string | undefined;
  readonly sessionCookie: string | undefined;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

export interface LogIn {
  /** Opens a session and answers its tokens. Throws `unauthorized` or `too_many_requests`. */
  forTokens(login: PasswordLogin): Promise<{ readonly tokens: Tokens; readonly deviceCookie: string | undefined }>;
  /** Opens a session whose tokens a page fetches later, by the cookie's value that is answered. */
  forCookie(login: PasswordLogin): Promise<{ readonly held: HeldCookie; readonly deviceCookie: string | undefined }>;
}

export interface LogInOptions {
  readonly secrets: SecretVerifier;
  readonly sessions: Pick<SessionStore, 'findByCookie'>;
  readonly openSession: OpenSession;
  readonly rememberDevice: RememberDevice;
}

export function createLogIn({ secrets, sessions, openSession, rememberDevice }: LogInOptions): LogIn {
  const findSession = async ({ tenant, sessionCookie }: PasswordLogin) => {
    if (sessionCookie === undefined) return undefined;
    const held = await sessions.findByCookie(tenant.id, hashOpaqueToken(sessionCookie));
    return held && { sessionId: held.sid, accountId: held.accountId };
  };

  const prove = async (login: PasswordLogin, method: 'password' | 'sign_in_page'): Promise<ProvedLogin> => {
    const { tenant, email, password, origin, deviceCookie, signal } = login;
    const session = await findSession(login);
    const { account, secretHash } = await secrets.verify({
      tenantName: tenant.name,
      method: 'password',
      name: email,
      secret: password,
      origin,
      deviceCookie,
      session,
      signal,
    });
    return { tenant, account, origin, secretHash, metadata: { method } };
  };

  const remember = ({ tenant, deviceCookie }: PasswordLogin, { account }: ProvedLogin) =>
    rememberDevice({ tenantId: tenant.id, userId: account.id, sent: deviceCookie });

  return {
    async forTokens(login) {
      const proved = await prove(login, 'password');
      const tokens = await openSession.forTokens(proved);
      return { tokens, deviceCookie: await remember(login, proved) };
    },
    async forCookie(login) {
      const proved = await prove(login, 'sign_in_page');
      const held = await openSession.forCookie(proved);
      return { held, deviceCookie: await remember(login, proved) };
    },
  };
}
