import { type Client, createClient, ResponseError, refreshSession } from '@sluice/client';
import { CommandError, NotLoggedInError } from '../errors.ts';
import {
  type AccessToken,
  type ClientCredentials,
  type Credentials,
  isFresh,
  type SessionCredentials,
} from './credentials.ts';

/** Name of a tenant and base URLs of its hosts. */
export interface TenantHosts {
  readonly tenant: string;
  readonly apiUrl: string;
  readonly streamUrl: string;
  /** Uses the proxies of the environment. Default: the global one. */
  readonly fetch?: typeof fetch;
}

interface TokenResponse {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** Creates a client for operations that need no token, such as the login. */
export const anonymousClient = (hosts: TenantHosts): Client =>
  createClient({
    ...hosts,
    auth: {
      token: () => {
        throw new Error('This client has no token.');
      },
    },
  });

/** @throws CommandError if the response has no token */
export function toAccessToken({ access_token, expires_in }: TokenResponse, obtainedAt: number): AccessToken {
  if (typeof access_token !== 'string' || !Number.isFinite(expires_in))
    throw new CommandError(
      'The login did not return a token. Check the URL of the API host and the proxies on the way.',
    );
  return { value: access_token, obtainedAt, expiresAt: obtainedAt + expires_in * 1000 };
}

/**
 * Logs in with a password.
 * @throws ResponseError 401 if the host rejects it
 */
export async function openSession(
  hosts: TenantHosts,
  { email, password }: { readonly email: string; readonly password: string },
  signal?: AbortSignal,
): Promise<SessionCredentials> {
  const obtainedAt = Date.now();
  const tokens = await anonymousClient(hosts).api.login({
    body: { email, password },
    ...(signal === undefined ? {} : { signal }),
  });
  return { kind: 'session', refreshToken: tokens.refresh_token, access: toAccessToken(tokens, obtainedAt) };
}

/**
 * Requests an access token with a client secret (RFC 6749 section 4.4).
 * @throws ResponseError 401 if the host rejects it
 */
export async function openClientSession(
  hosts: TenantHosts,
  { clientId, clientSecret }: Pick<ClientCredentials, 'clientId' | 'clientSecret'>,
  signal?: AbortSignal,
): Promise<ClientCredentials> {
  const obtainedAt = Date.now();
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret } as const;
  const token = await anonymousClient(hosts).api.requestToken({
    body: form,
    ...(signal === undefined ? {} : { signal }),
  });
  return { kind: 'client', clientId, clientSecret, access: toAccessToken(token, obtainedAt) };
}

async function renewSession(hosts: TenantHosts, { refreshToken, clientId }: SessionCredentials): Promise<Credentials> {
  const obtainedAt = Date.now();
  const { accessToken: value, expiresAt, ...next } = await refreshSession(hosts, { refreshToken, clientId });
  return { kind: 'session', clientId, ...next, access: { value, obtainedAt, expiresAt } };
}

/** Codes of RFC 6749 section 5.2 with which the host says that a credential will not work again. */
const ENDED = new Set(['invalid_grant', 'invalid_client']);

/** Returns whether the host has rejected stored credentials for good. */
const hasEnded = (error: unknown): boolean => error instanceof ResponseError && ENDED.has(error.code);

/** The stored session or secret no longer works. */
export class EndedLoginError extends NotLoggedInError {}

/**
 * Exchanges stored credentials for new ones. There is no signal: a refresh token works once, so an exchange that was begun must be
 * stored.
 * @throws EndedLoginError if the host rejects them for good
 */
export async function renewCredentials(hosts: TenantHosts, before: Credentials): Promise<Credentials> {
  try {
    return await (before.kind === 'session' ? renewSession(hosts, before) : openClientSession(hosts, before));
  } catch (error) {
    if (!hasEnded(error)) throw error;
    const message =
      before.kind === 'session'
        ? 'Your session has ended. Run `sluice login`.'
        : `The client secret of ${before.clientId} is no longer accepted. Run \`sluice login\` with a new one.`;
    throw new EndedLoginError(message, { cause: error });
  }
}

/** Ends a session on the hosts. They ignore an access token that has expired; see `endStoredSession`. */
export async function endSession(hosts: TenantHosts, credentials: Credentials, signal?: AbortSignal): Promise<void> {
  const { api } = anonymousClient(hosts);
  const options = signal === undefined ? {} : { signal };
  if (credentials.kind === 'session' && credentials.clientId !== undefined) {
    const { refreshToken: token, clientId } = credentials;
    await api.revokeToken({ body: { token, client_id: clientId }, ...options });
    return;
  }
  await api.logout({ headers: { authorization: `Bearer ${credentials.access.value}` }, ...options });
}

interface EndOptions {
  /** Stores credentials that were exchanged to end the session, in case that the end fails. */
  readonly write: (credentials: Credentials) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Ends the session of stored credentials, also one whose access token has expired. One that has ended already is not an error. Call it
 * under the lock of the store.
 */
export async function endStoredSession(
  hosts: TenantHosts,
  stored: Credentials,
  { write, signal }: EndOptions,
): Promise<void> {
  // The session of a program ends by its refresh token (RFC 7009), and that of a service account with its access token.
  const isEndable = stored.kind === 'client' || stored.clientId !== undefined || isFresh(stored.access);
  try {
    const fresh = isEndable ? stored : await renewCredentials(hosts, stored);
    if (fresh !== stored) await write(fresh);
    await endSession(hosts, fresh, signal);
  } catch (error) {
    if (!(error instanceof EndedLoginError)) throw error;
  }
}
