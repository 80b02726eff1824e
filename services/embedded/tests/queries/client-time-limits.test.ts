import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient, toBlob } from '@sluice/client';
import { type CuttingProxy, startCuttingProxy } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { logIn } from '@sluice/testkit/requests';

const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');
/** Time limits of fetch in this file, in place of 300 s. undici measures them to the second. */
const LIMIT_MS = 500;
const SILENCE_MS = 2500;

let hosts: TestHosts;
let proxy: CuttingProxy;
let client: Client;
let original: { constructor: new (options: object) => object & { close(): Promise<void> } };
let limited: { close(): Promise<void> };
beforeAll(async () => {
  hosts = await startHosts();
  proxy = await startCuttingProxy(hosts.url);
  const { email, password } = hosts.ann;
  client = createClient({ tenant: 'acme', streamUrl: proxy.url, apiUrl: hosts.api.url, auth: { email, password } });
  await client.stream.getMe();
  original = Reflect.get(globalThis, GLOBAL_DISPATCHER);
  limited = new original.constructor({ headersTimeout: LIMIT_MS, bodyTimeout: LIMIT_MS });
  Reflect.set(globalThis, GLOBAL_DISPATCHER, limited);
}, 120_000);
afterAll(async () => {
  if (original !== undefined) Reflect.set(globalThis, GLOBAL_DISPATCHER, original);
  await limited?.close();
  await proxy?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});
afterEach(() => proxy.reset());

const download = () => client.download({ format: 'csv', sql: 'SELECT 1 AS a' }, toBlob());
/** Asserts that the time limits of this file end requests of plain fetch. */
const endsPlainFetch = async (code: string): Promise<void> => {
  const reading = fetch(`${proxy.url}/health`).then((response) => response.text());
  await expect(reading).rejects.toMatchObject({ cause: { code } });
};

it('`timeoutMs` and `idleTimeoutMs` end a query whose response does not begin', async () => {
  const { access_token: token } = await logIn(hosts, hosts.ann);
  const urls = { tenant: 'acme', streamUrl: proxy.url, apiUrl: hosts.api.url };
  const limits = { timeoutMs: LIMIT_MS, idleTimeoutMs: LIMIT_MS };
  const limitedClient = createClient({ ...urls, ...limits, auth: { token: () => token } });
  proxy.reply('/query', 'silent');
  await expect(limitedClient.query('SELECT 1').columns).rejects.toMatchObject({ code: 'timeout' });
});

describe("the time limits of Node's fetch", () => {
  it('do not end a download that waits for its first row', async () => {
    proxy.reply('/', { delayMs: SILENCE_MS }, { delayMs: SILENCE_MS });
    const [{ receipt }] = await Promise.all([download(), endsPlainFetch('UND_ERR_HEADERS_TIMEOUT')]);
    expect(receipt).toMatchObject({ state: 'FINISHED', rows: 1 });
  });

  it('do not end a download that is silent between two rows', async () => {
    for (const path of ['/query/download', '/health'])
      proxy.damage(path, { kind: 'pause', afterBytes: 1, pauseMs: SILENCE_MS });
    const [{ receipt }] = await Promise.all([download(), endsPlainFetch('UND_ERR_BODY_TIMEOUT')]);
    expect(receipt).toMatchObject({ state: 'FINISHED', rows: 1 });
  });

  it('do not end a query that waits, only `idleTimeoutMs` does', async () => {
    proxy.reply('/query', { delayMs: SILENCE_MS });
    proxy.damage('/query', { kind: 'pause', afterBytes: 5, pauseMs: SILENCE_MS });
    const query = client.query('SELECT 1 AS a');
    for await (const row of query) expect(row).toEqual({ a: 1 });
    expect(query.state).toBe('complete');
  });

  it('leave the limit of other requests to `timeoutMs`', async () => {
    proxy.reply('/me', { delayMs: SILENCE_MS });
    expect((await client.stream.getMe()).user).toBe(hosts.ann.email);
  });
});
