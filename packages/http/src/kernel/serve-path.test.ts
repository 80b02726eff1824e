import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { denyingRoute, failingRoute, guardedRoute, literalRoute } from '../../testing/sample-routes.ts';
import { errorOf, operation, type Started, startApp } from '../../testing/start-app.ts';
import { json, route } from '../index.ts';

const ofTenant = operation({ id: 'ofTenant', path: '/of/{tenant}', params: z.strictObject({ tenant: z.string() }) });

let started: Started;

beforeAll(async () => {
  started = await startApp({
    routes: [
      guardedRoute,
      route(ofTenant, async ({ tenant }) => json(200, { tenant: tenant.name })),
      literalRoute,
      failingRoute,
      denyingRoute,
    ],
  });
});
afterAll(async () => await started[Symbol.asyncDispose]());

describe('the order of steps', () => {
  it('passes the results of the earlier steps to the handler', async () => {
    const response = await started.post('/guarded', '{"name":"x"}');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ name: 'x', user: 'ann@acme', tenant: 'acme' });
  });

  it('rejects an unauthenticated client before it reads the body', async () => {
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }, {}]) {
      const response = await started.post('/guarded', 'not json', { ...headers, idtoken: 'stranger' });
      expect(await errorOf(response)).toEqual([401, 'unauthorized']);
    }
  });

  it('rejects an unauthenticated client whose announced body never arrives', async () => {
    const { status } = await started.raw(['POST /guarded HTTP/1.1', 'Host: x', 'Content-Length: 999']);
    expect(status).toBe(401);
  });

  it('rejects a missing permission before it reads the body, and records it once', async () => {
    const before = started.denials.length;
    const response = await started.post('/guarded', 'not json', { idtoken: 'nobody@acme', 'x-request-id': 'denied-1' });
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

  it('records a rejection by the handler too', async () => {
    const before = started.denials.length;
    const response = await fetch(started.address('/denying'), { headers: { idtoken: 'ann@acme' } });
    expect(await errorOf(response)).toEqual([403, 'access_denied']);
    expect(started.denials.slice(before)).toHaveLength(1);
    expect(started.denials.at(-1)?.permission).toBeUndefined();
  });

  it('rejects Basic that a page of another site makes a browser send, unless its origin is allowed', async () => {
    const send = (headers: Readonly<Record<string, string>>) =>
      started.raw(
        [
          'POST /guarded HTTP/1.1',
          'Host: x',
          'idtoken: ann@acme',
          'Content-Type: application/json',
          'Content-Length: 12',
          ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        ],
        '{"name":"x"}',
      );
    const basic = { authorization: 'Basic YW5uOnNlY3JldA==' };
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    expect((await send({ ...basic, ...crossSite })).status).toBe(403);
    expect((await send({ ...basic, ...crossSite, origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await send({ ...basic, ...crossSite, origin: 'https://console.example.com' })).status).toBe(200);
    expect((await send({ ...basic, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await send(basic)).status).toBe(200);
    expect((await send(crossSite)).status).toBe(200);
  });

  it('rejects callers of a suspended tenant', async () => {
    expect(await errorOf(await started.post('/guarded', '{"name":"x"}', { idtoken: 'ann@halted' }))).toEqual([
      403,
      'access_denied',
    ]);
    expect(await errorOf(await fetch(started.address('/of/halted')))).toEqual([403, 'access_denied']);
  });
});

describe('request ids', () => {
  it('are taken from the caller if valid, generated otherwise, and echoed', async () => {
    const answer = async (id: string) =>
      (await fetch(started.address('/things/all'), { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await answer('abc-123!~')).toBe('abc-123!~');
    expect(await answer('a'.repeat(128))).toBe('a'.repeat(128));
    for (const id of ['', 'a b', 'a'.repeat(129), 'caf\u00e9']) expect(await answer(id)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('are in every log line of the request', async () => {
    await fetch(started.address('/failing'), { headers: { 'x-request-id': 'find-me' } });
    const lines = started.logLines().filter((line) => line['requestId'] === 'find-me');
    expect(lines.some((line) => line['problem'] === 'internal')).toBe(true);
  });
});

describe('the tenant', () => {
  const withHost = (host: string, path = '/of/acme', idtoken = 'ann@acme') =>
    started.raw([`GET ${path} HTTP/1.1`, `Host: ${host}`, `idtoken: ${idtoken}`]);

  it('is taken from the host name, whatever its case, port and trailing dot', async () => {
    for (const host of ['acme-stream.d', 'ACME-Stream.D:80', 'acme-stream.localhost.']) {
      expect((await withHost(host)).status).toBe(200);
    }
  });

  it('returns 404 if the host name contains an unknown or malformed tenant', async () => {
    for (const host of ['nosuch-stream.d', '-stream.d', 'a_b-stream.d', 'constructor-stream.d']) {
      expect((await withHost(host, '/things/all')).status).toBe(404);
    }
  });

  it('returns 404 if the path names an unknown tenant or another than the host', async () => {
    expect((await withHost('globex-stream.d')).status).toBe(404);
    for (const name of ['nosuch', 'ACME', '..%2facme', '%00', '__proto__']) {
      expect((await withHost('x', `/of/${name}`)).status).toBe(404);
    }
  });

  it('returns 401 if host and token name different tenants', async () => {
    const { status } = await started.raw([
      'POST /guarded HTTP/1.1',
      'Host: globex-stream.d',
      'idtoken: ann@acme',
      'Content-Length: 0',
    ]);
    expect(status).toBe(401);
  });

  it('ignores X-Forwarded-Host of an untrusted client', async () => {
    const { status } = await started.raw([
      'GET /of/acme HTTP/1.1',
      'Host: acme-stream.d',
      'X-Forwarded-Host: globex-stream.d',
    ]);
    expect(status).toBe(200);
  });

  it('returns 400 for an ambiguous host: two Host headers, none, or another one in the target', async () => {
    expect((await started.raw(['GET /of/acme HTTP/1.1', 'Host: acme-stream.d', 'Host: globex-stream.d'])).status).toBe(
      400,
    );
    expect((await started.raw(['GET /of/acme HTTP/1.1'])).status).toBe(400);
    for (const host of [
      'acme-stream.d/x',
      'acme-stream.d?x',
      'acme-stream.d#x',
      'x@acme-stream.d',
      'acme-stream.d\\x',
    ]) {
      expect((await started.raw(['GET /of/acme HTTP/1.1', `Host: ${host}`])).status).toBe(400);
    }
    expect((await started.raw(['GET http://globex-stream.d/of/acme HTTP/1.1', 'Host: acme-stream.d'])).status).toBe(
      400,
    );
    expect((await started.raw(['GET http://acme-stream.d/of/acme HTTP/1.1', 'Host: acme-stream.d'])).status).toBe(200);
  });
});
