import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type StreamHost, startStreamHost } from '@sluice/stream-host';
import { type CuttingProxy, type ReceivedResponse, send, startCuttingProxy, until } from '@sluice/testkit';
import { createTestLog, OPERATOR_TOKEN, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  assertUnavailable,
  basicOf,
  bearer,
  type Credential,
  idtoken,
  logIn,
  post,
  type Tokens,
} from '@sluice/testkit/requests';

const KEY_SET = '/.well-known/jwks.json';
const DAY_MS = 86_400_000;

let hosts: TestHosts;
let proxy: CuttingProxy;
let stream: StreamHost;
/** Added to the clock by which the key set ages. */
let laterMs = 0;

/** Starts a stream host that reads the key set through the proxy. */
const startBehindProxy = (): Promise<StreamHost> =>
  startStreamHost({
    environment: { ...hosts.environment, JWKS_URL: `${proxy.url}${KEY_SET}` },
    overrides: { log: createTestLog().log, keySetNow: () => Date.now() + laterMs },
  });

beforeAll(async () => {
  hosts = await startHosts();
  proxy = await startCuttingProxy(hosts.api.url);
  stream = await startBehindProxy();
}, 120_000);
afterAll(async () => {
  await stream?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});
afterEach(async () => {
  proxy.reset();
  laterMs += 2 * DAY_MS;
  const { id_token: token } = await logIn(hosts, hosts.ann);
  await until(async () => ((await ask(idtoken(token))).status === 200 ? true : undefined), { what: 'recovery' });
});

const ask = (credential: Credential, url = stream.url): Promise<ReceivedResponse> =>
  post(`${url}/query`, { sql: 'SELECT 1 AS a' }, credential);

const failKeySet = (): void =>
  proxy.reply(KEY_SET, ...Array.from({ length: 200 }, () => ({ status: 500, body: 'no' })));

const newTokens = (): Promise<Tokens> => logIn(hosts, hosts.ann);

const partsOf = (token: string) => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const parse = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
  return { header: parse(header), payload: parse(payload), signature };
};
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The token with the signature of another key, of which no set tells. */
function forged(token: string, changes: Record<string, unknown> = {}): string {
  const { header, payload } = partsOf(token);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = `${encode({ ...header, ...changes })}.${encode(payload)}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}
const unsigned = (token: string): string => {
  const { header, payload } = partsOf(token);
  return `${encode({ ...header, alg: 'none' })}.${encode(payload)}.`;
};

describe('without the key set, the stream host', () => {
  it('verifies tokens with the last known keys for a day, and still rejects forged ones, ended sessions and revoked keys', async () => {
    const { id_token: token } = await newTokens();
    expect((await ask(idtoken(token))).status).toBe(200);
    failKeySet();
    for (const hours of [0.1, 12, 23.9]) {
      const begun = laterMs;
      laterMs += hours * 3_600_000;
      const { id_token: fresh, access_token: access } = await newTokens();
      expect((await ask(idtoken(fresh))).status).toBe(200);
      expect((await ask(bearer(access))).status).toBe(200);
      for (const wrong of [forged(fresh), unsigned(fresh), `${fresh.slice(0, -6)}AAAAAA`])
        expect((await ask(idtoken(wrong))).status).toBe(401);
      laterMs = begun;
    }
    await send(`${hosts.api.url}/auth/logout/acme`, { headers: idtoken(token) });
    expect((await ask(idtoken(token))).status).toBe(401);
    const { id_token: revoked } = await newTokens();
    await hosts.rows(`insert into revoked_keys (kid, revoked_at) values ($1, now())`, [partsOf(revoked).header['kid']]);
    expect((await ask(idtoken(revoked))).status).toBe(401);
    await hosts.rows('delete from revoked_keys');
  });

  it('returns 503 for a token of a key that it does not know, because the key may be new', async () => {
    const { id_token: token } = await newTokens();
    expect((await ask(idtoken(token))).status).toBe(200);
    failKeySet();
    laterMs += 60_000;
    const rotate = () =>
      send(`${hosts.api.url}/operator/keys/rotate?immediate=true`, {
        method: 'POST',
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      });
    // The next key is published before it signs, so the host knows it. Its successor is new.
    await rotate();
    expect((await ask(idtoken((await newTokens()).id_token))).status).toBe(200);
    await rotate();
    const { id_token: ofNewKey } = await newTokens();
    assertUnavailable(await ask(idtoken(ofNewKey)));
    assertUnavailable(await ask(idtoken(forged(token, { kid: randomUUID() }))));
    expect((await ask(idtoken(token))).status).toBe(200);
    proxy.reset();
    laterMs += 60_000;
    expect((await ask(idtoken(ofNewKey))).status).toBe(200);
    expect((await ask(idtoken(forged(token, { kid: randomUUID() })))).status).toBe(401);
  });

  it.each([1, 30, 3650])('returns 503 for every token after %d days, and verifies passwords', async (days) => {
    const { id_token: token } = await newTokens();
    expect((await ask(idtoken(token))).status).toBe(200);
    failKeySet();
    laterMs += days * DAY_MS + 1000;
    for (const each of [token, forged(token)]) assertUnavailable(await ask(idtoken(each)));
    // A token without a signature names no key that could be looked up.
    expect((await ask(idtoken(unsigned(token)))).status).toBe(401);
    expect((await ask(basicOf(hosts.ann))).status).toBe(200);
    proxy.reset();
    laterMs += 2000;
    expect((await ask(idtoken(token))).status).toBe(200);
  });

  it('returns 503 for every token if it started meanwhile, and serves them when the set is back', async () => {
    const { id_token: token } = await newTokens();
    failKeySet();
    await using late = await startBehindProxy();
    for (const each of [token, forged(token)]) assertUnavailable(await ask(idtoken(each), late.url));
    expect((await ask(basicOf(hosts.ann), late.url)).status).toBe(200);
    proxy.reset();
    laterMs += 2000;
    expect((await ask(idtoken(token), late.url)).status).toBe(200);
    expect((await ask(idtoken(forged(token)), late.url)).status).toBe(401);
  });
});
