import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { denyingRoute, failingRoute, guardedRoute } from '../../testing/sample-routes.ts';
import { operation, type Started, startApp } from '../../testing/start-app.ts';
import { type AppOptions, json, route } from '../index.ts';

const oauth = operation({
  id: 'oauth',
  method: 'POST',
  path: '/token',
  oauthErrors: true,
  body: {
    schema: z.object({ grant_type: z.string({ error: 'grant_type is "required"' }) }),
    mediaTypes: ['application/x-www-form-urlencoded'],
    bytesMax: 1000,
    valuesMax: 10,
  },
});

let started: Started;

beforeAll(async () => {
  started = await startApp({
    routes: [guardedRoute, failingRoute, denyingRoute, route(oauth, async ({ body }) => json(200, body))],
  });
});
afterAll(async () => await started[Symbol.asyncDispose]());

const errorOf = async (response: Response): Promise<[number, unknown]> => {
  const body = (await response.json()) as Record<string, unknown>;
  expect(body['request_id']).toBe(response.headers.get('x-request-id'));
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  return [response.status, body['error']];
};

describe('problems', () => {
  it('hide the cause of internal errors', async () => {
    const response = await fetch(started.address('/failing'));
    const text = await response.clone().text();
    expect(await errorOf(response)).toEqual([500, 'internal']);
    expect(text).not.toMatch(/db-7|SELECT|node_modules|\.ts|at /);
    expect(response.headers.get('x-powered-by')).toBeNull();
  });

  it('follow RFC 6749 for token endpoints', async () => {
    const send = (body: string, contentType = 'application/x-www-form-urlencoded') =>
      fetch(started.address('/token'), { method: 'POST', body, headers: { 'content-type': contentType } });
    const response = await send('x=1');
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = (await response.json()) as Record<string, string>;
    expect(Object.keys(body)).toEqual(['error', 'error_description']);
    expect(body['error']).toBe('invalid_request');
    expect(body['error_description']).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(await (await send('grant_type=a&grant_type=b')).json()).toMatchObject({ error: 'invalid_request' });
    expect(await (await send('{}', 'application/json')).json()).toMatchObject({ error: 'invalid_request' });
    expect(await (await send('grant_type=a&other=1')).json()).toEqual({ grant_type: 'a' });
  });

  it('list the authentication schemes, but only Bearer for a browser script', async () => {
    const challenges = async (request: string, ...headers: string[]) => {
      const { text } = await started.raw([`${request} HTTP/1.1`, 'Host: x', ...headers]);
      return [...text.matchAll(/^www-authenticate: (.*)\r$/gim)].map(([, challenge]) => challenge);
    };
    expect(await challenges('POST /guarded')).toEqual([
      'Basic realm="sluice", charset="UTF-8"',
      'Bearer realm="sluice"',
    ]);
    expect(await challenges('POST /guarded', 'Sec-Fetch-Mode: cors')).toEqual(['Bearer realm="sluice"']);
    expect(await challenges('GET /denying')).toEqual(['Bearer realm="sluice", header="idtoken"']);
  });
});

describe('a login in a browser', () => {
  const challenged = operation({
    id: 'challenged',
    path: '/challenged',
    credentials: ['basic', 'bearer'],
    externalLogin: true,
  });
  const routes = [guardedRoute, denyingRoute, route(challenged, async () => json(200, {}))];
  const addresses = { redirectUrl: 'https://api.test/page?login=x', tokenUrl: 'https://api.test/token?secret=y' };
  const BASIC = 'Basic realm="sluice", charset="UTF-8"';
  const challengesOf = async (request: string, options: Partial<AppOptions>, headers: readonly string[] = []) => {
    await using app = await startApp({ routes, ...options });
    const { text } = await app.raw([`${request} HTTP/1.1`, 'Host: x', ...headers]);
    return [...text.matchAll(/^www-authenticate: (.*)\r$/gim)].map(([, challenge]) => challenge);
  };

  it('is named in the Bearer challenge of operations that have it, and of no others', async () => {
    const asked: unknown[] = [];
    const externalLogin: AppOptions['externalLogin'] = async (client) => {
      asked.push(client);
      return addresses;
    };
    const headers = ['User-Agent: trino-jdbc/476', 'X-Trino-Source: DBeaver'];
    expect(await challengesOf('GET /challenged', { externalLogin }, headers)).toEqual([
      BASIC,
      'Bearer realm="sluice", x_redirect_server="https://api.test/page?login=x", x_token_server="https://api.test/token?secret=y"',
    ]);
    expect(asked).toEqual([
      { tenantName: undefined, address: '127.0.0.1', userAgent: 'trino-jdbc/476', source: 'DBeaver' },
    ]);
    expect(await challengesOf('POST /guarded', { externalLogin })).toEqual([BASIC, 'Bearer realm="sluice"']);
    expect(asked).toHaveLength(1);
  });

  it('is not named if there is none, or if it fails', async () => {
    const plain = [BASIC, 'Bearer realm="sluice"'];
    expect(await challengesOf('GET /challenged', {})).toEqual(plain);
    expect(await challengesOf('GET /challenged', { externalLogin: async () => undefined })).toEqual(plain);
    const externalLogin = () => Promise.reject(new Error('the database is away'));
    expect(await challengesOf('GET /challenged', { externalLogin })).toEqual(plain);
  });
});
