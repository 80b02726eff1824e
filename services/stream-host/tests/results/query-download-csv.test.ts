import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { finalReceipt, receiptOf, sha256Of } from '../client/receipts.ts';
import { basicOf, type Credential, post, queryIdOf, type ReceivedResponse, send } from '../client/requests.ts';
import { startHosts, type TestHosts } from '../hosts/start-hosts.ts';
import { ENDLESS, FAILING_ROW, FAILS_LATE, LONG } from '../statements/statements.ts';
import { curl } from './download-client.ts';

let hosts: TestHosts;
let ann: Credential;
let tenantWithTimeLimit: Credential;
let limited: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
  const brief = await hosts.build.tenant({ name: 'time-limited', settings: { queryTimeLimitMs: 1000 } });
  tenantWithTimeLimit = { ...basicOf(await hosts.build.user(brief)), host: 'time-limited-stream.localhost' };
  const small = await hosts.build.tenant({ name: 'limited', settings: { bytesMax: 100_000 } });
  limited = { ...basicOf(await hosts.build.user(small)), host: 'limited-stream.localhost' };
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const download = (body: unknown, headers: Credential = ann): Promise<ReceivedResponse> =>
  post(`${hosts.url}/query/download/csv`, body, headers);
const fetchCsv = (sql: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${hosts.url}/query/download/csv`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ann },
    body: JSON.stringify({ sql }),
    ...(signal === undefined ? {} : { signal }),
  });

describe('POST /query/download/csv succeeds', () => {
  it('with a header, a line per row, empty NULL and quotes only where needed', async () => {
    const answer = await download({ sql: 'SELECT * FROM items ORDER BY id', filename: 'items' });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('id,name,price\n1,nut,0.10\n2,"bolt, long",250.00\n9223372036854775807,,\n');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename=items.csv',
      'cache-control': 'no-store',
      'x-query-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('with quotes, line ends, empty strings and nested values as in RFC 4180', async () => {
    const sql = `SELECT 'say "hi"' AS a, 'two' || chr(10) || 'lines' AS b, '' AS c, ARRAY[1, 2] AS d, 'é' AS "e,f"`;
    expect((await download({ sql })).text).toBe('a,b,c,d,"e,f"\n"say ""hi""","two\nlines","","[1,2]",é\n');
  });

  it('with the default name download, and never with the extension twice', async () => {
    expect((await download({ sql: 'SELECT 1' })).headers['content-disposition']).toBe(
      'attachment; filename=download.csv',
    );
    const named = await download({ sql: 'SELECT 1', filename: 'a.csv' });
    expect(named.headers['content-disposition']).toBe('attachment; filename=a.csv');
  });

  it('with only the header for a result without rows', async () => {
    const answer = await download({ sql: 'SELECT * FROM nothing' });
    expect([answer.status, answer.text]).toEqual([200, 'id,name\n']);
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FINISHED',
      rows: 0,
      bytes: 8,
      sha256: sha256Of(answer.bytes),
    });
  });

  it('with a receipt of the exact bytes, also with curl', async () => {
    const sql = 'SELECT * FROM numbers ORDER BY n';
    const answer = await download({ sql });
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FINISHED',
      rows: 100_000,
      bytes: answer.bytes.length,
      sha256: sha256Of(answer.bytes),
    });
    const outcome = await curl(`${hosts.url}/query/download/csv`, {
      body: { sql },
      credential: ann,
      folder: hosts.folder,
    });
    expect([outcome.exitCode, sha256Of(outcome.bytes)]).toEqual([0, sha256Of(answer.bytes)]);
  });

  it('with formula cells prefixed only with excel_safe', async () => {
    const sql = `SELECT '=1+1' AS a, -5 AS b, '-x' AS c, '@y' AS "=cmd", 'plain' AS d`;
    expect((await download({ sql })).text).toBe('a,b,c,=cmd,d\n=1+1,-5,-x,@y,plain\n');
    expect((await download({ sql, excel_safe: false })).text).toBe('a,b,c,=cmd,d\n=1+1,-5,-x,@y,plain\n');
    expect((await download({ sql, excel_safe: true })).text).toBe("a,b,c,'=cmd,d\n'=1+1,-5,'-x,'@y,plain\n");
  });
});

describe('a compressed CSV download', () => {
  it('is sent to clients that accept it, with a receipt over the decompressed bytes', async () => {
    const body = { sql: 'SELECT * FROM numbers' };
    const packed = await download(body, { ...ann, 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    const bytes = gunzipSync(packed.bytes);
    expect(bytes.length).toBeGreaterThan(2 * packed.bytes.length);
    expect(await receiptOf(hosts.url, queryIdOf(packed), ann)).toMatchObject({
      bytes: bytes.length,
      sha256: sha256Of(bytes),
    });
    expect((await download(body)).headers['content-encoding']).toBeUndefined();
  });

  it('fails as a transfer when the query fails part-way', async () => {
    const order = { body: { sql: FAILS_LATE }, credential: ann, folder: hosts.folder };
    const { exitCode } = await curl(`${hosts.url}/query/download/csv`, order, '--compressed');
    expect(exitCode).not.toBe(0);
    const packed = await download(order.body, { ...ann, 'accept-encoding': 'gzip' });
    expect(packed.isWhole).toBe(false);
    expect(() => gunzipSync(packed.bytes)).toThrow();
  });
});

describe('POST /query/download/csv fails before the first byte', () => {
  it.each([
    ['SELECT * FRM items', 'syntax_error'],
    ['SELECT wrong FROM items', 'column_not_found'],
    ['CREATE TABLE t (i INTEGER)', 'read_only'],
    [`SELECT CAST('x' AS INTEGER)`, 'data_error'],
  ])('%s: returns 400 and the error JSON with %s', async (sql, error) => {
    const answer = await download({ sql });
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['content-disposition']).toBeUndefined();
    expect(answer.body).toMatchObject({
      error,
      message: expect.any(String),
      request_id: answer.headers['x-request-id'],
    });
    expect(queryIdOf(answer)).toMatch(/^[0-9a-f-]{36}$/);
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FAILED',
      rows: 0,
      error: { code: error.toUpperCase(), message: answer.body.message },
    });
  });

  it('with the position in the caller’s SQL', async () => {
    expect((await download({ sql: 'SELECT *\nFROM nowhere' })).body.location).toEqual({ line: 2, column: 6 });
  });

  it('with 504 after the time limit of its tenant', async () => {
    const answer = await download({ sql: ENDLESS }, tenantWithTimeLimit);
    expect([answer.status, answer.body.error]).toEqual([504, 'time_limit']);
  });

  it('with 409 when its caller cancels it', async () => {
    const downloaded = download({ sql: ENDLESS });
    const running = await until(
      async () =>
        (await send(`${hosts.url}/query`, { headers: { ...ann } })).body.data[0]?.query_id as string | undefined,
      { what: 'the running query', withinMs: 5000 },
    );
    await send(`${hosts.url}/query/${running}`, { method: 'DELETE', headers: { ...ann } });
    const answer = await downloaded;
    expect([answer.status, answer.body.error, queryIdOf(answer)]).toEqual([409, 'query_cancelled', running]);
  });
});

describe('POST /query/download/csv fails after the first byte', () => {
  it('as a transfer that curl and fetch report as failed', async () => {
    const outcome = await curl(`${hosts.url}/query/download/csv`, {
      body: { sql: FAILS_LATE },
      credential: ann,
      folder: hosts.folder,
    });
    expect(outcome.exitCode).toBe(18);
    expect(outcome.bytes.length).toBeGreaterThan(0);
    const response = await fetchCsv(FAILS_LATE);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(await receiptOf(hosts.url, response.headers.get('x-query-id') ?? '', ann)).toMatchObject({
      state: 'FAILED',
      sha256: null,
      error: { code: 'DATA_ERROR', message: expect.stringContaining(`boom at ${FAILING_ROW}`) },
    });
  });

  it('also at a limit of its tenant', async () => {
    const answer = await download({ sql: 'SELECT * FROM numbers' }, limited);
    if (answer.status === 200) expect(answer.isWhole).toBe(false);
    else expect(answer.body.error).toBe('resource_limit');
    expect(await receiptOf(hosts.url, queryIdOf(answer), limited)).toMatchObject({
      state: 'FAILED',
      error: { code: 'RESOURCE_LIMIT' },
    });
  });
});

describe('the client of POST /query/download/csv', () => {
  it('that disconnects has its query cancelled within 2 s, with a receipt without digest', async () => {
    const leaving = new AbortController();
    const response = await fetchCsv(LONG, leaving.signal);
    await response.body?.getReader().read();
    leaving.abort();
    const queryId = response.headers.get('x-query-id') ?? '';
    const receipt = await finalReceipt(hosts.url, queryId, { credential: ann, withinMs: 2000 });
    expect(receipt).toMatchObject({ state: 'CANCELLED', sha256: null, error: { code: 'QUERY_CANCELLED' } });
  });

  it('that disconnects before the first byte has its query cancelled too', async () => {
    const leaving = new AbortController();
    const response = fetchCsv(ENDLESS, leaving.signal);
    const running = await until(
      async () =>
        (await send(`${hosts.url}/query`, { headers: { ...ann } })).body.data[0]?.query_id as string | undefined,
      { what: 'the running query', withinMs: 5000 },
    );
    leaving.abort();
    await expect(response).rejects.toThrow();
    const receipt = await finalReceipt(hosts.url, running, { credential: ann, withinMs: 2000 });
    expect(receipt).toMatchObject({ state: 'CANCELLED', sha256: null, rows: 0 });
  });

  it('with HTTP/1.0 is rejected, because it could not detect a cut file', async () => {
    const options = { body: { sql: FAILS_LATE }, credential: ann, folder: hosts.folder };
    const { exitCode } = await curl(`${hosts.url}/query/download/csv`, options, '--http1.0', '--fail');
    expect(exitCode).toBe(22);
  });
});

describe('POST /query/download/csv rejects', () => {
  it('an invalid body and names all invalid fields', async () => {
    const answer = await download({ sql: 7, excel_safe: 'yes', size: 1, filename: '' });
    expect(answer.status).toBe(400);
    expect(answer.body.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      'body.excel_safe',
      'body.filename',
      'body.size',
      'body.sql',
    ]);
  });

  it('requests without credential with 401 and callers without query:run with 403', async () => {
    const auditor = await hosts.build.user(hosts.acme, { roles: ['auditor'] });
    expect((await download({ sql: 'SELECT 1' }, {})).status).toBe(401);
    expect((await download({ sql: 'SELECT 1' }, basicOf(auditor))).status).toBe(403);
  });
});
