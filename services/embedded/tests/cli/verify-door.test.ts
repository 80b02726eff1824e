import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { runInProcess } from './run-in-process.ts';

let cli: CliHosts;
beforeAll(async () => {
  cli = await startCliHosts({ TRINO_DOOR: 'true' });
}, 120_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
});

const verify = (sql: string, ...words: string[]) => runInProcess(['verify', '--trino', sql, ...words], cli.analyst);

/** More than a page. Doubles cannot hold the first column. */
const EXACT = `SELECT 9007199254740993 + range AS n, (range / 8)::DECIMAL(12,3) AS d, 'a,"]' || range AS t FROM range(60000)`;

type Change = (text: string, path: string) => { readonly status?: number; readonly text: string };

/** Runs the command behind a proxy that changes the answers of the stream host. */
async function behindProxy(change: Change, sql: string) {
  const proxy = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(
      Object.entries(req.headers).filter(([name]) => name === 'authorization' || name.startsWith('x-trino-')),
    ) as Record<string, string>;
    const { method = 'GET', url = '/' } = req;
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const answer = await fetch(`${cli.hosts.url}${url}`, { method, headers, ...body });
    const { status = answer.status, text } = change(await answer.text(), url);
    const queryId = answer.headers.get('x-query-id');
    const own = queryId === null ? {} : { 'x-query-id': queryId };
    res.writeHead(status, { 'content-type': 'application/json', ...own }).end(status === 204 ? undefined : text);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    const { port } = proxy.address() as AddressInfo;
    const environment = { ...cli.analyst, SLUICE_STREAM_URL: `http://127.0.0.1:${port}` };
    return await runInProcess(['verify', '--trino', sql], environment);
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
}

describe('verify --trino', () => {
  it('proves that the rows that came are those of the receipt', async () => {
    const run = await verify(EXACT);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(
      /^The rows that came through the Trino door are whole: 60,000 rows, [\d.]+ MB, as the receipt of query [\da-f-]{36} says\.\n$/,
    );
    const document = JSON.parse((await verify(EXACT, '--json')).stdout);
    const { rows, bytes, sha256 } = document;
    expect(document).toMatchObject({ state: 'matches', rows: 60_000, server_receipt: { rows, bytes, sha256 } });
    expect(document.server_receipt).toMatchObject({ query_id: document.query_id, state: 'FINISHED' });
  });

  it('proves that a result has no rows', async () => {
    const document = JSON.parse((await verify('SELECT 1 AS one WHERE false', '--json')).stdout);
    expect(document).toMatchObject({ state: 'matches', rows: 0, bytes: 0 });
  });

  it('says why a statement failed, and what has no receipt', async () => {
    const failed = await verify('SELECT no_such_column FROM items');
    expect(failed).toMatchObject({ exitCode: 1, stdout: '' });
    expect(failed.stderr).toContain('no_such_column');
    const refused = await verify('SHOW CATALOGS');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('The statement has no receipt');
    expect(await verify(' ')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('status 400') });
  });

  it('finds a value that is changed on the way, a row that is missing, and a page that is lost', async () => {
    const changed = await behindProxy((text) => ({ text: text.replace('["b"]', '["c"]') }), `SELECT 'b' AS t`);
    expect(changed).toMatchObject({ exitCode: 3, stdout: '' });
    expect(changed.stderr).toMatch(/^error: The rows that came .* their SHA-256 is another one\. Something on the way/);
    const shorter = await behindProxy(
      (text) => ({ text: text.replace(/,\s*\[2\]/, '') }),
      'SELECT range AS n FROM range(3)',
    );
    expect(shorter).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('2 rows arrived, and the receipt has 3'),
    });
    const first = (text: string) => ({
      text: text.includes('"data"') ? text.replace(/"nextUri":"[^"]*",?/, '') : text,
    });
    const cut = await behindProxy(first, EXACT);
    expect(cut).toMatchObject({ exitCode: 3, stdout: '' });
  });

  it('does not take anything else for a page', async () => {
    const isPage = (path: string) => path.includes('/executing/');
    const html = await behindProxy((text, path) => ({ text: isPage(path) ? '<html></html>' : text }), 'SELECT 1');
    expect(html).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('is not a page of Trino’s protocol') });
    const elsewhere = (text: string) => ({ text: text.replace(/"nextUri":"[^"]*"/, '"nextUri":"http://evil.test/a"') });
    const led = await behindProxy(elsewhere, 'SELECT 1');
    expect(led).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('http://evil.test/a') });
    const off = await behindProxy(
      (text, path) => ({ text, ...(path === '/v1/statement' && { status: 404 }) }),
      'SELECT 1',
    );
    expect(off).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('has no Trino door') });
  });

  it('takes a statement or a file', async () => {
    for (const words of [['a.csv', '--trino', 'SELECT 1'], ['--trino', 'SELECT 1', '--offline'], []]) {
      const run = await runInProcess(['verify', ...words], cli.bare);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toContain('sluice verify --help');
    }
  });
});
