import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DownloadFormatName, downloadFormats } from '@sluice/contract';
import { generatedColumns, selectGenerated } from '@sluice/engine/testing';
import { createLogger } from '@sluice/observability';
import { startStreamHost } from '@sluice/stream-host';
import { caseSeed, type ReceivedResponse, send, shortOrLong, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, post, queryIdOf } from '@sluice/testkit/requests';
import { countTo } from '@sluice/testkit/statements';
import fc from 'fast-check';
import { assertKeptFiles, downloadKept, type KeepingHost, keepResult } from './assert-kept-files.ts';

let folder: string;
let hosts: TestHosts;
let host: KeepingHost;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-kept-files-'));
  hosts = await startHosts({
    RESULT_FOLDER: join(folder, 'results'),
    RESULT_KEY: randomBytes(32).toString('base64'),
    RESULT_KEEP_MAX: '24h',
    RESULT_FILES_MAX: '64MiB',
  });
  host = { url: hosts.url, credential: basicOf(hosts.ann) };
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64');
const formats = downloadFormats.map(([name]) => name);
const recordsOf = (id: string) =>
  hosts.rows<{ user_name: string; target: string; metadata: unknown }>(
    `select user_name, target, metadata from audit_log where action = 'DOWNLOAD_RESULT' and query_id = $1 order by occurred`,
    [id],
  );

async function userOf(name: string, settings: object): Promise<KeepingHost> {
  const user = await hosts.build.user(await hosts.build.tenant({ name, settings }));
  return { url: hosts.url, credential: { ...basicOf(user), host: `${name}-stream.localhost` } };
}

describe('the file of a kept result', () => {
  it('has the bytes of a direct download, in every format with all its options', async () => {
    await assertKeptFiles(host, 'SELECT * FROM items ORDER BY id');
    await assertKeptFiles(
      host,
      `SELECT '=1+1' AS formula, 12345678901234567890::HUGEINT AS big, TIMESTAMPTZ '2026-07-01 12:00:00+00' AS t, DATE '2026-11-29' AS d,
         repeat('long ', 9000) AS text, NULL AS nothing`,
      { timeZone: 'Europe/Berlin' },
    );
    await assertKeptFiles(host, 'SELECT 1 AS a LIMIT 0');
    await assertKeptFiles(
      host,
      `SELECT i AS id, md5(i::VARCHAR) AS text FROM range(${shortOrLong(40_000, 300_000)}) AS r(i)`,
    );
  }, 300_000);

  it('has the bytes of a direct download for generated tables', async () => {
    await fc.assert(
      fc.asyncProperty(generatedColumns(4), async (columns) => {
        await assertKeptFiles(host, selectGenerated(columns, 4));
      }),
      { numRuns: shortOrLong(5, 40, 200) },
    );
  }, 300_000);

  it('says its length and hash, its name and its execution, and HEAD says the same without a record', async () => {
    const id = await keepResult(host, 'SELECT * FROM items ORDER BY id');
    for (const format of formats) {
      const options = { filename: 'my items' };
      const head = await downloadKept(host, id, format, { options, method: 'HEAD' });
      const answer = await downloadKept(host, id, format, { options });
      expect(answer.headers).toMatchObject({
        'accept-ranges': 'bytes',
        'content-length': String(answer.bytes.length),
        'content-disposition': `attachment; filename="my items.${format}"`,
        etag: expect.stringMatching(/^"[\w-]{43}"$/),
        'repr-digest': `sha-256=:${sha256Of(answer.bytes)}:`,
        'x-query-id': id,
      });
      const { date: _, 'x-request-id': __, ...same } = answer.headers;
      expect([head.status, head.bytes.length]).toEqual([200, 0]);
      expect(head.headers).toMatchObject(same);
    }
    const records = await recordsOf(id);
    expect(records).toEqual(
      formats.map((format) => ({
        user_name: hosts.ann.email,
        target: id,
        metadata: { format, filename: 'my items', tables_read: ['shop.main.items'] },
      })),
    );
  });

  it('has the values of its parameters in a workbook, and is the same at any time and on any host', async () => {
    const body = { sql: 'SELECT $a AS a', parameters: { a: 7 }, keep: '1h', filename: 'seven' };
    const direct = await post(`${host.url}/query/download/xlsx`, body, host.credential);
    const id = queryIdOf(direct);
    const options = { filename: 'seven' };
    const other = await startStreamHost({
      environment: { ...hosts.environment, STREAM_PORT: '0' },
      overrides: { log: createLogger({ service: 'test', level: 'silent' }) },
    });
    try {
      for (const url of [host.url, other.url]) {
        const kept = await downloadKept({ ...host, url }, id, 'xlsx', { options });
        expect(kept.bytes.equals(direct.bytes)).toBe(true);
      }
    } finally {
      await other.drain();
    }
  });

  it('is never compressed, so that its ranges are those of the file', async () => {
    const id = await keepResult(host, countTo(1_000));
    const plain = await downloadKept(host, id, 'csv');
    const accepting = await downloadKept(host, id, 'csv', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(accepting.headers['content-encoding']).toBeUndefined();
    expect(accepting.bytes.equals(plain.bytes)).toBe(true);
    expect(accepting.headers['cache-control']).toContain('no-transform');
  });

  it('is for the account that ran the query, as long as the result is kept', async () => {
    const id = await keepResult(host, 'SELECT 42 AS secret_answer');
    const bob = basicOf(await hosts.build.user(hosts.acme));
    const eve = { ...basicOf(await hosts.build.user(hosts.globex)), host: 'globex-stream.localhost' };
    for (const method of ['GET', 'HEAD'])
      for (const format of formats) {
        for (const credential of [bob, eve])
          expect((await downloadKept({ ...host, credential }, id, format, { method })).status).toBe(404);
        expect((await downloadKept({ ...host, credential: {} }, id, format, { method })).status).toBe(401);
      }
    for (const unknown of [randomUUID(), 'no-id']) expect((await downloadKept(host, unknown, 'csv')).status).toBe(404);
    expect(await recordsOf(id)).toEqual([]);

    const short = await keepResult(host, 'SELECT 1 AS a', { keep: '2s' });
    const { etag = '' } = (await downloadKept(host, short, 'csv')).headers;
    await until(async () => ((await downloadKept(host, short, 'csv')).status === 404 ? true : undefined), {
      what: 'the expiry',
    });
    const resumed = await downloadKept(host, short, 'csv', { headers: { range: 'bytes=1-', 'if-range': etag } });
    expect([resumed.status, resumed.body.error]).toEqual([404, 'not_found']);
  });

  it('is rejected for options that its format does not have, and for unknown ones', async () => {
    const id = await keepResult(host, 'SELECT 1 AS a');
    for (const [format, search, message] of [
      ['json', '?separator=,', 'separator: is not an option of JSON'],
      ['parquet', '?big_numbers=string', 'big_numbers: is not an option of Parquet'],
      ['csv', '?excel_dates=true', 'excel_dates: is not an option of CSV'],
      ['csv', '?bom=1', 'bom must be true or false'],
      ['csv', '?filename=', 'filename must not be empty'],
      ['csv', '?filename=a%2Fb', 'path separators'],
      ['csv', '?time_zone=UTC', 'time_zone'],
      ['csv', '?bom=true&bom=false', 'bom'],
      ['xls', '', 'format must be one of'],
    ] as const) {
      const answer = await send(`${host.url}/query/${id}/download/${format}${search}`, { headers: host.credential });
      expect([format, search, answer.status, answer.text]).toEqual([
        format,
        search,
        400,
        expect.stringContaining(message),
      ]);
    }
  });

  it('that the format cannot hold fails as a direct download does', async () => {
    const id = await keepResult(host, `SELECT 'infinity'::DATE AS d`);
    const answer = await downloadKept(host, id, 'parquet');
    expect([answer.status, answer.body.error]).toEqual([400, 'data_error']);
    expect(answer.headers['accept-ranges']).toBeUndefined();
    expect((await downloadKept(host, id, 'csv')).text).toBe('d\ninfinity\n');
  });

  it('larger than the limits of the host or the tenant is rejected before its first byte', async () => {
    const wide = `SELECT repeat('x', 1000) AS x FROM range(40000)`;
    const large = await downloadKept(host, await keepResult(host, wide), 'csv');
    expect([large.status, large.body.error]).toEqual([400, 'resource_limit']);
    expect(large.body.message).toContain('the limit for files of kept results');
    const limited = await userOf('few-bytes', {});
    const id = await keepResult(limited, countTo(4_000));
    expect((await downloadKept(limited, id, 'csv')).status).toBe(200);
    await hosts.rows(`update tenants set settings = settings || '{"bytesMax": 5000}' where name = 'few-bytes'`);
    let round = 0;
    const refused = await until(
      async () => {
        round += 1; // a workbook contains its name, so each is another file
        const answer = await downloadKept(limited, id, 'xlsx', { options: { filename: `round ${round}` } });
        return answer.status === 200 ? undefined : answer;
      },
      { what: 'the new limit' },
    );
    expect([refused.status, refused.body.error]).toEqual([400, 'resource_limit']);
    expect(refused.body.message).toContain('the limit of 5000 bytes of this tenant');
  });

  it('waits for its turn among the queries of its account, and is not made without a request that waits', async () => {
    const id = await keepResult(host, `SELECT i AS id, md5(i::VARCHAR) AS text FROM range(60000) AS r(i)`);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => downloadKept(host, id, index % 2 === 0 ? 'csv' : 'json')),
    );
    expect(responses.map(({ status, isWhole }) => [status, isWhole])).toEqual(responses.map(() => [200, true]));
    const leaving = new AbortController();
    const left = fetch(`${host.url}/query/${id}/download/xlsx`, { headers: host.credential, signal: leaving.signal });
    setImmediate(() => leaving.abort());
    await expect(left).rejects.toThrow();
    expect((await downloadKept(host, id, 'xlsx')).isWhole).toBe(true);
  });
});

describe('a damaged result', () => {
  it('is never sent, wherever it was changed', async () => {
    const id = await keepResult(host, `SELECT i AS id, md5(i::VARCHAR) AS text FROM range(40000) AS r(i)`);
    const names = await readdir(join(folder, 'results'), { recursive: true });
    const path = join(folder, 'results', names.find((name) => name.endsWith(id)) ?? '');
    const own = await readFile(path);
    for (const format of ['csv', 'parquet'] as const)
      for (const share of [0.2, 0.5, 0.9, 0.9999]) {
        const changed = Buffer.from(own);
        const at = Math.floor(own.length * share);
        changed[at] = (changed[at] ?? 0) ^ 1;
        await writeFile(path, changed);
        const answer = await downloadKept(host, id, format);
        expect([format, share, answer.status, answer.headers.etag]).toEqual([format, share, 500, undefined]);
      }
    await rm(path);
    expect((await downloadKept(host, id, 'csv')).status).toBe(503);
    await writeFile(path, own);
    expect((await downloadKept(host, id, 'csv')).status).toBe(200);
  });
});

describe('a damaged file', () => {
  it('is cut before its first byte that is not as it was written', async () => {
    const id = await keepResult(host, `SELECT i AS id, md5(i::VARCHAR) AS text FROM range(40000) AS r(i)`);
    const before = await namelessFiles();
    const whole = await downloadKept(host, id, 'csv');
    const [descriptor = ''] = (await namelessFiles()).filter((each) => !before.includes(each));
    const file = await open(join(DESCRIPTORS, descriptor), 'r+');
    await file.write(Buffer.from('changed'), 0, 7, 700_000);
    await file.close();
    const answer = await downloadKept(host, id, 'csv');
    expect([answer.status, answer.isWhole, answer.headers['content-length']]).toEqual([
      200,
      false,
      String(whole.bytes.length),
    ]);
    expect(answer.bytes.length).toBeLessThan(700_000);
    expect(answer.bytes.equals(whole.bytes.subarray(0, answer.bytes.length))).toBe(true);
    const range = await downloadKept(host, id, 'csv', { headers: { range: 'bytes=-100' } });
    expect(range.bytes.equals(whole.bytes.subarray(-100))).toBe(true);
  });
});

const DESCRIPTORS = '/proc/self/fd';

/** Returns the descriptors of the files without a name that this process, which is the host too, has open. */
async function namelessFiles(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const descriptor of await readdir(DESCRIPTORS)) {
    const target = await readlink(join(DESCRIPTORS, descriptor)).catch(() => '');
    if (target.includes('/sluice-overflow-')) found.push(descriptor);
  }
  return found;
}

describe('a range', () => {
  let id: string;
  let whole: ReceivedResponse;
  beforeAll(async () => {
    id = await keepResult(host, `SELECT i AS id, md5(i::VARCHAR) AS text FROM range(50000) AS r(i)`);
    whole = await downloadKept(host, id, 'csv');
  });

  const part = (headers: Credential, format: DownloadFormatName = 'csv'): Promise<ReceivedResponse> =>
    downloadKept(host, id, format, { headers });

  it('is a part of the file, which names its place in the whole', async () => {
    const { length } = whole.bytes;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=262143-262144', 262_143, 262_145],
      ['bytes=1000-', 1_000, length],
      ['bytes=-500', length - 500, length],
      [`bytes=-${length * 2}`, 0, length],
      [`bytes=100-${length * 9}`, 100, length],
    ] as const) {
      const answer = await part({ range });
      expect([range, answer.status, answer.isWhole]).toEqual([range, 206, true]);
      expect(answer.headers).toMatchObject({
        'content-range': `bytes ${start}-${end - 1}/${length}`,
        'content-length': String(end - start),
        etag: whole.headers.etag,
        'repr-digest': whole.headers['repr-digest'],
        'content-type': whole.headers['content-type'],
        'x-query-id': id,
      });
      expect(answer.bytes.equals(whole.bytes.subarray(start, end))).toBe(true);
    }
    expect((await recordsOf(id)).map(({ metadata }) => metadata)).toEqual([
      { format: 'csv', filename: 'download', tables_read: [] },
      ...[
        '0-0',
        '262143-262144',
        `1000-${length - 1}`,
        `${length - 500}-${length - 1}`,
        `0-${length - 1}`,
        `100-${length - 1}`,
      ].map((range) => ({ format: 'csv', filename: 'download', range, tables_read: [] })),
    ]);
  });

  it.each(['bytes=0-1,5-6', 'bytes=5-4', 'bytes=-', 'bytes=', 'bytes=a-b', 'bytes 0-1', 'items=0-1', 'none', ''])(
    'that is %j is ignored, and the whole file is sent',
    async (range) => {
      const answer = await part({ range });
      expect([answer.status, answer.headers['content-range'], answer.bytes.equals(whole.bytes)]).toEqual([
        200,
        undefined,
        true,
      ]);
    },
  );

  it.each(['bytes=99999999-', 'bytes=99999999-99999999999', 'bytes=-0'])(
    'that is %s is unsatisfiable, and is not recorded',
    async (range) => {
      const before = (await recordsOf(id)).length;
      const answer = await part({ range });
      expect([answer.status, answer.body]).toEqual([
        416,
        { error: 'range_not_satisfiable', message: expect.any(String), request_id: expect.any(String) },
      ]);
      expect(answer.headers['content-range']).toBe(`bytes */${whole.bytes.length}`);
      expect((await recordsOf(id)).length).toBe(before);
    },
  );

  it('of a HEAD is ignored', async () => {
    const answer = await downloadKept(host, id, 'csv', { method: 'HEAD', headers: { range: 'bytes=0-1' } });
    expect([answer.status, answer.headers['content-length']]).toEqual([200, String(whole.bytes.length)]);
  });

  it('holds for the file that If-Range names, otherwise the whole file is sent', async () => {
    const etag = String(whole.headers.etag);
    const range = 'bytes=10-19';
    expect((await part({ range, 'if-range': etag })).status).toBe(206);
    for (const other of [`W/${etag}`, '"other"', String(whole.headers.date), etag.slice(1, -1)]) {
      const answer = await part({ range, 'if-range': other });
      expect([other, answer.status, answer.bytes.length]).toEqual([other, 200, whole.bytes.length]);
    }
    const ofJson = await part({ range, 'if-range': etag }, 'json');
    expect(ofJson.status).toBe(200);
  });

  it('is not sent to a client that has the file', async () => {
    const etag = String(whole.headers.etag);
    const before = (await recordsOf(id)).length;
    for (const method of ['GET', 'HEAD']) {
      const answer = await downloadKept(host, id, 'csv', { method, headers: { 'if-none-match': `"x", W/${etag}` } });
      expect([method, answer.status, answer.bytes.length, answer.headers.etag]).toEqual([method, 304, 0, etag]);
    }
    expect((await part({ 'if-match': '"other"' })).status).toBe(412);
    expect((await recordsOf(id)).length).toBe(before);
    expect((await part({ 'if-match': etag, 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('taken 200 times at random places makes the file', async () => {
    const { bytes } = whole;
    const seed = caseSeed();
    const cuts = fc.sample(fc.nat(bytes.length), { numRuns: 200, seed });
    const places = [...new Set([0, ...cuts, bytes.length])].sort((a, b) => a - b);
    const pieces: Buffer[] = [];
    for (const [index, start] of places.slice(0, -1).entries()) {
      const answer = await part({
        range: `bytes=${start}-${(places[index + 1] ?? 0) - 1}`,
        'if-range': String(whole.headers.etag),
      });
      expect([seed, start, answer.status]).toEqual([seed, start, 206]);
      pieces.push(answer.bytes);
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  }, 120_000);
});

describe('a ticket', () => {
  it('opens the file of a kept result once, also a part of it', async () => {
    const id = await keepResult(host, countTo(1_000));
    const path = `/query/${id}/download/csv?filename=numbers`;
    const whole = await send(`${host.url}${path}`, { headers: host.credential });
    const created = await post(`${host.url}/tickets`, { method: 'GET', path }, host.credential);
    expect(created.status).toBe(201);
    const answer = await send(`${host.url}${created.body.url}`, { headers: { range: 'bytes=5-' } });
    expect([answer.status, answer.headers['x-query-id']]).toEqual([206, id]);
    expect(answer.bytes.equals(whole.bytes.subarray(5))).toBe(true);
    expect((await send(`${host.url}${created.body.url}`)).status).toBe(404);
    const unknown = await post(
      `${host.url}/tickets`,
      { method: 'GET', path: `/query/${randomUUID()}/download/csv` },
      host.credential,
    );
    expect(unknown.status).toBe(404);
  });
});
