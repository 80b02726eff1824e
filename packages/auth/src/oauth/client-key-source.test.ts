import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClientKeySet } from '@sluice/contract';
import { exportJWK, generateKeyPair } from 'jose';
import { type ClientKeySource, createClientKeySource } from './client-key-source.ts';

const keyOf = async (kid: string) => {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(publicKey)), kid };
};

let answer: { status: number; body: string };
let requests: number;
let nowMs: number;
let source: ClientKeySource;
let address: string;
let server: ReturnType<typeof createServer>;
beforeEach(async () => {
  [requests, nowMs] = [0, 0];
  answer = { status: 200, body: JSON.stringify({ keys: [await keyOf('a')] }) };
  server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(answer.status, { connection: 'close' }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  address = `http://127.0.0.1:${port}/keys`;
  source = createClientKeySource({ privateHosts: [`127.0.0.1:${port}`], now: () => nowMs });
});
afterEach(async () => {
  await source[Symbol.asyncDispose]();
  server.close();
});

const find = (keyId?: string) => source.find({ jwks: null, jwksUri: address }, keyId);
const kidsOf = async (keyId?: string) => (await find(keyId))?.keys.map(({ kid }) => kid);

describe('keys of an address', () => {
  it('are fetched once in five minutes, also by parallel requests', async () => {
    const found = await Promise.all([kidsOf('a'), kidsOf('a'), kidsOf()]);
    expect([found, requests]).toEqual([[['a'], ['a'], ['a']], 1]);
    nowMs = 5 * 60_000 - 1;
    await find('a');
    expect(requests).toBe(1);
    nowMs += 1;
    await find('a');
    expect(requests).toBe(2);
  });

  it('are fetched again for a key that is not among them, at most every 30 s', async () => {
    await find('a');
    answer.body = JSON.stringify({ keys: [await keyOf('b')] });
    expect([await kidsOf('b'), requests]).toEqual([['a'], 1]);
    nowMs = 30_000;
    expect(await Promise.all([kidsOf('b'), kidsOf('b')])).toEqual([['b'], ['b']]);
    expect([await kidsOf('unknown'), requests]).toEqual([['b'], 2]);
  });

  it('are unavailable while they cannot be fetched, also if they were known before', async () => {
    await find('a');
    nowMs = 5 * 60_000;
    for (const broken of [
      { status: 500, body: '' },
      { status: 302, body: '' },
      { status: 200, body: '<html>' },
      { status: 200, body: '{}' },
    ]) {
      nowMs += 5000;
      answer = broken;
      await expect(find('a')).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    server.close();
    nowMs += 5000;
    await expect(find('a')).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('are requested at most every 5 s while that fails', async () => {
    answer.status = 500;
    for (const _ of [1, 2, 3]) await expect(find('a')).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(requests).toBe(1);
    answer.status = 200;
    nowMs = 5000;
    expect(await kidsOf('a')).toEqual(['a']);
  });

  it('are those that can sign assertions', async () => {
    const usable = await keyOf('a');
    const others = [
      { kty: 'oct', k: 'AAAA' },
      { ...(await keyOf('enc')), use: 'enc' },
      null,
      'x',
      { ...usable, d: 'x' },
    ];
    answer.body = JSON.stringify({ keys: [...others, { ...usable, x5t: 'ignored' }] });
    expect((await find())?.keys).toEqual([usable]);
  });
});

describe('an address', () => {
  it.each([
    ['http://keys.example/jwks', 'is not https'],
    ['https://10.0.0.1/jwks', 'private network'],
    ['https://localhost/jwks', 'private network'],
    ['https://user@keys.example/jwks', 'credentials'],
  ])('%s is rejected', (text, reason) => {
    expect(() => source.checkAddress(text)).toThrow(reason);
  });

  it('of the internet, or listed by the operator, is accepted', () => {
    expect(() => [address, 'https://keys.example/jwks'].map((each) => source.checkAddress(each))).not.toThrow();
  });
});

describe('keys inline', () => {
  it('are returned as they are; without any, there are none', async () => {
    const jwks = { keys: [await keyOf('a')] } as object as ClientKeySet;
    expect(await source.find({ jwks, jwksUri: null }, 'a')).toBe(jwks);
    expect(await source.find({ jwks: null, jwksUri: null }, 'a')).toBeUndefined();
  });

  it('are checked to be keys of their kind', async () => {
    const key = await keyOf('a');
    const off = { ...key, x: 'A'.repeat(43) };
    expect(source.checkKeys({ keys: [key] } as object as ClientKeySet)).toBeUndefined();
    expect(source.checkKeys({ keys: [key, off] } as object as ClientKeySet)).toBe(1);
  });
});
