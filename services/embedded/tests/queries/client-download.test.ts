import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Client,
  createClient,
  IncompleteResultError,
  QueryFailedError,
  ResponseError,
  type StatementDownload,
  toBlob,
  toStream,
} from '@sluice/client';
import { toFile } from '@sluice/client/node';
import { type CuttingProxy, startCuttingProxy, until } from '@sluice/testkit';
import { createItem, declareParameters } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf } from '@sluice/testkit/requests';
import { countTo, FAILS_LATE, LONG } from '@sluice/testkit/statements';

let hosts: TestHosts;
let proxy: CuttingProxy;
let client: Client;
let folder: string;
beforeAll(async () => {
  hosts = await startHosts();
  proxy = await startCuttingProxy(hosts.url);
  const { email, password } = hosts.ann;
  client = createClient({ tenant: 'acme', streamUrl: proxy.url, apiUrl: hosts.api.url, auth: { email, password } });
}, 120_000);
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-client-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(async () => {
  proxy.damage('/query', undefined);
  for (const name of await readdir(folder)) await rm(join(folder, name));
});

const csv = (sql: string): StatementDownload => ({ format: 'csv', sql });
const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error('the download did not fail');
    },
    (error: Error) => error,
  );

describe('a download of the client', () => {
  it.each(['csv', 'json', 'ndjson', 'xlsx', 'parquet'] as const)(
    'writes %s to a file that equals its receipt',
    async (format) => {
      const path = join(folder, `out.${format}`);
      const sql = `SELECT range AS n, 'a "b", ' || chr(10) || 'c' AS t FROM range(3000)`;
      const { receipt, result } = await client.download({ format, sql }, toFile(path));
      expect(result).toBe(path);
      expect(receipt).toMatchObject({ state: 'FINISHED', rows: 3000 });
      expect(await readdir(folder)).toEqual([`out.${format}`]);
      expect((await readFile(path)).length).toBe(receipt.bytes);
    },
  );

  it('binds parameters', async () => {
    const { result } = await client.download({ ...csv('SELECT $a AS a'), parameters: { a: 'x' } }, toBlob());
    expect(await result.text()).toBe('a\nx\n');
  });

  it('returns a Blob, and reports progress', async () => {
    const seen: number[] = [];
    const onProgress = ({ bytes, rows }: { bytes: number; rows: number | undefined }) => seen.push(bytes, rows ?? -1);
    const { receipt, result } = await client.download(csv(countTo(20_000)), toBlob(), { onProgress });
    expect(result).toMatchObject({ size: receipt.bytes, type: 'text/csv' });
    expect(seen.slice(-2)).toEqual([receipt.bytes, 20_000]);
  });

  it('writes to a stream, which it closes', async () => {
    const chunks: Uint8Array[] = [];
    let ending: unknown = 'open';
    const stream = new WritableStream<Uint8Array>({
      write: (chunk) => void chunks.push(chunk),
      close: () => {
        ending = 'closed';
      },
    });
    await client.download(csv('SELECT 1 AS a'), toStream(stream));
    expect(Buffer.concat(chunks).toString()).toBe('a\n1\n');
    expect(ending).toBe('closed');
  });

  it('keeps an existing file, and sends nothing', async () => {
    const path = join(folder, 'kept.csv');
    await writeFile(path, 'mine');
    const before = proxy.seen.length;
    expect(await failureOf(client.download(csv('SELECT 1 AS a'), toFile(path)))).toMatchObject({
      code: 'target_failed',
    });
    expect(proxy.seen).toHaveLength(before);
    expect(await readFile(path, 'utf8')).toBe('mine');
    await client.download(csv('SELECT 1 AS a'), toFile(path, { overwrite: true }));
    expect(await readFile(path, 'utf8')).toBe('a\n1\n');
  });

  it('of two downloads to one file keeps one whole file', async () => {
    const path = join(folder, 'shared.csv');
    const all = await Promise.allSettled([1, 2].map((n) => client.download(csv(countTo(n * 20_000)), toFile(path))));
    const finished = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value.receipt.bytes] : []));
    expect(finished).toHaveLength(1);
    expect((await readFile(path)).length).toBe(finished[0]);
  });
});

describe('a download of a marketplace item', () => {
  const DAYS = 'SELECT $day AS "day", $count AS "count"';
  beforeAll(async () => {
    const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
    await createItem(hosts, admin, { id: 'days', queries: { days: DAYS } });
    await createItem(hosts, admin, { id: 'pack', queries: { days: DAYS, one: 'SELECT 1 AS one' } });
    const declared = [
      { name: 'day', type: 'date' },
      { name: 'count', type: 'bigint', default: '1' },
    ];
    const datamaps = await hosts.rows<{ id: string }>('select fact_id as id from datamaps where sql = $1', [DAYS]);
    for (const { id } of datamaps) await declareParameters(hosts, id, declared);
  });

  it('takes parameters, also larger than a double, and equals its receipt', async () => {
    const parameters = { day: { type: 'date', value: '2026-11-24' }, count: 9007199254740993n };
    const { receipt, result } = await client.download({ itemId: 'days', format: 'csv', parameters }, toBlob());
    expect(await result.text()).toBe('day,count\n2026-11-24,9007199254740993\n');
    expect(receipt).toMatchObject({ state: 'FINISHED', rows: 1, bytes: result.size });
  });

  it.each(['json', 'xlsx', 'ndjson'] as const)('has the format %s', async (format) => {
    const parameters = { day: '2026-11-24' };
    const { receipt, result } = await client.download({ itemId: 'days', format, parameters }, toBlob());
    expect(result.size).toBe(receipt.bytes);
  });

  it('is an archive when it has several queries, larger without compression', async () => {
    const item = { itemId: 'pack', format: 'csv', parameters: { day: '2026-11-24' } } as const;
    const { result } = await client.download({ ...item, compression: 'store' }, toBlob());
    expect(result.type).toBe('application/zip');
    expect((await result.text()).startsWith('PK')).toBe(true);
    const { result: smaller } = await client.download(item, toBlob());
    expect(smaller.size).toBeLessThan(result.size);
  });

  it.each([
    ['a missing parameter', {}, { code: 'invalid_request', details: [{ path: 'body.parameters.day' }] }],
    ['an unknown one', { day: '2026-11-24', other: 1 }, { code: 'invalid_request' }],
  ])('is rejected with %s, before anything is written', async (_name, parameters, expected) => {
    const path = join(folder, 'x.csv');
    const downloading = client.download({ itemId: 'days', format: 'csv', parameters }, toFile(path));
    expect(await failureOf(downloading)).toMatchObject(expected);
    expect(await readdir(folder)).toEqual([]);
  });

  it('that does not exist is not_found', async () => {
    expect(await failureOf(client.download({ itemId: 'none', format: 'csv' }, toBlob()))).toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a download of the client leaves no file when', () => {
  it('the statement is rejected', async () => {
    const error = await failureOf(client.download(csv('SELECT nope'), toFile(join(folder, 'x.csv'))));
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ code: 'column_not_found' });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['csv', 'json'] as const)('the statement fails after its first byte (%s)', async (format) => {
    const error = await failureOf(client.download({ format, sql: FAILS_LATE }, toFile(join(folder, `x.${format}`))));
    expect(error).toBeInstanceOf(QueryFailedError);
    expect(error).toMatchObject({ code: 'data_error', queryId: expect.any(String) });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['cut', 'end'] as const)('the body ends early at any offset (%s)', async (kind) => {
    const { receipt } = await client.download(csv(countTo(1000)), toBlob());
    for (const afterBytes of [0, 1, 2, 100, receipt.bytes - 4, receipt.bytes - 1]) {
      proxy.damage('/query/download', { kind, afterBytes });
      const error = await failureOf(client.download(csv(countTo(1000)), toFile(join(folder, 'x.csv'))));
      expect({ afterBytes, error }).toEqual({ afterBytes, error: expect.any(IncompleteResultError) });
      expect(await readdir(folder)).toEqual([]);
    }
    proxy.damage('/query/download', undefined);
  });

  it('the body stalls', async () => {
    proxy.damage('/query/download', { kind: 'stall', afterBytes: 100 });
    const options = { idleTimeoutMs: 300 };
    const error = await failureOf(client.download(csv(countTo(1000)), toFile(join(folder, 'x.csv')), options));
    expect(error).toMatchObject({ code: 'incomplete_result', reason: 'stalled' });
    expect(await readdir(folder)).toEqual([]);
    proxy.damage('/query/download', undefined);
  });

  it('the signal is aborted, which cancels the query', async () => {
    const stop = new AbortController();
    let queryId = '';
    const onProgress = (progress: { queryId: string }) => {
      queryId = progress.queryId;
      stop.abort(new Error('enough'));
    };
    const options = { signal: stop.signal, onProgress };
    expect((await failureOf(client.download(csv(LONG), toFile(join(folder, 'x.csv')), options))).message).toBe(
      'enough',
    );
    expect(await readdir(folder)).toEqual([]);
    await until(
      async () =>
        (await client.stream.getQuery({ params: { id: queryId } })).state === 'CANCELLED' ? true : undefined,
      { what: 'the cancellation' },
    );
  });

  it('the folder does not exist', async () => {
    const path = join(folder, 'missing', 'x.csv');
    expect(await failureOf(client.download(csv('SELECT 1'), toFile(path)))).toMatchObject({ code: 'target_failed' });
  });

  it('the target cannot be written, which is target_failed', async () => {
    const full = new WritableStream<Uint8Array>({
      write: () => {
        throw new Error('disk full');
      },
    });
    const error = await failureOf(client.download(csv(countTo(1000)), toStream(full)));
    expect(error).toMatchObject({ code: 'target_failed', message: expect.stringContaining('disk full') });
  });
});
