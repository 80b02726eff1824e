import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/observability';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { startApiHost } from '../../src/index.ts';

const PACKAGE = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost({ STREAM_PUBLIC_URL: 'https://{tenant}-stream.example.test' });
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}): Promise<ReceivedResponse> =>
  send(`${test.url}${path}`, { headers });

/** Contents of the elements that the host wrote into the head, by name. */
const addressesIn = ({ text }: ReceivedResponse): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/<meta name="sluice-([\w-]+)" content="([^"]*)"/g)].map(([, ...pair]) => pair));

const assetsIn = ({ text }: ReceivedResponse): string[] =>
  [...text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].flatMap(([, path]) => path ?? []);

describe('the page of the console', () => {
  it.each(['/console', '/console/', '/console/search', '/console/tables/demo/vega/a%2Fb'])(
    'is sent for %s with the addresses of the tenant',
    async (path) => {
      const page = await get(path);
      expect(page.status).toBe(200);
      expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
      expect(addressesIn(page)).toEqual({
        tenant: 'acme',
        'api-url': test.url,
        'stream-url': 'https://acme-stream.example.test',
        version: PACKAGE.version,
      });
    },
  );

  it('names the tenant of the host name', async () => {
    const page = await get('/console/', { host: 'globex-api.example.test' });
    expect(addressesIn(page)).toEqual({
      tenant: 'globex',
      'api-url': 'http://globex-api.example.test',
      'stream-url': 'https://globex-stream.example.test',
      version: PACKAGE.version,
    });
  });

  it('allows only its own files, the two hosts and a nonce of this one page', async () => {
    const [first, second] = [await get('/console/'), await get('/console/')];
    const nonceOf = ({ text }: ReceivedResponse) => /nonce="([^"]+)"/.exec(text)?.[1] ?? '';
    expect(nonceOf(first)).not.toBe(nonceOf(second));
    expect(first.headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonceOf(first)}'; img-src 'self' blob:; ` +
        `connect-src 'self' ${test.url} https://acme-stream.example.test; frame-src https://acme-stream.example.test/tickets/; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(first.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    // The nonce is random, so it may read like an attribute: `onfecp==`.
    const markup = first.text.replace(nonceOf(first), '');
    expect(markup).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/);
  });
});

describe('files of the console', () => {
  it('are cached for good, and compressed for clients that accept it', async () => {
    const assets = assetsIn(await get('/console/'));
    expect(assets.length).toBeGreaterThanOrEqual(3);
    for (const path of assets) {
      const plain = await get(path);
      expect(plain.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Origin, Accept-Encoding',
      });
      const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br' });
      expect(brotli.headers['content-encoding']).toBe('br');
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
      const gzip = await get(path, { 'accept-encoding': 'gzip' });
      expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    }
  });

  it.each(['en', 'de'])('are at most 200 KB for the first load in the language %s', async (language) => {
    const page = await get('/console/');
    // The first script requests the messages of the user's language.
    const messages = new RegExp(`<script [^>]*data-${language}="([^"]+)"`).exec(page.text)?.[1] ?? '';
    expect((await get(messages)).text).toContain('action.cancel');
    const sizes = await Promise.all(
      [...assetsIn(page), messages].map(async (path) => (await get(path, { 'accept-encoding': 'br' })).bytes.length),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
  });

  it.each(['no-such-file.js', '..%2Findex.html', 'index.html', '.js', 'a.js.br'])(
    'do not exist under the name %s',
    async (name) => {
      expect((await get(`/console/assets/${name}`)).status).toBe(404);
    },
  );
});

describe('GET /', () => {
  it('leads browsers to the console, and programs get the state of the host', async () => {
    const browser = await get('/', { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' });
    expect(browser).toMatchObject({ status: 302, headers: { location: '/console/', vary: 'Origin, Accept' } });
    for (const accept of ['*/*', 'application/json', ''])
      expect((await get('/', accept === '' ? {} : { accept })).body).toMatchObject({ service: 'sluice-api' });
  });
});

describe('a host that cannot show the console', () => {
  const startOther = (settings: Record<string, string | undefined>, consoleFolder?: string) =>
    startApiHost({
      environment: Object.fromEntries(
        Object.entries({ ...test.environment, ...settings }).filter(([, value]) => value !== undefined),
      ),
      overrides: {
        log: createLogger({ service: 'test', level: 'silent' }),
        ...(consoleFolder === undefined ? {} : { consoleFolder }),
      },
    });

  it('says that its build has none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    await using host = await startOther({}, folder);
    const page = await send(`${host.url}/console/`);
    expect(page.status).toBe(404);
    expect(page.text).toContain('This build has no console. Run <code>npm run build</code> and load this page again.');
    expect((await send(`${host.url}/console/assets/index.js`)).status).toBe(404);
    await rm(folder, { recursive: true });
  });

  it('names the setting that is missing', async () => {
    await using host = await startOther({ STREAM_PUBLIC_URL: undefined });
    const page = await send(`${host.url}/console/`);
    expect(page.status).toBe(503);
    expect(page.text).toContain('set <code>STREAM_PUBLIC_URL</code> on this host');
  });

  it('says that the address names no tenant', async () => {
    await using host = await startOther({ DEFAULT_TENANT: undefined });
    const page = await send(`${host.url}/console/`);
    expect(page.status).toBe(404);
    expect(page.text).toContain('This address names no tenant.');
  });
});
