import { ResponseError } from '../errors.ts';
import { readAnswer } from '../http/read-json.ts';
import type { RequestInput, SendRequest } from '../http/send-request.ts';
import type {
  Auth,
  ClientCredentialsAuth,
  OnTokens,
  PasswordAuth,
  SessionTokens,
  StoredSessionAuth,
  TokenProviderAuth,
} from './auth.ts';
import type { Token } from './token-source.ts';

interface TokenResponse {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  readonly refresh_token?: string;
}

/** Connection to the API host for a login. */
interface LoginContext {
  readonly tenant: string;
  readonly send: SendRequest;
  readonly timeoutMs: number;
}

type TokenRequest = () => Promise<Token>;

type LoginRequest = Pick<RequestInput, 'operation' | 'path' | 'repeatability'> & {
  readonly body?: string | URLSearchParams;
  readonly sendsCookies?: boolean;
};

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** The host says 204 to a page without a session, because browsers log each 401 as an error. For programs both are the same error. */
const noSession = (): ResponseError =>
  new ResponseError('unauthorized', 'There is no session. Sign in first.', { status: 401 });

async function requestTokens(context: LoginContext, { body, ...request }: LoginRequest): Promise<TokenResponse> {
  const isForm = body instanceof URLSearchParams;
  const response = await context.send({
    ...request,
    host: 'api',
    method: 'POST',
    ...(body === undefined ? {} : { body: body.toString(), headers: isForm ? FORM_TYPE : JSON_TYPE }),
    isAuthenticated: false,
    timeoutMs: context.timeoutMs,
  });
  if (response.status === 204) throw noSession();
  const { operation } = request;
  return (await readAnswer(response, { operation, timeoutMs: context.timeoutMs })) as TokenResponse;
}

const tokenFrom = ({ access_token, expires_in }: TokenResponse, obtainedAt: number): Token => ({
  value: access_token,
  obtainedAt,
  expiresAt: obtainedAt + expires_in * 1000,
});

/** Token of a session, which is stored before it is used. */
function sessionToken(tokens: TokenResponse, obtainedAt: number, onTokens: OnTokens | undefined): Token {
  const token = tokenFrom(tokens, obtainedAt);
  const { refresh_token: refreshToken } = tokens;
  if (onTokens === undefined || refreshToken === undefined) return token;
  const stored = { accessToken: token.value, refreshToken, expiresAt: obtainedAt + tokens.expires_in * 1000 };
  return { ...token, store: () => onTokens(stored) };
}

/** A refresh token, with the client id to which it is bound if it is that of a program (RFC 6749 section 6). */
export interface RefreshTokenInput {
  readonly refreshToken: string;
  readonly clientId?: string | undefined;
}

/** Exchanges a refresh token: the only request that does so. */
function exchange(context: LoginContext, { refreshToken, clientId }: RefreshTokenInput): Promise<TokenResponse> {
  const tenant = encodeURIComponent(context.tenant);
  // The previous token is accepted again for 10 s, for retries.
  const repeatability = 'safe';
  if (clientId === undefined) {
    const body = new URLSearchParams({ refresh_token: refreshToken });
    return requestTokens(context, { operation: 'refresh', path: `/auth/refresh/${tenant}`, body, repeatability });
  }
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });
  return requestTokens(context, {
    operation: 'requestToken',
    path: `/auth/${tenant}/oauth2/token`,
    body,
    repeatability,
  });
}

/**
 * Exchanges a refresh token once for the tokens that replace it.
 * @throws ResponseError `invalid_grant` if the session has ended
 */
export async function exchangeRefreshToken(context: LoginContext, input: RefreshTokenInput): Promise<SessionTokens> {
  const obtainedAt = Date.now();
  const tokens = await exchange(context, input);
  return {
    accessToken: tokens.access_token,
    // RFC 6749 section 6: a response without one lets the old one be used again.
    refreshToken: tokens.refresh_token ?? input.refreshToken,
    expiresAt: obtainedAt + tokens.expires_in * 1000,
  };
}

const isOver = (error: unknown): boolean => error instanceof ResponseError && error.code === 'invalid_grant';

/** Logs in with a password, and then exchanges refresh tokens until one is rejected. */
function passwordLogin(context: LoginContext, { email, password, onTokens }: PasswordAuth): TokenRequest {
  let refreshToken: string | undefined;
  const logIn = () =>
    requestTokens(context, {
      operation: 'login',
      path: `/auth/login/${encodeURIComponent(context.tenant)}`,
      body: JSON.stringify({ email, password }),
      repeatability: 'change',
    });
  const refreshOrLogIn = (token: string): Promise<TokenResponse> =>
    exchange(context, { refreshToken: token }).catch((error: unknown) => {
      if (isOver(error)) return logIn();
      throw error;
    });
  return async () => {
    const obtainedAt = Date.now();
    const tokens = await (refreshToken === undefined ? logIn() : refreshOrLogIn(refreshToken));
    refreshToken = tokens.refresh_token;
    return sessionToken(tokens, obtainedAt, onTokens);
  };
}

/** Exchanges the refresh tokens of a session that was opened before. */
function storedSession(context: LoginContext, auth: StoredSessionAuth): TokenRequest {
  const { clientId } = auth;
  let last = auth.refreshToken;
  return async () => {
    const obtainedAt = Date.now();
    const tokens = await exchange(context, { refreshToken: last, clientId });
    last = tokens.refresh_token ?? last;
    return sessionToken(tokens, obtainedAt, auth.onTokens);
  };
}

function clientCredentials(context: LoginContext, auth: ClientCredentialsAuth): TokenRequest {
  return async () => {
    const obtainedAt = Date.now();
    const form = { grant_type: 'client_credentials', client_id: auth.clientId, client_secret: auth.clientSecret };
    const tokens = await requestTokens(context, {
      operation: 'requestToken',
      path: `/auth/${encodeURIComponent(context.tenant)}/oauth2/token`,
      body: new URLSearchParams(form),
      repeatability: 'change',
    });
    return tokenFrom(tokens, obtainedAt);
  };
}

function cookieSession(context: LoginContext): TokenRequest {
  return async () => {
    const obtainedAt = Date.now();
    const tokens = await requestTokens(context, {
      operation: 'sessionTokens',
      path: `/auth/session/${encodeURIComponent(context.tenant)}`,
      repeatability: 'change',
      sendsCookies: true,
    });
    return tokenFrom(tokens, obtainedAt);
  };
}

function provided({ token }: TokenProviderAuth): TokenRequest {
  return async () => {
    const obtainedAt = Date.now();
    const result = await token();
    if (typeof result === 'string') return { value: result, obtainedAt, expiresAt: undefined };
    return { value: result.accessToken, obtainedAt, expiresAt: result.expiresAt };
  };
}

const areStrings = (...values: readonly unknown[]): boolean =>
  values.every((value) => typeof value === 'string' && value !== '');

const isStoredSession = (auth: Auth): auth is StoredSessionAuth =>
  'refreshToken' in auth && areStrings(auth.refreshToken) && typeof auth.onTokens === 'function';

/** Returns the token that a stored session begins with, if it may still be valid. */
export function storedToken(auth: Auth): Token | undefined {
  if (!('refreshToken' in auth) || auth.accessToken === undefined || auth.expiresAt === undefined) return undefined;
  return { value: auth.accessToken, obtainedAt: Date.now(), expiresAt: auth.expiresAt };
}

/** Returns the value of the header that carries the Basic credentials of `auth` (RFC 7617: UTF-8), if it has any. */
export function basicAuthorization(auth: Auth): string | undefined {
  // Programs in JavaScript may leave `auth` out, which createTokenRequest reports.
  const basic = (auth as Partial<TokenProviderAuth> | undefined)?.basic;
  if (basic === undefined) return undefined;
  const bytes = new TextEncoder().encode(`${basic.email}:${basic.password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/**
 * Returns the function that requests a token as `auth` says.
 * @throws TypeError if `auth` has none of the known shapes
 */
export function createTokenRequest(context: LoginContext, auth: Auth): TokenRequest {
  // Programs in JavaScript may leave it out.
  const request = typeof auth === 'object' && auth !== null ? toTokenRequest(context, auth) : undefined;
  if (request !== undefined) return request;
  throw new TypeError(
    'auth must have email and password, clientId and clientSecret, refreshToken and onTokens, session, or a function token.',
  );
}

function toTokenRequest(context: LoginContext, auth: Auth): TokenRequest | undefined {
  if ('email' in auth && areStrings(auth.email, auth.password)) return passwordLogin(context, auth);
  if (isStoredSession(auth)) return storedSession(context, auth);
  if ('clientSecret' in auth && areStrings(auth.clientId, auth.clientSecret)) return clientCredentials(context, auth);
  if ('session' in auth && auth.session === 'cookie') return cookieSession(context);
  return 'token' in auth && typeof auth.token === 'function' ? provided(auth) : undefined;
}
