import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rawExchange } from '../../testing/raw-exchange.ts';
import { operation, type Started, startApp } from '../../testing/start-app.ts';
import { json, route } from '../index.ts';

const ORIGIN = 'https://console.example.com';
const guarded = operation({ id: 'guarded', method: 'POST', path: '/guarded', credentials: ['idtoken'] });
const listed = operation({ id: 'listed', path: '/guarded', credentials: ['idtoken'] });

let started: Started;
const asked: [string, string | undefined][] = [];

beforeAll(async () => {
  started = await startApp({
    routes: [route(guarded, async () => json(200, {})), route(listed, async () => json(200, {}))],
    allowedOrigins: (origin, tenant) => {
      asked.push([origin, tenant?.name]);
      return origin === ORIGIN;
    },
  });
});
afterAll(async () => await started[Symbol.asyncDispose]());

const preflight = (origin: string, path = '/guarded') =>
  fetch(started.address(path), {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'idtoken' },
  });

describe('CORS', () => {
  it('answers a preflight without authentication', async () => {
    const response = await preflight(ORIGIN);
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'POST, GET, HEAD, OPTIONS',
      'access-control-allow-headers':
        'content-type, idtoken, authorization, if-match, idempotency-key, last-event-id, x-request-id, traceparent, range, if-range, if-none-match',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('allows no other origin, however similar', async () => {
    const others = [`${ORIGIN}.evil`, 'http://console.example.com', `${ORIGIN}:444`, 'null', ORIGIN.toUpperCase()];
    for (const origin of others) {
      const response = await preflight(origin);
      expect([origin, response.status]).toEqual([origin, 204]);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.headers.get('access-control-allow-methods')).toBeNull();
      expect(response.headers.get('vary')).toBe('Origin');
    }
  });

  it('lets an allowed page read responses and errors, also for unknown paths and tenants', async () => {
    const requests: [number, string[]][] = [
      [200, ['GET /guarded HTTP/1.1', 'Host: x', 'idtoken: ann@acme']],
      [401, ['GET /guarded HTTP/1.1', 'Host: x']],
      [404, ['GET /nosuch HTTP/1.1', 'Host: x']],
      [404, ['GET /guarded HTTP/1.1', 'Host: nosuch-stream.d']],
      [405, ['DELETE /guarded HTTP/1.1', 'Host: x']],
    ];
    for (const [status, lines] of requests) {
      const request = [...lines, `Origin: ${ORIGIN}`, 'Connection: close', '', ''].join('\r\n');
      const response = await rawExchange(started.server.port, request);
      expect(response.status).toBe(status);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-expose-headers':
          'content-disposition, x-query-id, x-request-id, retry-after, etag, accept-ranges, content-range, repr-digest',
        vary: 'Origin',
      });
    }
  });

  it('checks the origin against the tenant of the host name', async () => {
    const request = `OPTIONS /guarded HTTP/1.1\r\nHost: acme-stream.d\r\nOrigin: ${ORIGIN}\r\nConnection: close\r\n\r\n`;
    await rawExchange(started.server.port, request);
    expect(asked.at(-1)).toEqual([ORIGIN, 'acme']);
  });

  it('sets no CORS headers for a request without Origin', async () => {
    const response = await fetch(started.address('/guarded'), { headers: { idtoken: 'ann@acme' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('vary')).toBe('Origin');
  });
});
