import { randomUUID } from 'node:crypto';
import { type Client, createClient, ResponseError } from '@sluice/client';
import { CommandError, NotLoggedInError } from '../errors.ts';
import type { AccessToken, ClientCredentials, Credentials, SessionCredentials } from './credentials.ts';

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
const anonymousClient = (hosts: TenantHosts): Client =>
  createClient({
    ...hosts,
    auth: {
      token: () => {
        throw new Error('This client has no token.');
      },
    },
  });

function toAccessToken({ access_token, expires_in }: TokenResponse, obtainedAt: number): AccessToken {
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
  const { refresh_token: refreshToken, id_token: idToken } = tokens;
  return { kind: 'session', refreshToken, idToken, access: toAccessToken(tokens, obtainedAt) };
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

async function refreshSession(hosts: TenantHosts, { refreshToken }: SessionCredentials): Promise<SessionCredentials> {
  const obtainedAt = Date.now();
  const tokens = await anonymousClient(hosts).api.refresh({
    body: { refresh_token: refreshToken },
    // Marks the request as one that may be sent again: for 10 s the host returns the same tokens, for a response that was lost.
    headers: { 'idempotency-key': randomUUID() },
  });
  const { refresh_token, id_token: idToken } = tokens;
  return { kind: 'session', refreshToken: refresh_token, idToken, access: toAccessToken(tokens, obtainedAt) };
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
    return await (before.kind === 'session' ? refreshSession(hosts, before) : openClientSession(hosts, before));
  } catch (error) {
    if (!hasEnded(error)) throw error;
    const message =
      before.kind === 'session'
        ? 'Your session has ended. Run `sluice login`.'
        : `The client secret of ${before.clientId} is no longer accepted. Run \`sluice login\` with a new one.`;
    throw new EndedLoginError(message, { cause: error });
  }
}

/** Ends a session on the hosts. The host ignores a token that has expired, so pass fresh credentials. */
export async function endSession(hosts: TenantHosts, credentials: Credentials, signal?: AbortSignal): Promise<void> {
  await anonymousClient(hosts).api.logout({
    headers:
      credentials.kind === 'session'
        ? { idtoken: credentials.idToken }
        : { authorization: `Bearer ${credentials.access.value}` },
    ...(signal === undefined ? {} : { signal }),
  });
}
