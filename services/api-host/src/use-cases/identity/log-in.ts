import { hashOpaqueToken, type SecretVerifier } from '@sluice/auth';
import type { Tokens } from '@sluice/contract';
import type { SessionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { OpenSession, SessionCookie, VerifiedLogin } from './open-session.ts';
import type { RememberDevice } from './remember-device.ts';

export interface LogInInput {
  readonly email: string;
  readonly password: string;
  readonly deviceCookie: string | undefined;
  /** Session cookie of the browser. A login for a cookie replaces it and ends its session. */
  readonly sessionCookie: string | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface LoginResult {
  /** Undefined if the device could not be stored. */
  readonly deviceCookie: string | undefined;
}

/** Opens a session and returns its tokens. Throws `unauthorized` and `too_many_requests`. */
type LogInForTokens = (
  caller: AnonymousCaller,
  input: LogInInput,
) => Promise<LoginResult & { readonly tokens: Tokens }>;

/** Opens a session and returns its cookie, by which a page fetches the tokens. Throws `unauthorized` and `too_many_requests`. */
type LogInForCookie = (
  caller: AnonymousCaller,
  input: LogInInput,
) => Promise<LoginResult & { readonly session: SessionCookie }>;

interface LogInDependencies {
  readonly secrets: SecretVerifier;
  readonly sessions: Pick<SessionStore, 'findByCookie'>;
  readonly openSession: OpenSession;
  readonly rememberDevice: RememberDevice;
}

const createVerifyLogin =
  ({ secrets, sessions }: LogInDependencies) =>
  async (
    { tenant, origin }: AnonymousCaller,
    { email, password, deviceCookie, sessionCookie, signal }: LogInInput,
    method: 'password' | 'sign_in_page',
  ): Promise<VerifiedLogin> => {
    const found =
      sessionCookie === undefined ? undefined : await sessions.findByCookie(tenant.id, hashOpaqueToken(sessionCookie));
    const { account, secretHash } = await secrets.verify({
      tenantName: tenant.name,
      method: 'password',
      name: email,
      secret: password,
      origin,
      deviceCookie,
      session: found && { sessionId: found.sid, accountId: found.accountId },
      signal,
    });
    return { tenant, account, origin, deviceCookie, secretHash, metadata: { method } };
  };

const remember = (
  { rememberDevice }: LogInDependencies,
  { tenant, account }: VerifiedLogin,
  { deviceCookie }: LogInInput,
): Promise<string | undefined> => rememberDevice({ tenantId: tenant.id, userId: account.id, sent: deviceCookie });

export function createLogInForTokens(dependencies: LogInDependencies): LogInForTokens {
  const verify = createVerifyLogin(dependencies);
  return async (caller, input) => {
    const login = await verify(caller, input, 'password');
    const tokens = await dependencies.openSession.forTokens(login);
    return { tokens, deviceCookie: await remember(dependencies, login, input) };
  };
}

export function createLogInForCookie(dependencies: LogInDependencies): LogInForCookie {
  const verify = createVerifyLogin(dependencies);
  return async (caller, input) => {
    const login = await verify(caller, input, 'sign_in_page');
    const session = await dependencies.openSession.forCookie(login, input.sessionCookie);
    return { session, deviceCookie: await remember(dependencies, login, input) };
  };
}
