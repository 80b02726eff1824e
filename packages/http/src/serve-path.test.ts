import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { z } from 'zod';
import { rawExchange } from '../testing/raw-exchange.ts';
import { operation, type Started, startApp } from '../testing/start-app.ts';
import { json, route } from './index.ts';

const jsonOperationBody = (bytesMax: number) =>
  ({
    schema: z.strictObject({ name: z.string(), size: z.int().min(1).optional() }),
    mediaTypes: ['application/json'],
    bytesMax,
  }) as const;

const guarded = operation({
  id: 'guarded',
  method: 'POST',
  path: '/guarded',
  credentials: ['basic', 'idtoken', 'bearer'],
  permission: 'query:run',
  body: jsonOperationBody(4000),
});
const byId = operation({
  id: 'byId',
  path: '/things/{id}',
  params: z.strictObject({ id: z.string() }),
  query: z.strictObject({ page: z.string().optional() }),
});
const ofTenant = operation({ id: 'ofTenant', path: '/of/{tenant}', params: z.strictObject({ tenant: z.string() }) });
const literal = operation({ id: 'literal', path: '/things/all' });
const withEffect = operation({ id: 'withEffect', path: '/effect', hasEffect: true });
const failing = operation({ id: 'failing', path: '/failing' });
const denying = operation({ id: 'denying', path: '/denying', credentials: ['idtoken'] });
const ignoring = operation({ id: 'ignoring', method: 'POST', path: '/ignoring' });
const oauth = operation({
  id: 'oauth',
  method: 'POST',
  path: '/token',
  oauthErrors: true,
  body: {
    schema: z.object({ grant_type: z.string({ error: 'grant_type is "required"' }) }),
    mediaTypes: ['application/x-www-form-urlencoded'],
    bytesMax: 1000,
  },
});

let effects = 0;
let started: Started;

beforeAll(async () => {
  started = await startApp({
    routes: [
      route(guarded, async ({ body, principal, tenant }) =>
        json(200, { name: body.name, user: principal.name, tenant: tenant.name }),
      ),
      route(byId, async ({ params, query }) => json(200, { id: params.id, page: query.page })),
      route(ofTenant, async ({ tenant }) => json(200, { tenant: tenant.name })),
      route(literal, async () => json(200, { literal: true })),
      route(withEffect, async () => json(200, { effects: ++effects })),
      route(failing, async () => {
        throw new Error('connection to db-7.internal refused for SELECT secret');
      }),
      route(denying, async () => {
        throw new ProblemError('access_denied', 'Not yours.');
      }),
      route(ignoring, async ({ headers, cookies, address, baseUrl }) =>
        json(200, { x: headers.get('X-Thing'), c: cookies.get('sid'), address, baseUrl }),
      ),
      route(oauth, async ({ body }) => json(200, body)),
    ],
  });
});
afterAll(async () => await started[Symbol.asyncDispose]());

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(started.address(path), {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', idtoken: 'ann@acme', ...headers },
  });

const errorOf = async (response: Response): Promise<[number, unknown]> => {
  const body = (await response.json()) as Record<string, unknown>;
  expect(body['request_id']).toBe(response.headers.get('x-request-id'));
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  return [response.status, body['error']];
};

const raw = (lines: readonly string[], body = '') =>
  rawExchange(started.server.port, `${[...lines, 'Connection: close', '', ''].join('\r\n')}${body}`);

describe('the order of steps', () => {
  it('gives a handler what the steps before it have found', async () => {
    const response = await post('/guarded', '{"name":"x"}');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ name: 'x', user: 'ann@acme', tenant: 'acme' });
  });

  it('refuses a stranger before it looks at the body', async () => {
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }, {}]) {
      const response = await post('/guarded', 'not json', { ...headers, idtoken: 'stranger' });
      expect(await errorOf(response)).toEqual([401, 'unauthorized']);
    }
  });

  it('answers a stranger although a body is announced that never comes', async () => {
    const { status } = await raw(['POST /guarded HTTP/1.1', 'Host: x', 'Content-Length: 999']);
    expect(status).toBe(401);
  });

  it('refuses for lack of permission before it looks at the body, and has that recorded once', async () => {
    const before = started.denials.length;
    const response = await post('/guarded', 'not json', { idtoken: 'nobody@acme', 'x-request-id': 'denied-1' });
    expect(await errorOf(response)).toEqual([403, 'access_denied']);
    expect(started.denials.slice(before)).toMatchObject([
      {
        requestId: 'denied-1',
        permission: 'query:run',
        principal: { name: 'nobody@acme' },
        operation: { id: 'guarded' },
      },
    ]);
  });

  it('has a refusal by the handler itself recorded too', async () => {
    const before = started.denials.length;
    const response = await fetch(started.address('/denying'), { headers: { idtoken: 'ann@acme' } });
    expect(await errorOf(response)).toEqual([403, 'access_denied']);
    expect(started.denials.slice(before)).toHaveLength(1);
    expect(started.denials.at(-1)?.permission).toBeUndefined();
  });

  it('refuses the callers of a suspended tenant', async () => {
    expect(await errorOf(await post('/guarded', '{"name":"x"}', { idtoken: 'ann@halted' }))).toEqual([
      403,
      'access_denied',
    ]);
    expect(await errorOf(await fetch(started.address('/of/halted')))).toEqual([403, 'access_denied']);
  });
});

describe('request ids', () => {
  it('are taken from the caller when sane, made otherwise, and echoed', async () => {
    const answer = async (id: string) =>
      (await fetch(started.address('/things/all'), { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await answer('abc-123!~')).toBe('abc-123!~');
    expect(await answer('a'.repeat(128))).toBe('a'.repeat(128));
    for (const id of ['', 'a b', 'a'.repeat(129), 'caf\u00e9']) expect(await answer(id)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('stand in every log line of the request', async () => {
    await fetch(started.address('/failing'), { headers: { 'x-request-id': 'find-me' } });
    const lines = started.logLines().filter((line) => line['requestId'] === 'find-me');
    expect(lines.some((line) => line['problem'] === 'internal')).toBe(true);
  });
});

describe('the tenant', () => {
  const withHost = (host: string, path = '/of/acme', idtoken = 'ann@acme') =>
    raw([`GET ${path} HTTP/1.1`, `Host: ${host}`, `idtoken: ${idtoken}`]);

  it('comes from the host name, without case, port and trailing dot', async () => {
    for (const host of ['acme-stream.d', 'ACME-Stream.D:80', 'acme-stream.localhost.']) {
      expect((await withHost(host)).status).toBe(200);
    }
  });

  it('is not found when the host name names an unknown or malformed one', async () => {
    for (const host of ['nosuch-stream.d', '-stream.d', 'a_b-stream.d', 'constructor-stream.d']) {
      expect((await withHost(host, '/things/all')).status).toBe(404);
    }
  });

  it('is not found when the path names another than the host, or an unknown one', async () => {
    expect((await withHost('globex-stream.d')).status).toBe(404);
    for (const name of ['nosuch', 'ACME', '..%2facme', '%00', '__proto__']) {
      expect((await withHost('x', `/of/${name}`)).status).toBe(404);
    }
  });

  it('of the host is not that of the token: 401', async () => {
    const { status } = await raw([
      'POST /guarded HTTP/1.1',
      'Host: globex-stream.d',
      'idtoken: ann@acme',
      'Content-Length: 0',
    ]);
    expect(status).toBe(401);
  });

  it('is not taken from X-Forwarded-Host of a stranger', async () => {
    const { status } = await raw(['GET /of/acme HTTP/1.1', 'Host: acme-stream.d', 'X-Forwarded-Host: globex-stream.d']);
    expect(status).toBe(200);
  });

  it('cannot be read in two ways: two Host headers, none, or another in the target are 400', async () => {
    expect((await raw(['GET /of/acme HTTP/1.1', 'Host: acme-stream.d', 'Host: globex-stream.d'])).status).toBe(400);
    expect((await raw(['GET /of/acme HTTP/1.1'])).status).toBe(400);
    expect((await raw(['GET http://globex-stream.d/of/acme HTTP/1.1', 'Host: acme-stream.d'])).status).toBe(400);
    expect((await raw(['GET http://acme-stream.d/of/acme HTTP/1.1', 'Host: acme-stream.d'])).status).toBe(200);
  });
});

describe('paths and methods', () => {
  it('answers unknown paths with our JSON', async () => {
    for (const path of [
      '/nosuch',
      '/Guarded',
      '/THINGS/all',
      '/things',
      '/things/a/b',
      '//things/all',
      '/constructor',
    ]) {
      expect(await errorOf(await fetch(started.address(path)))).toEqual([404, 'not_found']);
    }
  });

  it('takes a trailing slash for the same path, and a literal path before one with a parameter', async () => {
    expect(await (await fetch(started.address('/things/all/'))).json()).toEqual({ literal: true });
    expect(await (await fetch(started.address('/things/x/?page=2'))).json()).toEqual({ id: 'x', page: '2' });
  });

  it('answers a wrong method with 405 and Allow', async () => {
    const response = await fetch(started.address('/guarded'), { method: 'PUT', body: 'x' });
    expect(await errorOf(response)).toEqual([405, 'method_not_allowed']);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    expect((await raw(['BREW /things/all HTTP/1.1', 'Host: x'])).status).toBe(400);
    expect((await raw(['PROPFIND /things/all HTTP/1.1', 'Host: x'])).status).toBe(405);
    expect((await raw(['TRACE /things/all HTTP/1.1', 'Host: x'])).status).toBe(405);
  });

  it('answers HEAD as GET without the body, and never where GET has an effect', async () => {
    const response = await fetch(started.address('/things/all'), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('16');
    expect(await response.text()).toBe('');
    const refused = await fetch(started.address('/effect'), { method: 'HEAD' });
    expect(refused.status).toBe(405);
    expect(refused.headers.get('allow')).toBe('GET, OPTIONS');
    expect(effects).toBe(0);
  });

  it('answers OPTIONS without Origin with 204 and Allow', async () => {
    const response = await fetch(started.address('/things/all'), { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await fetch(started.address('/nosuch'), { method: 'OPTIONS' })).status).toBe(404);
  });

  it('never fails on a hostile path', async () => {
    const paths = [
      '%',
      '%zz',
      '%ff',
      '%00',
      '%0d%0aX-Evil:1',
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e',
      '%c0%ae',
      '%ed%a0%80',
      '\\',
    ];
    for (const path of paths) {
      const { status, headers } = await raw([`GET /things/${path} HTTP/1.1`, 'Host: x']);
      expect([path, status === 200 || status === 400 || status === 404]).toEqual([path, true]);
      expect(headers['x-evil']).toBeUndefined();
    }
  });

  it('refuses to be made of two routes that serve the same', async () => {
    const twice = [route(literal, async () => json(200, 1)), route(literal, async () => json(200, 2))];
    await expect(startApp({ routes: twice })).rejects.toThrow('Two routes serve GET /things/all');
  });
});

describe('bodies', () => {
  it('reports everything that is wrong with them, query included', async () => {
    const response = await post('/guarded?a=1&b=2', '{"size":0,"nmae":"x","__proto__":{"isAdmin":true}}');
    const { details } = (await response.json()) as { details: { path: string }[] };
    expect(response.status).toBe(400);
    expect(details.map(({ path }) => path).sort()).toEqual([
      'body.__proto__',
      'body.name',
      'body.nmae',
      'body.size',
      'query.a',
      'query.b',
    ]);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it.each([
    ['{"name":', 'malformed_json'],
    ['', 'malformed_json'],
    ['\u00ff', 'invalid_request'],
    ['[]', 'invalid_request'],
    ['null', 'invalid_request'],
    ['"text"', 'invalid_request'],
    ['{"name":"\ud800"}', undefined],
    [`{"name":${'['.repeat(65)}${']'.repeat(65)}}`, 'malformed_json'],
    [`{"name":"${'['.repeat(200)}\\"${'{'.repeat(200)}"}`, undefined],
  ])('takes %p as %p', async (body, error) => {
    const response = await post('/guarded', body === '\u00ff' ? '"\u00ff"' : body);
    if (error === undefined) expect(response.status).toBe(200);
    else expect(await errorOf(response)).toEqual([400, error]);
  });

  it('refuses bytes that are no UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')]);
    const response = await fetch(started.address('/guarded'), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', idtoken: 'ann@acme' },
    });
    expect(await errorOf(response)).toEqual([400, 'malformed_json']);
  });

  it('caps the list of details', async () => {
    const keys = Object.fromEntries(Array.from({ length: 250 }, (_item, index) => [`k${index}`, 1]));
    const response = await post('/guarded', JSON.stringify({ name: 'x', ...keys }));
    expect(((await response.json()) as { details: unknown[] }).details).toHaveLength(101);
  });

  it('refuses another media type, charset or a compressed body with 415', async () => {
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/jsonx' },
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'br' },
    ]) {
      expect(await errorOf(await post('/guarded', '{"name":"x"}', headers))).toEqual([415, 'unsupported_media_type']);
    }
    for (const contentType of ['application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"']) {
      expect((await post('/guarded', '{"name":"x"}', { 'content-type': contentType })).status).toBe(200);
    }
  });

  it('refuses more bytes than the operation takes, announced or not', async () => {
    const large = `{"name":"${'x'.repeat(4000)}"}`;
    expect(await errorOf(await post('/guarded', large))).toEqual([413, 'payload_too_large']);
    const head = ['POST /guarded HTTP/1.1', 'Host: x', 'idtoken: ann@acme', 'Content-Type: application/json'];
    const chunked = `1001\r\n${'x'.repeat(4097)}\r\n0\r\n\r\n`;
    expect((await raw([...head, 'Transfer-Encoding: chunked'], chunked)).status).toBe(413);
  });

  it('tells a client that waits for 100 Continue to send only what will be read', async () => {
    const head = ['POST /guarded HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Expect: 100-continue'];
    const refused = await raw([...head, 'Content-Length: 12']);
    expect(refused.text).toMatch(/^HTTP\/1\.1 401/);
    const taken = await raw([...head, 'idtoken: ann@acme', 'Content-Length: 12'], '{"name":"x"}');
    expect(taken.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
  });

  it('are ignored, with their Content-Type, where the operation has none', async () => {
    const response = await post('/ignoring', 'whatever', {
      'content-type': 'text/strange',
      'x-thing': 'seen',
      cookie: 'a=1; sid="s-1"; sid=2',
    });
    expect(await response.json()).toEqual({ x: 'seen', c: 's-1', address: '127.0.0.1', baseUrl: started.server.url });
  });
});

describe('query strings', () => {
  it('refuses repeated, unknown and NUL-bearing parameters', async () => {
    const details = async (query: string) =>
      ((await (await fetch(started.address(`/things/x?${query}`))).json()) as { details: unknown[] }).details;
    expect(await details('page=1&page=2')).toEqual([{ path: 'query.page', message: 'must be given only once' }]);
    expect(await details('page[]=1&__proto__=2&constructor=3')).toHaveLength(3);
    expect(await details('page=%00')).toHaveLength(1);
  });

  it('are ignored by an open GET that takes none', async () => {
    expect((await fetch(started.address('/things/all?utm_source=x'))).status).toBe(200);
  });
});

describe('problems', () => {
  it('say nothing of what is inside when the fault is ours', async () => {
    const response = await fetch(started.address('/failing'));
    const text = await response.clone().text();
    expect(await errorOf(response)).toEqual([500, 'internal']);
    expect(text).not.toMatch(/db-7|SELECT|node_modules|\.ts|at /);
    expect(response.headers.get('x-powered-by')).toBeNull();
  });

  it('follow RFC 6749 where the operation does', async () => {
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

  it('name the ways to authenticate, to a browser script Bearer alone', async () => {
    const challenges = async (request: string, ...headers: string[]) => {
      const { text } = await raw([`${request} HTTP/1.1`, 'Host: x', ...headers]);
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
