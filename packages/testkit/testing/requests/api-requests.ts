import { type ReceivedResponse, send } from '@sluice/testkit';
import { PASSWORD, SECRET } from '../hosts/start-test-host.ts';

export const postJson = (
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  localAddress?: string,
): Promise<ReceivedResponse> =>
  send(url, {
    ...(localAddress === undefined ? {} : { localAddress }),
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

export const postForm = (
  url: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<ReceivedResponse> =>
  send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  });

export const passwordOf = (tenantName: string): string => `${PASSWORD} ${tenantName}`;
export const secretOf = (tenantName: string): string => `${SECRET} ${tenantName}`;

export const login = (url: string, tenantName = 'acme'): Promise<ReceivedResponse> =>
  postJson(`${url}/auth/login/${tenantName}`, { email: 'ann@example.com', password: passwordOf(tenantName) });

export const requestClientToken = (url: string, tenantName = 'acme'): Promise<ReceivedResponse> =>
  postForm(`${url}/auth/${tenantName}/oauth2/token`, {
    grant_type: 'client_credentials',
    client_id: 'etl',
    client_secret: secretOf(tenantName),
  });

export const refresh = (url: string, refreshToken: string, tenantName = 'acme'): Promise<ReceivedResponse> =>
  postForm(`${url}/auth/refresh/${tenantName}`, { refresh_token: refreshToken });
