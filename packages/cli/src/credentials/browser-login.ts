import { CommandError } from '../errors.ts';
import type { SessionCredentials } from './credentials.ts';
import { type LoopbackResponse, openLoopbackServer } from './loopback-server.ts';
import { createAuthorizationRequest, findAuthorizationServer, redeemCode } from './oauth-login.ts';
import type { TenantHosts } from './renew-credentials.ts';

/** Enough for a login with a second factor; the page itself expires then. */
const LOGIN_MAX_MS = 600_000;

interface BrowserLogin {
  readonly signal: AbortSignal;
  /** Shows the address to the user and opens it. Returns false if there is no browser: then the login is given up. */
  readonly open: (url: string) => Promise<boolean>;
}

/** Returns the code of a response. @throws CommandError for an error, or for the response of another server (RFC 9207) */
function codeOf({ query }: LoopbackResponse, issuer: string): string {
  if (query.get('iss') !== issuer)
    throw new CommandError('The response came from another server than the login was sent to. Nothing was kept.');
  const [error, code] = [query.get('error'), query.get('code')];
  if (error === 'access_denied') throw new CommandError('The login was not allowed in the browser. Nothing was kept.');
  if (error !== null)
    throw new CommandError(`The API host rejected the login: ${query.get('error_description') ?? error}`);
  if (code === null) throw new CommandError('The response has no code. Run `sluice login` again.');
  return code;
}

const tooLate = (): CommandError =>
  new CommandError('The login in the browser was not finished within ten minutes. Run `sluice login` again.');

/**
 * Logs in with the browser of the user (RFC 8252).
 * @returns undefined if there is no browser
 * @throws CommandError if the user denies the login, or does not finish it in time
 */
export async function logInByBrowser(
  hosts: TenantHosts,
  { signal, open }: BrowserLogin,
): Promise<SessionCredentials | undefined> {
  const server = await findAuthorizationServer(hosts, signal);
  await using loopback = await openLoopbackServer();
  const { redirectUri } = loopback;
  const { url, state, codeVerifier } = createAuthorizationRequest(server, redirectUri);
  const limit = AbortSignal.timeout(LOGIN_MAX_MS);
  const waiting = loopback.response(state, AbortSignal.any([signal, limit]));
  waiting.catch(() => undefined);
  if (!(await open(url))) return undefined;
  const response = await waiting.catch((error: unknown) => {
    throw limit.aborted && !signal.aborted ? tooLate() : error;
  });
  try {
    const code = codeOf(response, server.issuer);
    const credentials = await redeemCode(hosts, { code, redirectUri, codeVerifier }, signal);
    await response.redirect(new URL('finished', server.authorization_endpoint).href);
    return credentials;
  } catch (error) {
    await response.fail();
    throw error;
  }
}
