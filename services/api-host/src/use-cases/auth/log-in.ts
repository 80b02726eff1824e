import type { RequestOrigin, SecretVerifier } from '@sluice/auth';
import type { Tenant, Tokens } from '@sluice/contract';
import type { HeldCookie, OpenSession, ProvedLogin } from './open-session.ts';

export interface PasswordLogin {
  readonly tenant: Tenant;
  readonly email: string;
  readonly password: string;
  readonly origin: RequestOrigin;
}

export interface LogIn {
  /** Opens a session and answers its tokens. Throws `unauthorized` or `too_many_requests`. */
  forTokens(login: PasswordLogin): Promise<Tokens>;
  /** Opens a session whose tokens a page fetches later, by the cookie's value that is answered. */
  forCookie(login: PasswordLogin): Promise<HeldCookie>;
}

export interface LogInOptions {
  readonly secrets: SecretVerifier;
  readonly openSession: OpenSession;
}

export function createLogIn({ secrets, openSession }: LogInOptions): LogIn {
  const prove = async (login: PasswordLogin, method: 'password' | 'sign_in_page'): Promise<ProvedLogin> => {
    const { tenant, email, password, origin } = login;
    const attempt = { tenantName: tenant.name, method: 'password', name: email, secret: password, origin } as const;
    const { account, secretHash } = await secrets.verify(attempt);
    return { tenant, account, origin, secretHash, metadata: { method } };
  };

  return {
    forTokens: async (login) => openSession.forTokens(await prove(login, 'password')),
    forCookie: async (login) => openSession.forCookie(await prove(login, 'sign_in_page')),
  };
}
