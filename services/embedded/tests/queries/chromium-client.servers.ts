import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Middleware } from '@sluice/client';
import { type CuttingProxy, startCuttingProxy } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, finalReceipt } from '@sluice/testkit/requests';
import { countTo } from '@sluice/testkit/statements';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createResultFolder, type ResultFolder } from '../create-result-folder.ts';
import { loadClient, openClientPage, type PageGlobal, traceTasks } from './client-page.ts';

// Needs Chromium on the PATH (`node deploy/components/programs.mjs install chromium`) and the built client (`npm run build`).

/** Longest task of a page that stays usable: 50 ms (W3C Long Tasks), times four for a busy machine. The figures are printed. */
const LONG_TASK_MS = 200;
const ROWS = 1_000_000;
const WIDE = `SELECT range AS a, range % 7 AS b, (range % 100000)::DECIMAL(15,2) AS c, range::DOUBLE / 3 AS d,
  'text ' || (range % 1000) AS e, DATE '2020-01-01' + (range % 1000)::INTEGER AS f, range % 2 = 0 AS g, range * 3 AS h,
  'a longer text of row ' || range AS i, range % 50 AS j, range % 11 AS k, range % 13 AS l, 'x' AS m, 'yes' AS n,
  range % 17 AS o, range::DECIMAL(38,4) AS p FROM range(${ROWS})`;

let results: ResultFolder;
let hosts: TestHosts;
let stream: CuttingProxy;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  results = await createResultFolder();
  hosts = await startHosts({ ALLOW_LOOPBACK_ORIGINS: 'true', ...results.settings });
  stream = await startCuttingProxy(hosts.url);
  // Chromium has no sandbox of its own for root, as whom CI runs.
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', chromiumSandbox: false });
  page = await openClientPage(browser, hosts.api.url);
  await signIn();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await stream?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
  await results?.[Symbol.asyncDispose]();
});
afterEach(() => stream.reset());

/** Signs in with the form of the API host, as a user does. */
async function signIn(): Promise<void> {
  await page.goto(`${hosts.api.url}/auth/sign-in/acme`);
  await page.fill('[name=email]', hosts.ann.email);
  await page.fill('[name=password]', hosts.ann.password);
  await page.press('[name=password]', 'Enter');
  await page.getByText('Signed in').first().waitFor();
  await loadClient(page, hosts.api.url);
}

/** Addresses and statement for functions that run in the page. */
const input = (sql: string, streamUrl = hosts.url) => ({ sql, streamUrl, apiUrl: hosts.api.url });
type Input = ReturnType<typeof input>;

/** Reads a query in the page, with the session of its cookie, and returns what the page saw. */
const readQuery = (given: Input) =>
  page.evaluate(async ({ sql, streamUrl, apiUrl }) => {
    const { createClient } = (globalThis as PageGlobal).sluice;
    let attempts = 0;
    const count: Middleware = (request, next) => {
      if (request.operation === 'streamQuery') attempts += 1;
      return next();
    };
    const auth = { session: 'cookie' } as const;
    const client = createClient({ tenant: 'acme', streamUrl, apiUrl, auth, middleware: [count] });
    const query = client.query(sql);
    let [rows, sum, bytes] = [0, 0n, 0];
    try {
      for await (const row of query) {
        rows += 1;
        if (typeof row['a'] === 'bigint') sum += row['a'];
        if (typeof row['t'] === 'string') bytes += row['t'].length;
      }
    } catch (error) {
      const { name, code } = error as Error & { code?: string };
      return { rows, state: query.state, attempts, error: name, code };
    }
    return { rows, sum: String(sum), bytes, state: query.state, attempts };
  }, given);

const postsTo = (path: string): number =>
  stream.seen.filter((request) => request.method === 'POST' && request.path === path).length;

describe('the client in Chromium', () => {
  it('reads 1 million rows of 16 columns without a long task', async () => {
    let result: Awaited<ReturnType<typeof readQuery>> | undefined;
    const tasks = await traceTasks(browser, page, async () => {
      result = await readQuery(input(WIDE));
    });
    process.stdout.write(`tasks of 1,000,000 rows: ${JSON.stringify(tasks)}\n`);
    expect(result).toMatchObject({ rows: ROWS, sum: '499999500000', state: 'complete' });
    expect(tasks.count).toBeGreaterThan(100);
    expect(tasks.busiestMs).toBeLessThan(LONG_TASK_MS);
  }, 400_000);

  it('reads 50 rows of 1 MB without a long task', async () => {
    let result: Awaited<ReturnType<typeof readQuery>> | undefined;
    const tasks = await traceTasks(browser, page, async () => {
      result = await readQuery(input(`SELECT repeat('long "text" ', 87381) AS t FROM range(50)`));
    });
    process.stdout.write(`tasks of 50 rows of 1 MB: ${JSON.stringify(tasks)}\n`);
    expect(result).toMatchObject({ rows: 50, bytes: 50 * 87_381 * 12, state: 'complete' });
    expect(tasks.busiestMs).toBeLessThan(LONG_TASK_MS);
  }, 200_000);

  it('cancels the query on the server when its loop is left', async () => {
    const id = await page.evaluate(
      async ({ sql, streamUrl, apiUrl }) => {
        const { createClient } = (globalThis as PageGlobal).sluice;
        const client = createClient({ tenant: 'acme', streamUrl, apiUrl, auth: { session: 'cookie' } });
        const query = client.query(sql);
        for await (const _row of query) break;
        return await query.id;
      },
      input(countTo(500_000_000)),
    );
    const receipt = await finalReceipt(hosts.url, id, { credential: basicOf(hosts.ann), withinMs: 10_000 });
    expect(receipt).toMatchObject({ state: 'CANCELLED' });
  });

  it('downloads to a Blob that equals its receipt', async () => {
    const { text, receipt } = await page.evaluate(
      async ({ sql, streamUrl, apiUrl }) => {
        const { createClient, toBlob } = (globalThis as PageGlobal).sluice;
        const client = createClient({ tenant: 'acme', streamUrl, apiUrl, auth: { session: 'cookie' } });
        const downloaded = await client.download({ format: 'csv', sql }, toBlob());
        return { text: await downloaded.result.text(), receipt: downloaded.receipt };
      },
      input(countTo(100_000)),
    );
    expect(receipt).toMatchObject({ state: 'FINISHED', rows: 100_000, bytes: text.length });
    expect(createHash('sha256').update(text).digest('hex')).toBe(receipt.sha256);
  });
});

describe('a browser session', () => {
  it('needs the cookie of a login', async () => {
    const other = await openClientPage(browser, hosts.api.url);
    const code = await other.evaluate(async ({ streamUrl, apiUrl }) => {
      const { createClient } = (globalThis as PageGlobal).sluice;
      const client = createClient({ tenant: 'acme', streamUrl, apiUrl, auth: { session: 'cookie' } });
      return await client.stream.getMe().catch((error: Error & { code?: string }) => error.code);
    }, input(''));
    expect(code).toBe('unauthorized');
    await other.context().close();
  });

  it('gets a new token when a host rejects the one in use', async () => {
    const rejected = { error: 'unauthorized', message: 'text', request_id: 'r' };
    stream.reply('/query', { status: 401, headers: corsHeaders(), body: JSON.stringify(rejected) });
    const before = postsTo('/query');
    expect(await readQuery(input('SELECT 1::BIGINT AS a', stream.url))).toMatchObject({ rows: 1, state: 'complete' });
    expect(postsTo('/query') - before).toBe(2);
  });
});

/** Headers with which the host lets pages of the API host read its responses. */
const corsHeaders = (): Record<string, string> => ({
  'content-type': 'application/json',
  'access-control-allow-origin': hosts.api.url,
  'access-control-expose-headers': 'x-query-id, x-request-id, retry-after',
});

describe('a query of the client in Chromium', () => {
  const problem = (status: number, headers = {}) => ({
    status,
    headers: { ...corsHeaders(), 'retry-after': '1', ...headers },
    body: JSON.stringify({ error: 'service_unavailable', message: 'text', request_id: 'r' }),
  });

  it.each([429, 503])('is sent again after %d, not before Retry-After', async (status) => {
    stream.reply('/query', problem(status));
    const before = stream.seen.length;
    expect(await readQuery(input('SELECT 1::BIGINT AS a', stream.url))).toMatchObject({ rows: 1, state: 'complete' });
    const [first, second] = stream.seen.slice(before).filter(({ method }) => method === 'POST');
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it.each([
    ['502', 502, {}],
    ['503 of a query that was admitted', 503, { 'x-query-id': 'q' }],
  ])('is never sent again after %s', async (_name, status, headers) => {
    const before = postsTo('/query');
    stream.reply('/query', problem(status, headers));
    expect(await readQuery(input('SELECT 1 AS a', stream.url))).toMatchObject({
      error: 'ResponseError',
      state: 'failed',
    });
    expect(postsTo('/query') - before).toBe(1);
  });

  it.each(['cut', 'reset', 'end'] as const)('is incomplete when its stream ends early (%s)', async (kind) => {
    stream.damage('/query', { kind, afterBytes: 300 });
    const before = postsTo('/query');
    expect(await readQuery(input(countTo(1000), stream.url))).toMatchObject({
      error: 'IncompleteResultError',
      state: 'incomplete',
    });
    expect(postsTo('/query') - before).toBe(1);
  });

  it.each(['lost', 'unsent'] as const)(
    'is not sent again by the client when its response is lost (%s)',
    async (fault) => {
      expect(await readQuery(input('SELECT 1 AS a', stream.url))).toMatchObject({ state: 'complete' });
      stream.reply('/query', fault, fault, fault, fault);
      const before = postsTo('/query');
      expect(await readQuery(input('SELECT 1 AS a', stream.url))).toMatchObject({
        error: 'ConnectionError',
        code: 'connection_failed',
        attempts: 1,
      });
      // The query used the connection of the one before. For such a request Chromium itself tries a new connection, once.
      expect(postsTo('/query') - before).toBeLessThanOrEqual(2);
    },
  );
});

describe('a kept result in Chromium', () => {
  it('continues its rows and its file after cuts, from a page of another origin', async () => {
    stream.damage('/query', { kind: 'cut', afterBytes: 500_000, times: 3 });
    const read = await page.evaluate(
      async ({ sql, streamUrl, apiUrl }) => {
        const { createClient, toBlob } = (globalThis as PageGlobal).sluice;
        const client = createClient({ tenant: 'acme', streamUrl, apiUrl, auth: { session: 'cookie' } });
        const resumed: number[] = [];
        const onResume = ({ received }: { readonly received: number }): void => void resumed.push(received);
        const query = client.query(sql, { keep: '1h', onResume });
        let sum = 0n;
        for await (const { n } of query) sum += n as bigint;
        const { result, sha256 } = await client.result(await query.id).download('csv', toBlob(), { onResume });
        return { sum: String(sum), text: await result.text(), sha256, attempts: resumed.length };
      },
      input(countTo(200_000), stream.url),
    );
    expect(read).toMatchObject({ sum: '19999900000', attempts: 3 });
    expect(createHash('sha256').update(read.text).digest('hex')).toBe(read.sha256);
    expect(read.text.split('\n')).toHaveLength(200_002);
  });
});
