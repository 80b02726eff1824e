import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { byIdRoute, guardedRoute, literalRoute } from '../../testing/sample-routes.ts';
import { errorOf, operation, type Started, startApp } from '../../testing/start-app.ts';
import { json, route } from '../index.ts';

const elsewhere = operation({ id: 'elsewhere', method: 'POST', path: '/elsewhere/{id}' });
const withEffect = operation({ id: 'withEffect', path: '/effect', hasEffect: true });

let started: Started;
let effects = 0;

beforeAll(async () => {
  started = await startApp({
    routes: [guardedRoute, byIdRoute, literalRoute, route(withEffect, async () => json(200, { effects: ++effects }))],
    otherHost: { name: 'other host', operations: [elsewhere, operation({ id: 'shared', path: '/guarded' })] },
  });
});
afterAll(async () => await started[Symbol.asyncDispose]());

describe('paths and methods', () => {
  it('returns 404 with the error JSON for unknown paths', async () => {
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

  it('returns 404 with the name of the host that has the path', async () => {
    for (const method of ['POST', 'GET']) {
      const response = await fetch(started.address('/elsewhere/a?b=1'), { method });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        error: 'not_found',
        message: 'This host does not have this path. Send the request to the other host.',
      });
    }
    expect((await fetch(started.address('/guarded'), { method: 'OPTIONS' })).status).toBe(204);
  });

  it('ignores a trailing slash, and prefers a literal path to one with a parameter', async () => {
    expect(await (await fetch(started.address('/things/all/'))).json()).toEqual({ literal: true });
    expect(await (await fetch(started.address('/things/x/?page=2'))).json()).toEqual({ id: 'x', page: '2' });
  });

  it('returns 405 with Allow for a wrong method', async () => {
    const response = await fetch(started.address('/guarded'), { method: 'PUT', body: 'x' });
    expect(await errorOf(response)).toEqual([405, 'method_not_allowed']);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    expect((await started.raw(['BREW /things/all HTTP/1.1', 'Host: x'])).status).toBe(400);
    expect((await started.raw(['PROPFIND /things/all HTTP/1.1', 'Host: x'])).status).toBe(405);
    expect((await started.raw(['TRACE /things/all HTTP/1.1', 'Host: x'])).status).toBe(405);
  });

  it('serves HEAD as GET without the body, except if GET has a side effect', async () => {
    const response = await fetch(started.address('/things/all'), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('16');
    expect(await response.text()).toBe('');
    const refused = await fetch(started.address('/effect'), { method: 'HEAD' });
    expect(refused.status).toBe(405);
    expect(refused.headers.get('allow')).toBe('GET, OPTIONS');
    expect(effects).toBe(0);
  });

  it('returns 204 with Allow for OPTIONS without Origin', async () => {
    const response = await fetch(started.address('/things/all'), { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await fetch(started.address('/nosuch'), { method: 'OPTIONS' })).status).toBe(404);
  });

  it('handles malformed paths', async () => {
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
      const { status, headers } = await started.raw([`GET /things/${path} HTTP/1.1`, 'Host: x']);
      expect([path, status === 200 || status === 400 || status === 404]).toEqual([path, true]);
      expect(headers['x-evil']).toBeUndefined();
    }
  });

  it('throws for two routes with the same method and path', async () => {
    const twice = [literalRoute, { ...literalRoute }];
    await expect(startApp({ routes: twice })).rejects.toThrow('Two routes serve GET /things/all');
  });
});
