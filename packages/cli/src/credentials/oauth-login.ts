import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, ResponseError } from '@sluice/client';
import { CommandError } from '../errors.ts';
import type { SessionCredentials } from './credentials.ts';
import { anonymousClient, type TenantHosts, toAccessToken } from './renew-credentials.ts';

/** Client id of the command line, which every authorization server of Sluice knows. It has no secret. */
const CLIENT_ID = 'sluice-cli';

type ServerMetadata = Awaited<ReturnType<Client['api']['authorizationServerMetadata']>>;
type GrantedTokens = Awaited<ReturnType<Client['api']['requestToken']>>;

/** Returns the addresses of the authorization server of a tenant (RFC 8414). */
export const findAuthorizationServer = (hosts: TenantHosts, signal: AbortSignal): Promise<ServerMetadata> =>
  anonymousClient(hosts).api.authorizationServerMetadata({ signal });

const isWebAddress = (address: string): boolean =>
  URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);

/** @throws CommandError if an address that the user is going to open is not one of a web page */
export function requireWebAddress(address: string): string {
  if (isWebAddress(address)) return address;
  throw new CommandError('The API host named no web page for the login. Check its URL and the proxies on the way.');
}

function sessionOf(tokens: GrantedTokens, obtainedAt: number): SessionCredentials {
  const { refresh_token: refreshToken } = tokens;
  if (typeof refreshToken !== 'string')
    throw new CommandError('The login did not return a refresh token. Check the URL of the API host.');
  return { kind: 'session', clientId: CLIENT_ID, refreshToken, access: toAccessToken(tokens, obtainedAt) };
}

/** Secrets of one login, and the address at which the browser begins it. */
export interface AuthorizationRequest {
  readonly url: string;
  readonly state: string;
  readonly codeVerifier: string;
}

/** Creates the request for a code that only this process can redeem (RFC 7636). */
export function createAuthorizationRequest(server: ServerMetadata, redirectUri: string): AuthorizationRequest {
  const state = randomBytes(32).toString('base64url');
  const codeVerifier = randomBytes(32).toString('base64url');
  const url = new URL(requireWebAddress(server.authorization_endpoint));
  const parameters = {
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, state, codeVerifier };
}

/** Opens the session of a code. */
export async function redeemCode(
  hosts: TenantHosts,
  {
    code,
    redirectUri,
    codeVerifier,
  }: { readonly code: string; readonly redirectUri: string; readonly codeVerifier: string },
  signal: AbortSignal,
): Promise<SessionCredentials> {
  const obtainedAt = Date.now();
  const form = {
    grant_type: 'authorization_code',
    client_id: CLIENT_ID,
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  };
  return sessionOf(await anonymousClient(hosts).api.requestToken({ body: form, signal }), obtainedAt);
}

/** Codes of a login that the user approves on another device. */
export type DeviceCodes = Awaited<ReturnType<Client['api']['authorizeDevice']>>;

/** Begins a login that the user approves in a browser elsewhere (RFC 8628). */
export const beginDeviceLogin = (hosts: TenantHosts, signal: AbortSignal): Promise<DeviceCodes> =>
  anonymousClient(hosts).api.authorizeDevice({ body: { client_id: CLIENT_ID }, signal });

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const INTERVAL_DEFAULT_SECONDS = 5;
/** Added to the interval when the host asks for it (RFC 8628 section 3.5). */
const SLOW_DOWN_SECONDS = 5;
/** Longest login, whatever the host says. */
const EXPIRES_MAX_SECONDS = 1800;

/** Sentences for the errors that end the login of a device. */
const ENDED: Readonly<Record<string, string>> = {
  access_denied: 'The login was not allowed on the page. Nothing was kept.',
  expired_token: 'The code has expired. Run `sluice login` again.',
  invalid_grant: 'The code is no longer valid. Run `sluice login` again.',
};

/**
 * Asks for the tokens until the user has decided.
 * @throws CommandError if the user denies the login, or the code expires
 */
export async function awaitDeviceLogin(
  hosts: TenantHosts,
  codes: DeviceCodes,
  signal: AbortSignal,
): Promise<SessionCredentials> {
  const { api } = anonymousClient(hosts);
  const form = { grant_type: DEVICE_GRANT, client_id: CLIENT_ID, device_code: codes.device_code };
  const endsAt = Date.now() + Math.min(codes.expires_in, EXPIRES_MAX_SECONDS) * 1000;
  let intervalSeconds = codes.interval > 0 ? codes.interval : INTERVAL_DEFAULT_SECONDS;
  while (Date.now() < endsAt) {
    await delay(intervalSeconds * 1000, undefined, { signal });
    try {
      const obtainedAt = Date.now();
      return sessionOf(await api.requestToken({ body: form, signal }), obtainedAt);
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      if (error.code === 'slow_down') intervalSeconds += SLOW_DOWN_SECONDS;
      else if (error.code !== 'authorization_pending')
        throw ENDED[error.code] === undefined ? error : new CommandError(ENDED[error.code] ?? '', { cause: error });
    }
  }
  throw new CommandError(ENDED['expired_token'] ?? '');
}
