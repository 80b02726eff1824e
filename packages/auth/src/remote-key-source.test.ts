import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { createRemoteKeySource, keySetWarnings, type RemoteKeySourceOptions } from './remote-key-source.ts';

let server: Server;
let url: string;
let fetches = 0;
let answer: { status: number; body: string; hang?: boolean };
let clockMs = 0;

const jwkOf = async (kid: string): Promise<JWK> => ({
  ...(await exportJWK((await generateKeyPair('ES256', { extractable: true })).publicKey)),
  kid,
});
const publish = async (...kids: string[]) => {
  answer = { status: 200, body: JSON.stringify({ keys: await Promise.all(kids.map(jwkOf)) }) };
};
const fail = () => {
  answer = { status: 500, body: 'no' };
};

beforeEach(async () => {
  fetches = 0;
  clockMs = 1_000_000;
  server = createServer((_request, response) => {
    fetches += 1;
    if (answer.hang === true) return;
    response.writeHead(answer.status, answer.status === 302 ? { location: '/elsewhere' } : {}).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const source = (options: Partial<RemoteKeySourceOptions> = {}) =>
  createRemoteKeySource({ url, now: () => clockMs, timeoutMs: 60_000, ...options });

/** Waits until the fetch in the background has ended. */
const settled = async (count: number) => {
  while (fetches < count) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('createRemoteKeySource', () => {
  it('fetches the set once for concurrent callers and caches it', async () => {
    await publish('k1');
    const keys = source();
    const found = await Promise.all(Array.from({ length: 50 }, () => keys.find('k1')));
    expect(found.every((key) => key !== undefined)).toBe(true);
    await keys.find('k1');
    expect(fetches).toBe(1);
  });

  it('fetches the set at most once in 15 s for invented kids', async () => {
    await publish('k1');
    const keys = source();
    for (let index = 0; index < 200; index += 1) expect(await keys.find(`x${index}`)).toBeUndefined();
    expect(fetches).toBe(1);
    clockMs += 15_000;
    await keys.find('x');
    expect(fetches).toBe(2);
  });

  it('finds a key that was published after the last fetch', async () => {
    await publish('k1');
    const keys = source();
    await keys.find('k1');
    await publish('k1', 'k2');
    clockMs += 15_000;
    expect(await keys.find('k2')).toBeDefined();
  });

  it('refreshes a stale set in the background and drops removed keys', async () => {
    await publish('k1', 'k2');
    const keys = source();
    await keys.find('k1');
    await publish('k2');
    clockMs += 300_000;
    expect(await keys.find('k1')).toBeDefined();
    await settled(2);
    expect(await keys.find('k1')).toBeUndefined();
    expect(await keys.find('k2')).toBeDefined();
  });

  it('uses the last known keys during an outage for one day', async () => {
    await publish('k1');
    const keys = source();
    await keys.find('k1');
    fail();
    clockMs += 86_399_000;
    expect(await keys.find('k1')).toBeDefined();
    await settled(2);
    clockMs += 2000;
    await expect(keys.find('k1')).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
  });

  it.each([
    ['returns 500', () => ({ status: 500, body: 'no' })],
    ['is not JSON', () => ({ status: 200, body: '<html>' })],
    ['has no keys', () => ({ status: 200, body: '{}' })],
    ['redirects', () => ({ status: 302, body: '' })],
    ['hangs', () => ({ status: 200, body: '', hang: true })],
  ])('throws service_unavailable, never unauthorized, when the set %s', async (_name, broken) => {
    answer = broken();
    const keys = source(answer.hang === true ? { timeoutMs: 2000 } : {});
    await expect(keys.find('k1')).rejects.toMatchObject({ code: 'service_unavailable' });
    // Until the next attempt is due, calls do not wait and still fail with 503.
    await expect(keys.find('k1')).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(fetches).toBe(1);
    await publish('k1');
    clockMs += 1000;
    expect(await keys.find('k1')).toBeDefined();
  });

  it('throws service_unavailable for an unknown kid during an outage, because it may be a new one', async () => {
    await publish('k1');
    const keys = source();
    await keys.find('k1');
    fail();
    clockMs += 15_000;
    await expect(keys.find('k2')).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await keys.find('k1')).toBeDefined();
  });

  it('imports only ES256 keys, without private members', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const rsa = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey);
    const keys = [
      { ...rsa, kid: 'rsa' },
      { kty: 'oct', k: 'AAAA', kid: 'oct' },
      { ...(await exportJWK(privateKey)), kid: 'ec' },
    ];
    answer = { status: 200, body: JSON.stringify({ keys }) };
    const found = source();
    expect(await found.find('rsa')).toBeUndefined();
    expect(await found.find('oct')).toBeUndefined();
    expect((await found.find('ec'))?.type).toBe('public');
  });
});

describe('keySetWarnings', () => {
  it.each(['https://api.example.com/x', 'http://127.0.0.1:8080/x', 'http://localhost/x', 'http://[::1]:1/x'])(
    'returns no warning for %s',
    (url) => {
      expect(keySetWarnings(url)).toEqual([]);
    },
  );

  it.each(['http://api-host:8080/x', 'http://10.0.0.1/x', 'http://localhost.example.com/x'])(
    'returns a warning for %s',
    (url) => {
      expect(keySetWarnings(url)).toEqual([expect.stringContaining('https')]);
    },
  );
});
