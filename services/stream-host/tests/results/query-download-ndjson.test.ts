import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receiptOf, sha256Of } from '../client/receipts.ts';
import { basicOf, type Credential, post, queryIdOf, type ReceivedResponse } from '../client/requests.ts';
import { startHosts, type TestHosts } from '../hosts/start-hosts.ts';
import { FAILING_ROW, FAILS_LATE } from '../statements/statements.ts';
import { curl } from './download-client.ts';

const PATH = '/query/download/ndjson';

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const download = (body: unknown, headers: Credential = ann): Promise<ReceivedResponse> =>
  post(`${hosts.url}${PATH}`, body, headers);

describe('POST /query/download/ndjson succeeds', () => {
  it('with one JSON object per row, each ended by a line feed', async () => {
    const answer = await download({ sql: 'SELECT * FROM items ORDER BY id', filename: 'items' });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(
      '{"id":1,"name":"nut","price":0.10}\n{"id":2,"name":"bolt, long","price":250.00}\n{"id":9223372036854775807,"name":null,"price":null}\n',
    );
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename=items.ndjson',
      'cache-control': 'no-store',
      'x-query-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('with the value texts of a JSON download, for results on the small-result path and streamed ones', async () => {
    for (const sql of ['SELECT * FROM numbers ORDER BY n LIMIT 10', 'SELECT * FROM numbers ORDER BY n']) {
      const json = await download({ sql }, ann);
      const whole = await post(`${hosts.url}/query/download/json`, { sql }, ann);
      const rows = whole.text.slice(whole.text.indexOf('[\n') + 2, whole.text.lastIndexOf('\n]'));
      expect(json.text).toBe(`${rows.replaceAll('},\n', '}\n')}\n`);
    }
  });

  it('with big_numbers, time_zone and without options of CSV', async () => {
    const sql = `SELECT CAST(9223372036854775807 AS bigint) AS b, 'a' || chr(10) || 'b' AS t`;
    expect((await download({ sql, big_numbers: 'string', time_zone: 'Europe/Berlin' })).text).toBe(
      '{"b":"9223372036854775807","t":"a\\nb"}\n',
    );
    const refused = await download({ sql, excel_safe: true });
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [expect.objectContaining({ path: 'body.excel_safe' })],
    ]);
  });

  it('with no byte for no row, and a receipt of it', async () => {
    const answer = await download({ sql: 'SELECT * FROM nothing' });
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FINISHED',
      rows: 0,
      bytes: 0,
      sha256: sha256Of(answer.bytes),
    });
  });

  it('with a receipt over every byte, also when the transfer is compressed', async () => {
    const answer = await download({ sql: 'SELECT * FROM numbers ORDER BY n' });
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FINISHED',
      rows: 100_000,
      bytes: answer.bytes.length,
      sha256: sha256Of(answer.bytes),
    });
    const packed = await download({ sql: 'SELECT * FROM numbers ORDER BY n' }, { ...ann, 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.bytes)).toEqual(answer.bytes);
  });
});

describe('POST /query/download/ndjson fails', () => {
  it('before the first byte with the error JSON', async () => {
    const answer = await download({ sql: 'SELECT * FROM nowhere' });
    expect([answer.status, answer.headers['content-type'], answer.body.error]).toEqual([
      400,
      'application/json',
      'table_not_found',
    ]);
    expect(answer.headers['content-disposition']).toBeUndefined();
  });

  it('after the first byte as a transfer that curl reports as failed', async () => {
    const request = { body: { sql: FAILS_LATE }, credential: ann, folder: hosts.folder };
    const outcome = await curl(`${hosts.url}${PATH}`, request);
    expect([outcome.exitCode, outcome.bytes.length > 0]).toEqual([18, true]);
    const answer = await download(request.body);
    expect([answer.status, answer.isWhole]).toEqual([200, false]);
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FAILED',
      sha256: null,
      error: { code: 'DATA_ERROR', message: expect.stringContaining(`boom at ${FAILING_ROW}`) },
    });
  });

  it('with 401 without a credential and 403 without query:run', async () => {
    const auditor = await hosts.build.user(hosts.acme, { roles: ['auditor'] });
    expect((await download({ sql: 'SELECT 1' }, {})).status).toBe(401);
    expect((await download({ sql: 'SELECT 1' }, basicOf(auditor))).status).toBe(403);
  });
});
