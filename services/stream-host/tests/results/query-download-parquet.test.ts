import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSlowReader } from '@sluice/testkit';
import { finalReceipt, receiptOf, sha256Of } from '../client/receipts.ts';
import { basicOf, type Credential, post, queryIdOf, type ReceivedResponse, send } from '../client/requests.ts';
import { probeWorker, untilRunning } from '../client/running-queries.ts';
import { startHosts, type TestHosts } from '../hosts/start-hosts.ts';
import { ENDLESS, FAILS_AT_ONCE, LONG } from '../statements/statements.ts';
import { installPyarrow, readByPyarrow } from './parquet-reader.ts';

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  await installPyarrow();
  hosts = await startHosts({ WORKERS_MAX: '1' });
  ann = basicOf(hosts.ann);
}, 300_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const PATH = '/query/download/parquet';
const download = (body: unknown, credential = ann): Promise<ReceivedResponse> =>
  post(`${hosts.url}${PATH}`, body, credential);

/** SQL of a value, and its type and value in pyarrow. */
const VALUES: readonly (readonly [string, string, string])[] = [
  ['9223372036854775807', 'int64', '9223372036854775807'],
  ['18446744073709551615::UBIGINT', 'uint64', '18446744073709551615'],
  ['0.1::DOUBLE', 'double', '0.1'],
  [`'NaN'::DOUBLE`, 'double', 'nan'],
  ['250.00::DECIMAL(38,2)', 'decimal128(38, 2)', `Decimal('250.00')`],
  ['-0.5::DECIMAL(4,3)', 'decimal128(4, 3)', `Decimal('-0.500')`],
  ['true', 'bool', 'True'],
  [`'=1+1' || chr(0) || '😀'`, 'string', `'=1+1\\x00😀'`],
  [`'\\x00\\xFF'::BLOB`, 'binary', `b'\\x00\\xff'`],
  [`DATE '1582-10-15'`, 'date32[day]', 'datetime.date(1582, 10, 15)'],
  [`TIME '23:59:59.999999'`, 'time64[us]', 'datetime.time(23, 59, 59, 999999)'],
  [`TIMESTAMP '2024-02-29 12:34:56.789012'`, 'timestamp[us]', 'datetime.datetime(2024, 2, 29, 12, 34, 56, 789012)'],
  [
    `TIMESTAMPTZ '2024-02-29 12:34:56+02'`,
    'timestamp[us, tz=UTC]',
    `datetime.datetime(2024, 2, 29, 10, 34, 56, tzinfo=zoneinfo.ZoneInfo(key='UTC'))`,
  ],
  ['170141183460469231731687303715884105727', 'string', `'170141183460469231731687303715884105727'`],
  [`INTERVAL '1 day 3.000001 seconds'`, 'string', `'P1DT3.000001S'`],
  ['[1, NULL, 3]', 'list<element: int32>', '[1, None, 3]'],
  ['NULL::INTEGER[3]', 'list<element: int32>', 'None'],
  [
    `{'a': 1, 'b': [170141183460469231731687303715884105727]}`,
    'struct<a: int32, b: list<element: string>>',
    `{'a': 1, 'b': ['170141183460469231731687303715884105727']}`,
  ],
  [`{'k': 'v'}::JSON`, 'string', `'{"k":"v"}'`],
];

describe('POST /query/download/parquet succeeds', () => {
  it('with values that pyarrow reads exactly', async () => {
    const sql = `SELECT ${VALUES.map(([value], index) => `${value} AS c${index}`).join(', ')} UNION ALL
      SELECT ${VALUES.map(() => 'NULL').join(', ')}`;
    const answer = await download({ sql, filename: 'values' });
    expect([answer.status, answer.isWhole]).toEqual([200, true]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-disposition': 'attachment; filename=values.parquet',
    });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    const { rows, columns } = await readByPyarrow(answer.bytes);
    expect(rows).toBe(2);
    expect(columns).toEqual(
      VALUES.map(([, type, value], index) => ({ name: `c${index}`, type, values: [value, 'None'] })),
    );
  });

  it('with a receipt and an audit outcome of the exact bytes', async () => {
    const answer = await download({ sql: 'SELECT * FROM numbers' });
    const told = { rows: 100_000, bytes: answer.bytes.length, sha256: sha256Of(answer.bytes) };
    const queryId = queryIdOf(answer);
    expect(await receiptOf(hosts.url, queryId, ann)).toMatchObject({ state: 'FINISHED', ...told });
    expect((await readByPyarrow(answer.bytes)).rows).toBe(100_000);
    const [record, outcome] = await hosts.rows<{ metadata: object }>(
      'select * from audit_log where query_id = $1 order by record_id nulls first',
      [queryId],
    );
    expect(record).toMatchObject({ action: 'DOWNLOAD_QUERY', metadata: { format: 'parquet' } });
    expect(JSON.stringify(outcome)).toContain(told.sha256);
  });

  it('with only the columns for a result without rows', async () => {
    const { rows, columns } = await readByPyarrow((await download({ sql: 'SELECT * FROM nothing' })).bytes);
    expect([rows, columns.map(({ name }) => name)]).toEqual([0, ['id', 'name']]);
  });
});

describe('POST /query/download/parquet fails', () => {
  it('with an ordinary error response before the first byte', async () => {
    const answer = await download({ sql: FAILS_AT_ONCE });
    expect([answer.status, answer.body.error]).toEqual([400, 'data_error']);
    expect((await download({ sql: 'SELECT * FROM nope' })).body.error).toBe('table_not_found');
    for (const sql of [`COPY (SELECT 1) TO 'x'`, `SELECT * FROM read_text('/etc/passwd')`]) {
      expect((await download({ sql })).body.error).toBe('read_only');
    }
  });

  it('with a message that names the column and a remedy, for a value that Parquet readers would change', async () => {
    const answer = await download({ sql: `SELECT 'infinity'::DATE AS due` });
    expect([answer.status, answer.body.error]).toEqual([400, 'data_error']);
    expect(answer.body.message).toMatch(/column due holds infinity.*Cast it to VARCHAR/);
  });

  it('cut without a footer at its last row, so that no reader accepts it, and the receipt is FAILED', async () => {
    const sql = `SELECT CASE WHEN range = 999999 THEN error('boom') ELSE range END AS n FROM range(1000000)`;
    const answer = await download({ sql });
    expect([answer.status, answer.isWhole]).toEqual([200, false]);
    expect(answer.bytes.subarray(0, 4).toString()).toBe('PAR1');
    expect(answer.bytes.subarray(-4).toString()).not.toBe('PAR1');
    await expect(readByPyarrow(answer.bytes)).rejects.toThrow(/magic bytes|footer/);
    const receipt = await finalReceipt(hosts.url, queryIdOf(answer), { credential: ann, withinMs: 5000 });
    expect(receipt).toMatchObject({ state: 'FAILED', sha256: null, error: { code: 'DATA_ERROR' } });
  });

  it('when it is cancelled while its client reads nothing, and frees its worker', async () => {
    const reader = openSlowReader({
      url: `${hosts.url}${PATH}`,
      headers: { 'content-type': 'application/json', ...ann },
      body: JSON.stringify({ sql: LONG }),
      bytesPerSecond: 1000,
    });
    try {
      await reader.untilBytes(1000);
      const { query_id } = await untilRunning(hosts.url, ann);
      expect((await send(`${hosts.url}/query/${query_id}`, { method: 'DELETE', headers: { ...ann } })).status).toBe(
        202,
      );
      // The only worker is free although the client still reads nothing.
      expect(await probeWorker(hosts.url, ann)).toBe(true);
      reader.readAt(Number.POSITIVE_INFINITY);
      const receipt = await finalReceipt(hosts.url, query_id, { credential: ann, withinMs: 5000 });
      expect(receipt).toMatchObject({ state: 'CANCELLED', sha256: null });
      expect(reader.received().subarray(-4).toString()).not.toBe('PAR1');
    } finally {
      reader[Symbol.dispose]();
    }
  });

  it.each([
    ['rowsMax', { rowsMax: 50_000 }, 'SELECT n FROM numbers'],
    ['rowsMax', { rowsMax: 50_000 }, 'SELECT range FROM range(1000000000000)'],
    ['bytesMax', { bytesMax: 100_000 }, 'SELECT hash(range) AS h FROM range(1000000)'],
  ])('at the limit of a tenant that has %s: it is cut and never shorter', async (limit, settings, sql) => {
    const name = `few-${limit.toLowerCase()}-${sql.length}`;
    const user = await hosts.build.user(await hosts.build.tenant({ name, settings }));
    const credential = { ...basicOf(user), host: `${name}-stream.localhost` };
    const answer = await download({ sql }, credential);
    expect(answer.isWhole).toBe(false);
    expect(answer.bytes.length).toBeLessThan(1_000_000);
    await expect(readByPyarrow(answer.bytes)).rejects.toThrow();
    const receipt = await finalReceipt(hosts.url, queryIdOf(answer), { credential, withinMs: 5000 });
    expect(receipt).toMatchObject({ state: 'FAILED', error: { code: 'RESOURCE_LIMIT' } });
  });

  it('with TIME_LIMIT, also before the first byte', async () => {
    const user = await hosts.build.user(
      await hosts.build.tenant({ name: 'hasty', settings: { queryTimeLimitMs: 1000 } }),
    );
    const answer = await download({ sql: ENDLESS }, { ...basicOf(user), host: 'hasty-stream.localhost' });
    expect([answer.status, answer.body.error]).toEqual([504, 'time_limit']);
  });

  it.each([
    ['an unknown key', { sql: 'SELECT 1', size: 5 }],
    ['a blank statement', { sql: ' ' }],
    ['a path for a name', { sql: 'SELECT 1', filename: '../x' }],
    ['big_numbers, since numbers have their types', { sql: 'SELECT 1', big_numbers: 'string' }],
  ])('with 400 for %s', async (_, body) => {
    expect((await download(body)).status).toBe(400);
  });
});
