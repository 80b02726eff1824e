import { createHash, randomBytes } from 'node:crypto';
import type { ApiHostOverrides } from '@sluice/api-host';
import { type ReceivedResponse, reservePort, send } from '@sluice/testkit';
import { type CookieJar, cookieHeader } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { passwordOf, postForm } from '@sluice/testkit/requests';

export const CLIENT = 'sluice-cli';
/** Nothing listens there: the tests read the address of the redirect. */
export const REDIRECT_URI = 'http://127.0.0.1:47113/callback';

/** Starts a host whose issuer is its own address, as in a deployment. */
export async function startAuthorizationServer(
  settings: Readonly<Record<string, string>> = {},
  overrides: ApiHostOverrides = {},
): Promise<TestHost> {
  const port = await reservePort();
  return await startTestHost(
    {
      API_PORT: String(port),
      ISSUER_TEMPLATE: `http://127.0.0.1:${port}/auth/{tenant}`,
      ...settings,
    },
    overrides,
  );
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

type Fields = Readonly<Record<string, string | undefined>>;

/** Returns the fields that are defined. */
const definedFields = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined));

/** Parameters of a valid request, which `changes` replace. One that is undefined is left out. */
export const requestOf = (challenge: string, changes: Fields = {}): Record<string, string> =>
  definedFields({
    response_type: 'code',
    client_id: CLIENT,
    redirect_uri: REDIRECT_URI,
    state: 'state of the program',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  });

/** Signs a browser in with the password of ann, and returns its cookies. */
export async function signIn(
  { url }: Pick<TestHost, 'url'>,
  { tenant = 'acme', email = 'ann@example.com', password = passwordOf(tenant) } = {},
): Promise<CookieJar> {
  const answer = await postForm(`${url}/auth/sign-in/${tenant}`, { email, password }, { origin: url });
  if (answer.status !== 200) throw new Error(`the sign-in returned ${answer.status}: ${answer.text}`);
  const pairs = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]?.split('=') ?? []);
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}

/** Opens the page of a request in a browser. */
export const openRequest = (
  { url }: Pick<TestHost, 'url'>,
  parameters: Record<string, string> | string,
  { jar = new Map(), headers = {}, tenant = 'acme' }: BrowserOptions = {},
): Promise<ReceivedResponse> =>
  send(`${url}/auth/${tenant}/oauth2/authorize?${new URLSearchParams(parameters)}`, {
    headers: { accept: 'text/html', ...cookieHeader(jar), ...headers },
  });

interface BrowserOptions {
  readonly jar?: CookieJar;
  readonly headers?: Record<string, string>;
  readonly tenant?: string;
}

const HIDDEN = /<input type="hidden" name="([^"]+)" value="([^"]*)">/g;

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Returns the hidden fields of the form of a page. */
export const hiddenFieldsOf = ({ text }: ReceivedResponse): Record<string, string> =>
  Object.fromEntries([...text.matchAll(HIDDEN)].map(([, name = '', value = '']) => [name, unescaped(value)]));

/** Sends the form of a consent page. */
export const decide = (
  { url }: Pick<TestHost, 'url'>,
  fields: Record<string, string>,
  { jar = new Map(), headers = { origin: url }, tenant = 'acme' }: BrowserOptions = {},
): Promise<ReceivedResponse> =>
  postForm(`${url}/auth/${tenant}/oauth2/consent`, fields, { ...cookieHeader(jar), ...headers });

export const locationOf = ({ headers }: ReceivedResponse): URL => new URL(headers.location ?? '');

/** Lets a user consent, and returns the address with the code. */
export async function approve(
  test: Pick<TestHost, 'url'>,
  parameters: Record<string, string>,
  options: BrowserOptions,
): Promise<URL> {
  const page = await openRequest(test, parameters, options);
  const answer = await decide(test, { ...hiddenFieldsOf(page), decision: 'approve' }, options);
  if (answer.status !== 303) throw new Error(`the consent returned ${answer.status}: ${answer.text}`);
  return locationOf(answer);
}

export interface ObtainedCode extends Pkce {
  readonly code: string;
  readonly jar: CookieJar;
}

/** Returns a new code of ann. */
export async function obtainCode(test: Pick<TestHost, 'url'>, changes: Fields = {}): Promise<ObtainedCode> {
  const jar = await signIn(test);
  const pkce = createPkce();
  const location = await approve(test, requestOf(pkce.challenge, changes), { jar });
  return { ...pkce, jar, code: location.searchParams.get('code') ?? '' };
}

export const postToken = (
  { url }: Pick<TestHost, 'url'>,
  fields: Fields,
  { tenant = 'acme', headers = {} }: BrowserOptions = {},
): Promise<ReceivedResponse> => postForm(`${url}/auth/${tenant}/oauth2/token`, definedFields(fields), headers);

/** Redeems a code, with changes to the request. */
export const redeem = (
  test: Pick<TestHost, 'url'>,
  { code, verifier }: Pick<ObtainedCode, 'code' | 'verifier'>,
  changes: Fields = {},
  options: BrowserOptions = {},
): Promise<ReceivedResponse> =>
  postToken(
    test,
    {
      grant_type: 'authorization_code',
      client_id: CLIENT,
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
      ...changes,
    },
    options,
  );

/** Returns the response of GET /me. */
export const who = ({ url }: Pick<TestHost, 'url'>, accessToken: string): Promise<ReceivedResponse> =>
  send(`${url}/me`, { headers: { authorization: `Bearer ${accessToken}` } });
