import { type BuiltClient, type BuiltUser, collectEvents, type ReceivedResponse, send } from '@sluice/testkit';
import type { TestHosts } from '../hosts/start-hosts.ts';

export type Credential = Readonly<Record<string, string>>;

/** Value of the header `authorization`. */
export const basicHeader = (name: string, secret: string): string =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
export const basic = (name: string, secret: string): Credential => ({ authorization: basicHeader(name, secret) });
export const basicOf = (user: BuiltUser): Credential => basic(user.email, user.password);
export const idtoken = (token: string): Credential => ({ idtoken: token });
export const bearer = (token: string): Credential => ({ authorization: `Bearer ${token}` });

export const post = (url: string, body: unknown, headers: Credential = {}): Promise<ReceivedResponse> =>
  send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

export interface Tokens {
  readonly id_token: string;
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Logs the user in at the API host. */
export async function logIn(
  hosts: { readonly api: Pick<TestHosts['api'], 'url'> },
  user: BuiltUser,
  tenantName = 'acme',
): Promise<Tokens> {
  const { email, password } = user;
  const answer = await post(`${hosts.api.url}/auth/login/${tenantName}`, { email, password });
  if (answer.status !== 200) throw new Error(`the login returned ${answer.status}: ${answer.text}`);
  return answer.body as Tokens;
}

/** Requests an access token with client credentials. */
export async function clientToken(
  hosts: Pick<TestHosts, 'api'>,
  client: BuiltClient,
  tenantName = 'acme',
): Promise<string> {
  const answer = await send(`${hosts.api.url}/auth/${tenantName}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.secret,
    }).toString(),
  });
  if (answer.status !== 200) throw new Error(`the token endpoint returned ${answer.status}: ${answer.text}`);
  return (answer.body as Tokens).access_token;
}

/** Returns the events of a stream without comments. */
export const eventsOf = (answer: Pick<ReceivedResponse, 'bytes'>): Promise<Record<string, unknown>[]> =>
  collectEvents(
    (async function* () {
      yield answer.bytes;
    })(),
  );

export const queryIdOf = (answer: Pick<ReceivedResponse, 'headers'>): string => String(answer.headers['x-query-id']);
