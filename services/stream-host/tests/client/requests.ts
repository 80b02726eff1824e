import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type BuiltClient, type BuiltUser, collectEvents } from '@sluice/testkit';
import type { TestHosts } from '../hosts/start-hosts.ts';

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body.
  readonly body: any;
  /** False when the connection was cut before the end of the body. */
  readonly isWhole: boolean;
}

export interface Sent {
  readonly method?: string;
  /** An array of names and values in turn sends a header twice. */
  readonly headers?: Record<string, string> | string[];
  readonly body?: string | Buffer;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** One request by node:http, which lets a test set Host and send headers twice. */
export const send = (url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => undefined);
      response.on('close', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString();
        const { statusCode = 0, headers: received, complete } = response;
        resolve({ status: statusCode, headers: received, bytes, text, body: parsed(text), isWhole: complete });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

export type Credential = Readonly<Record<string, string>>;

export const basic = (name: string, secret: string): Credential => ({
  authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
});
export const basicOf = (user: BuiltUser): Credential => basic(user.email, user.password);
export const idtoken = (token: string): Credential => ({ idtoken: token });
export const bearer = (token: string): Credential => ({ authorization: `Bearer ${token}` });

export const post = (url: string, body: unknown, headers: Credential = {}): Promise<Answered> =>
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
export async function logIn(hosts: Pick<TestHosts, 'api'>, user: BuiltUser, tenantName = 'acme'): Promise<Tokens> {
  const { email, password } = user;
  const answer = await post(`${hosts.api.url}/auth/login/${tenantName}`, { email, password });
  if (answer.status !== 200) throw new Error(`the login answered ${answer.status}: ${answer.text}`);
  return answer.body as Tokens;
}

/** An access token by client credentials. */
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
  if (answer.status !== 200) throw new Error(`the token endpoint answered ${answer.status}: ${answer.text}`);
  return (answer.body as Tokens).access_token;
}

/** The events of a stream, comments left out. */
export const eventsOf = (answer: Pick<Answered, 'bytes'>): Promise<Record<string, unknown>[]> =>
  collectEvents(
    (async function* () {
      yield answer.bytes;
    })(),
  );

export const queryIdOf = (answer: Pick<Answered, 'headers'>): string => String(answer.headers['x-query-id']);
