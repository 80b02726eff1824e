import { describe, expect, it } from '@jest/globals';
import { operation, startApp } from '../../testing/start-app.ts';
import { type AppOptions, json, route } from '../index.ts';

const seen = operation({ id: 'seen', path: '/seen' });
const routes = [
  route(seen, async ({ address, baseUrl, tenant }) => json(200, { address, baseUrl, tenant: tenant?.name ?? null })),
];
const headers = {
  'x-forwarded-for': '203.0.113.9, 198.51.100.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'acme-stream.example.com',
};

const see = async (options: Partial<AppOptions>, sent: Record<string, string> = headers) => {
  await using started = await startApp({ routes, ...options });
  const response = await fetch(started.address('/seen'), { headers: sent });
  return {
    ...((await response.json()) as object),
    ownUrl: started.server.url,
    hsts: response.headers.get('strict-transport-security'),
  };
};

describe('X-Forwarded-* headers', () => {
  it('are trusted from a trusted proxy up to the first other address, except for the host', async () => {
    const { ownUrl, ...seen } = await see({ trustedProxies: ['loopback'] });
    expect(seen).toEqual({
      address: '198.51.100.7',
      baseUrl: ownUrl.replace('http:', 'https:'),
      tenant: null,
      hsts: 'max-age=31536000',
    });
  });

  it('set the host if the proxy is trusted for it', async () => {
    expect(
      await see({ trustedProxies: ['loopback'], trustsForwardedHost: true, publicUrl: 'https://api.example.com' }),
    ).toMatchObject({ baseUrl: 'https://acme-stream.example.com', tenant: 'acme', hsts: 'max-age=31536000' });
    const host = { 'x-forwarded-host': 'acme-stream.example.com, globex-stream.example.com' };
    expect(await see({ trustedProxies: ['loopback'], trustsForwardedHost: true }, host)).toMatchObject({
      baseUrl: 'http://acme-stream.example.com',
      tenant: 'acme',
      hsts: null,
    });
  });

  it('are ignored from any other client', async () => {
    for (const trustedProxies of [[], ['10.0.0.0/8']]) {
      for (const trustsForwardedHost of [false, true]) {
        const { ownUrl, ...seen } = await see({ trustedProxies, trustsForwardedHost });
        expect(seen).toEqual({ address: '127.0.0.1', baseUrl: ownUrl, tenant: null, hsts: null });
      }
    }
  });

  it('are rejected if they do not name a host', async () => {
    await using started = await startApp({ routes, trustedProxies: ['loopback'], trustsForwardedHost: true });
    for (const host of ['a b', 'x/y?z', 'a@b:c', '[::1', 'x#y', 'x\\y']) {
      const { status } = await fetch(started.address('/seen'), { headers: { 'x-forwarded-host': host } });
      expect([host, status]).toEqual([host, 400]);
    }
  });
});

describe('the configured public URL', () => {
  it('overrides Host and enables HSTS', async () => {
    for (const trustedProxies of [[], ['loopback']]) {
      expect(await see({ trustedProxies, publicUrl: 'https://api.example.com:443' })).toMatchObject({
        baseUrl: 'https://api.example.com',
        hsts: 'max-age=31536000',
      });
    }
    expect(await see({ publicUrl: 'http://api.example.com:8080' })).toMatchObject({
      baseUrl: 'http://api.example.com:8080',
      hsts: null,
    });
  });

  it('contains the name of the tenant, and is unused without a tenant', async () => {
    const publicUrl = 'https://{tenant}-stream.example.com';
    const { ownUrl, ...seen } = await see({ publicUrl });
    expect(seen).toMatchObject({ baseUrl: ownUrl, tenant: null });
    await using started = await startApp({ routes, publicUrl });
    const answer = await started.raw(['GET /seen HTTP/1.1', 'Host: acme-stream.other.example']);
    expect(JSON.parse(answer.body)).toMatchObject({ baseUrl: 'https://acme-stream.example.com', tenant: 'acme' });
  });
});
