import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, ConnectionError, createClient, IncompleteResultError, toBlob } from '@sluice/client';
import { toFile } from '@sluice/client/node';
import { type BodyFault, type CuttingProxy, reservePort, startCuttingProxy } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { countTo } from '@sluice/testkit/statements';

let hosts: TestHosts;
let proxy: CuttingProxy;
let client: Client;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-retries-'));
  hosts = await startHosts();
  proxy = await startCuttingProxy(hosts.url);
  client = clientOf(proxy.url);
  await client.stream.getMe();
}, 120_000);
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => proxy.reset());

function clientOf(streamUrl: string): Client {
  const { email, password } = hosts.ann;
  return createClient({ tenant: 'acme', streamUrl, apiUrl: hosts.api.url, auth: { email, password }, retries: 2 });
}

const problem = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/json', 'retry-after': '0', ...headers },
  body: JSON.stringify({ error: 'service_unavailable', message: 'text', request_id: 'r' }),
});
const page = (status: number) => ({ status, headers: { 'content-type': 'text/html' }, body: '<html>' });

/** The two ways to run a statement. Each resolves with its number of rows. */
const ways = {
  query: {
    path: '/query',
    run: async (sql: string) => {
      let rows = 0;
      for await (const batch of client.query(sql).batches()) rows += batch.length;
      return rows;
    },
  },
  download: {
    path: '/query/download',
    run: async (sql: string) =>
      (await client.download({ format: 'csv', sql }, toFile(join(folder, 'out.csv'), { overwrite: true }))).receipt
        .rows,
  },
} as const;

let serial = 0;
/** A statement whose text is its own, so that its runs can be counted on the host. */
const statement = (): string => {
  serial += 1;
  return `SELECT ${serial} AS serial`;
};
const runsOf = async (sql: string): Promise<number> => {
  const { data } = await client.stream.listQueryHistory({ query: { q: sql } });
  return data.filter((entry) => entry.sql === sql).length;
};
const sentTo = (path: string): number =>
  proxy.seen.filter((request) => request.method === 'POST' && request.path.startsWith(path)).length;
const failureOf = (running: Promise<unknown>): Promise<Error> =>
  running.then(
    () => {
      throw new Error('the statement did not fail');
    },
    (error: Error) => error,
  );

describe.each(Object.entries(ways))('a %s', (_name, { path, run }) => {
  it.each([
    ['429', problem(429)],
    ['503 without a query id', problem(503)],
    ['401', problem(401)],
  ])('is sent again after %s, because nothing ran', async (_fault, reply) => {
    const sql = statement();
    const before = sentTo(path);
    proxy.reply(path, reply);
    expect(await run(sql)).toBe(1);
    expect(sentTo(path) - before).toBe(2);
    expect(await runsOf(sql)).toBe(1);
  });

  it.each([
    ['503 of a query that was admitted', problem(503, { 'x-query-id': 'q' }), 0],
    ['500', problem(500), 0],
    ['503 of a proxy', page(503), 0],
    ['502', page(502), 0],
    ['504', page(504), 0],
    ['a connection that closes before the host has the request', 'unsent', 0],
    ['a response that is lost', 'lost', 1],
  ] as const)('is never sent again after %s', async (_fault, reply, runs) => {
    const sql = statement();
    const before = sentTo(path);
    proxy.reply(path, reply);
    const error = await failureOf(run(sql));
    if (typeof reply === 'string') expect(error).toBeInstanceOf(ConnectionError);
    else expect(error).toMatchObject({ status: reply.status });
    expect(sentTo(path) - before).toBe(1);
    expect(await runsOf(sql)).toBe(runs);
    expect(await readdir(folder).then((names) => names.filter((name) => name.endsWith('.part')))).toEqual([]);
  });

  it.each([
    { kind: 'cut', afterBytes: 200 },
    { kind: 'reset', afterBytes: 200 },
    { kind: 'end', afterBytes: 200 },
  ] satisfies BodyFault[])('is never sent again after its first byte (%j)', async (fault) => {
    const before = sentTo(path);
    proxy.damage(path, fault);
    expect(await failureOf(run(countTo(1000)))).toBeInstanceOf(IncompleteResultError);
    expect(sentTo(path) - before).toBe(1);
  });

  it('is complete over a slow connection', async () => {
    proxy.damage(path, { kind: 'slow', afterBytes: 100, bytesPerSecond: 20_000 });
    expect(await run(countTo(1000))).toBe(1000);
  });

  it('gives up after 2 retries', async () => {
    const before = sentTo(path);
    proxy.reply(path, problem(429), problem(429), problem(429), problem(429));
    expect(await failureOf(run('SELECT 1'))).toMatchObject({ status: 429 });
    expect(sentTo(path) - before).toBe(3);
  });
});

describe('a request that gets no response', () => {
  it('ends when its signal is aborted', async () => {
    proxy.reply('/query', 'silent');
    const before = sentTo('/query');
    const signal = AbortSignal.timeout(200);
    const error = await failureOf(client.download({ format: 'csv', sql: 'SELECT 1' }, toBlob(), { signal }));
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(sentTo('/query') - before).toBe(1);
  });

  it('is sent again while the host does not listen, because it was never sent', async () => {
    const url = `http://127.0.0.1:${await reservePort()}`;
    const attempts: number[] = [];
    const { email, password } = hosts.ann;
    const refused = createClient({
      tenant: 'acme',
      streamUrl: url,
      apiUrl: hosts.api.url,
      auth: { email, password },
      retries: 2,
      middleware: [
        (request, next) => {
          if (request.host === 'stream') attempts.push(request.attempt);
          return next();
        },
      ],
    });
    const error = await failureOf(refused.download({ format: 'csv', sql: 'SELECT 1' }, toBlob()));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(attempts).toEqual([1, 2, 3]);
  });
});

describe('the receipt of a download', () => {
  /** Replies once to the request of the receipt, whose path has the id of the query. */
  const download = async (reply: Parameters<CuttingProxy['reply']>[1]) => {
    const onProgress = ({ queryId }: { queryId: string }) => proxy.reply(`/query/${queryId}`, reply);
    return await client.download({ format: 'csv', sql: countTo(10) }, toBlob(), { onProgress });
  };

  it.each(['lost', 'unsent', page(502), page(503), page(504), problem(401)] as const)(
    'is requested again (%j)',
    async (reply) => {
      expect((await download(reply)).receipt).toMatchObject({ state: 'FINISHED', rows: 10 });
    },
  );

  it('must be readable: without it the download fails', async () => {
    const error = await failureOf(download({ ...problem(500), headers: { 'content-type': 'application/json' } }));
    expect(error).toMatchObject({ status: 500 });
  });
});
