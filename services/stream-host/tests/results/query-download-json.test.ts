import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failedResultSetBody } from '@sluice/contract';
import { bestTimeMs, until } from '@sluice/testkit';
import { finalReceipt, receiptOf, sha256Of } from '../client/receipts.ts';
import { basicOf, type Credential, post, queryIdOf, type ReceivedResponse, send } from '../client/requests.ts';
import { startHosts, type TestHosts } from '../hosts/start-hosts.ts';
import {
  ENDLESS,
  FAILING_ROW,
  FAILS_AT_ONCE,
  FAILS_LATE,
  LONG,
  NOON,
  UNINTERRUPTIBLE,
} from '../statements/statements.ts';
import { curl } from './download-client.ts';

let hosts: TestHosts;
let ann: Credential;
/** Users of a tenant with a time limit of one second, and of a tenant with a limit of 1,000 rows. */
let tenantWithTimeLimit: Credential;
let limited: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
  const brief = await hosts.build.tenant({ name: 'time-limited', settings: { queryTimeLimitMs: 1000 } });
  tenantWithTimeLimit = { ...basicOf(await hosts.build.user(brief)), host: 'time-limited-stream.localhost' };
  const small = await hosts.build.tenant({ name: 'limited', settings: { rowsMax: 1000 } });
  limited = { ...basicOf(await hosts.build.user(small)), host: 'limited-stream.localhost' };
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const download = (body: unknown, headers: Credential = ann): Promise<ReceivedResponse> =>
  post(`${hosts.url}/query/download/json`, body, headers);

describe('POST /query/download/json succeeds', () => {
  it('with a result set with exact digits', async () => {
    const answer = await download({ sql: 'SELECT * FROM items ORDER BY id' });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(
      [
        '{"metadata":{"columns":[{"name":"id","type":"bigint"},{"name":"name","type":"varchar"},{"name":"price","type":"decimal(10,2)"}],"type":"metadata"},"data":[',
        '{"id":1,"name":"nut","price":0.10},',
        '{"id":2,"name":"bolt, long","price":250.00},',
        '{"id":9223372036854775807,"name":null,"price":null}',
        ']}',
      ].join('\n'),
    );
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename=download.json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-query-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('with a receipt of the exact bytes', async () => {
    const answer = await download({ sql: 'SELECT * FROM numbers' });
    expect(answer.body.data).toHaveLength(100_000);
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FINISHED',
      rows: 100_000,
      bytes: answer.bytes.length,
      sha256: sha256Of(answer.bytes),
      limited: false,
      error: null,
    });
  });

  it('with a complete result set without rows', async () => {
    const answer = await download({ sql: 'SELECT id FROM nothing' });
    expect(answer.body).toEqual({
      metadata: { columns: [{ name: 'id', type: 'bigint' }], type: 'metadata' },
      data: [],
    });
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      rows: 0,
      sha256: sha256Of(answer.bytes),
    });
  });

  it('with big_numbers and time_zone as in a stream', async () => {
    const sql = `SELECT CAST(5 AS BIGINT) AS b, h FROM (${NOON.sql}) AS noon`;
    const answer = await download({ sql, big_numbers: 'string', time_zone: 'Asia/Tokyo' });
    expect(answer.text).toContain('{"b":"5","h":"21"}');
  });

  it('with curl, with the same bytes', async () => {
    const sql = 'SELECT * FROM numbers ORDER BY n';
    const outcome = await curl(`${hosts.url}/query/download/json`, {
      body: { sql },
      credential: ann,
      folder: hosts.folder,
    });
    expect(outcome.exitCode).toBe(0);
    expect(sha256Of(outcome.bytes)).toBe(sha256Of((await download({ sql })).bytes));
  });
});

describe('the file name', () => {
  it.each([
    ['report', 'attachment; filename=report.json'],
    ['report.json', 'attachment; filename=report.json'],
    ['REPORT.JSON', 'attachment; filename=REPORT.JSON'],
    ['report.csv', 'attachment; filename=report.csv.json'],
    ['my report', 'attachment; filename="my report.json"'],
    [
      'a"; filename=evil.sh',
      /^attachment; filename="a_; filename=evil.sh.json"; filename\*=UTF-8''a%22%3B%20filename%3Devil.sh.json$/,
    ],
    ['naïve €', /^attachment; filename="na_ve _.json"; filename\*=UTF-8''na%C3%AFve%20%E2%82%AC.json$/],
    ['\u{1f600}', /filename\*=UTF-8''%F0%9F%98%80.json$/],
    ['x'.repeat(200), `attachment; filename=${'x'.repeat(200)}.json`],
  ])('%j is sent in a form that all browsers read', async (filename, disposition) => {
    const { status, headers } = await download({ sql: 'SELECT 1', filename });
    expect(status).toBe(200);
    if (typeof disposition === 'string') expect(headers['content-disposition']).toBe(disposition);
    else expect(headers['content-disposition']).toMatch(disposition);
  });

  it.each([
    '',
    'a/b',
    '../../etc/passwd',
    'a\\b',
    'a\r\nset-cookie: x',
    'a\0',
    '\u0085',
    '..',
    '\ud800',
    'x'.repeat(201),
    5,
    null,
  ])('%j returns 400 and runs nothing', async (filename) => {
    const answer = await download(JSON.stringify({ sql: 'SELECT 1', filename }));
    expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, 'body.filename']);
    expect(answer.headers['x-query-id']).toBeUndefined();
  });
});

describe('POST /query/download/json fails before the first byte', () => {
  it.each([
    ['SELECT * FRM items', 'SYNTAX_ERROR'],
    ['SELECT * FROM nowhere', 'TABLE_NOT_FOUND'],
    ['DROP TABLE items', 'READ_ONLY'],
    [`SELECT CAST('x' AS INTEGER)`, 'DATA_ERROR'],
    [FAILS_AT_ONCE, 'DATA_ERROR'],
  ])('%s: returns 400 and a result set with %s', async (sql, code) => {
    const answer = await download({ sql });
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['content-disposition']).toBeUndefined();
    expect(answer.body).toMatchObject({
      metadata: { columns: [], type: 'metadata' },
      data: [],
      error: expect.any(String),
      code,
      query_id: queryIdOf(answer),
      request_id: answer.headers['x-request-id'],
      message: answer.body.error,
    });
    expect(failedResultSetBody.strict().safeParse(answer.body).error).toBeUndefined();
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FAILED',
      bytes: answer.bytes.length,
      sha256: sha256Of(answer.bytes),
      error: { code, message: answer.body.error },
    });
  });

  it('with 504 TIME_LIMIT after the time limit of its tenant, also when the engine cannot be interrupted', async () => {
    for (const sql of [ENDLESS, UNINTERRUPTIBLE]) {
      const tookMs = await bestTimeMs(4000, async () => {
        const answer = await download({ sql }, tenantWithTimeLimit);
        expect([answer.status, answer.body.code]).toEqual([504, 'TIME_LIMIT']);
        expect(await receiptOf(hosts.url, queryIdOf(answer), tenantWithTimeLimit)).toMatchObject({ state: 'FAILED' });
      });
      expect(tookMs).toBeLessThan(4000);
    }
  });

  it('with 409 QUERY_CANCELLED when its caller cancels it', async () => {
    const downloaded = download({ sql: ENDLESS });
    const running = await until(
      async () =>
        (await send(`${hosts.url}/query`, { headers: { ...ann } })).body.data[0]?.query_id as string | undefined,
      { what: 'the running query', withinMs: 5000 },
    );
    expect((await send(`${hosts.url}/query/${running}`, { method: 'DELETE', headers: { ...ann } })).status).toBe(202);
    const answer = await downloaded;
    expect([answer.status, answer.body.code, answer.body.query_id]).toEqual([409, 'QUERY_CANCELLED', running]);
    expect(await receiptOf(hosts.url, running, ann)).toMatchObject({ state: 'CANCELLED', rows: 0 });
  });
});

describe('POST /query/download/json fails after the first byte', () => {
  it('as valid JSON that ends with the error', async () => {
    const answer = await download({ sql: FAILS_LATE });
    expect([answer.status, answer.isWhole]).toEqual([200, true]);
    const { metadata, data, error, code, query_id } = answer.body;
    expect(metadata.columns).toEqual([{ name: 'n', type: 'bigint' }]);
    expect(data.length).toBeGreaterThan(0);
    expect(error).toContain(`boom at ${FAILING_ROW}`);
    expect([code, query_id]).toEqual(['DATA_ERROR', queryIdOf(answer)]);
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FAILED',
      rows: data.length,
      bytes: answer.bytes.length,
      sha256: sha256Of(answer.bytes),
    });
  });

  it('also at a limit of its tenant, never as a shorter success', async () => {
    const answer = await download({ sql: 'SELECT * FROM numbers' }, limited);
    expect(answer.body.code).toBe('RESOURCE_LIMIT');
    expect(answer.body.error).toContain('1000 rows');
    expect((await download({ sql: 'SELECT * FROM numbers LIMIT 1000' }, limited)).body.data).toHaveLength(1000);
  });
});

describe('the client of POST /query/download/json', () => {
  it('that disconnects has its query cancelled within 2 s, with a receipt without digest', async () => {
    const leaving = new AbortController();
    const response = await fetch(`${hosts.url}/query/download/json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ann },
      body: JSON.stringify({ sql: LONG }),
      signal: leaving.signal,
    });
    await response.body?.getReader().read();
    leaving.abort();
    const queryId = response.headers.get('x-query-id') ?? '';
    const receipt = await finalReceipt(hosts.url, queryId, { credential: ann, withinMs: 2000 });
    expect(receipt).toMatchObject({ state: 'CANCELLED', sha256: null, error: { code: 'QUERY_CANCELLED' } });
    expect(receipt.rows).toBeGreaterThan(0);
  });

  it('with HTTP/1.0 is rejected, because it could not detect a cut file', async () => {
    const options = { body: { sql: 'SELECT 1' }, credential: ann, folder: hosts.folder };
    const { bytes: told } = await curl(`${hosts.url}/query/download/json`, options, '--http1.0');
    expect(JSON.parse(told.toString())).toMatchObject({ error: 'http_version_not_supported' });
  });
});

describe('POST /query/download/json rejects', () => {
  it('fields of other routes and names all of them', async () => {
    const answer = await download({ sql: '', size: 5, progress: true, excel_safe: true, filename: 'a/b' });
    expect(answer.status).toBe(400);
    expect(answer.body.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      'body.excel_safe',
      'body.filename',
      'body.progress',
      'body.size',
      'body.sql',
    ]);
  });

  it('requests without credential with 401, callers without query:run with 403, other media types with 415', async () => {
    const auditor = await hosts.build.user(hosts.acme, { roles: ['auditor'] });
    expect((await download({ sql: 'SELECT 1' }, {})).status).toBe(401);
    expect((await download({ sql: 'SELECT 1' }, basicOf(auditor))).status).toBe(403);
    expect((await download({ sql: 'SELECT 1' }, { ...ann, 'content-type': 'text/csv' })).status).toBe(415);
  });
});
