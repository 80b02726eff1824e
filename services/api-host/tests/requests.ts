import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { PASSWORD, SECRET } from './start-test-host.ts';

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body.
  readonly body: any;
}

export interface Sent {
  readonly method?: string;
  /** An array of names and values in turn sends a header twice. */
  readonly headers?: Record<string, string> | string[];
  readonly body?: string;
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
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answered> =>
  send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

export const postForm = (
  url: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Answered> =>
  send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  });

export const passwordOf = (tenantName: string): string => `${PASSWORD} ${tenantName}`;
export const secretOf = (tenantName: string): string => `${SECRET} ${tenantName}`;

export const login = (url: string, tenantName = 'acme'): Promise<Answered> =>
  postJson(`${url}/auth/login/${tenantName}`, { email: 'ann@example.com', password: passwordOf(tenantName) });

export const clientToken = (url: string, tenantName = 'acme'): Promise<Answered> =>
  postForm(`${url}/auth/${tenantName}/oauth2/token`, {
    grant_type: 'client_credentials',
    client_id: 'etl',
    client_secret: secretOf(tenantName),
  });

export const refresh = (url: string, refreshToken: string, tenantName = 'acme'): Promise<Answered> =>
  postForm(`${url}/auth/refresh/${tenantName}`, { refresh_token: refreshToken });

export const basic = (name: string, secret: string): string =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
