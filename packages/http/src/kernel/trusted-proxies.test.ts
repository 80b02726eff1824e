import { describe, expect, it } from '@jest/globals';
import { operation, startApp } from '../../testing/start-app.ts';
import { json, route } from '../index.ts';

const seen = operation({ id: 'seen', path: '/seen' });
const routes = [
  route(seen, async ({ address, baseUrl, tenant }) => json(200, { address, baseUrl, tenant: tenant?.name ?? null })),
];
const headers = {
  'x-forwarded-for': '203.0.113.9, 198.51.100.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'acme-stream.example.com',
};

describe('X-Forwarded-* headers', () => {
  it('are believed from a trusted proxy, up to the first address that is not one', async () => {
    await using started = await startApp({ routes, trustedProxies: ['loopback'] });
    expect(await (await fetch(started.address('/seen'), { headers })).json()).toEqual({
      address: '198.51.100.7',
      baseUrl: 'https://acme-stream.example.com',
      tenant: 'acme',
    });
  });

  it('are not believed from anybody else', async () => {
    for (const trustedProxies of [[], ['10.0.0.0/8']]) {
      await using started = await startApp({ routes, trustedProxies });
      expect(await (await fetch(started.address('/seen'), { headers })).json()).toEqual({
        address: '127.0.0.1',
        baseUrl: started.server.url,
        tenant: null,
      });
    }
  });
});
