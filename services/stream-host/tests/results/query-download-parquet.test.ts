import { afterAll, describe, expect, it } from '@jest/globals';
import { openSlowReader, send } from '@sluice/testkit';
import {
  basicOf,
  finalReceipt,
  probeWorker,
  queryIdOf,
  receiptOf,
  sha256Of,
  untilRunning,
} from '@sluice/testkit/requests';
import { LONG } from '@sluice/testkit/statements';
import { describeDownload } from './describe-download.ts';
import { installPyarrow, pyarrow, readByPyarrow } from './parquet-reader.ts';

afterAll(() => pyarrow[Symbol.dispose]());

const parquet = describeDownload('parquet', {
  mediaType: 'application/vnd.apache.parquet',
  extension: 'parquet',
  options: ['time_zone'],
  prepare: installPyarrow,
  settings: { WORKERS_MAX: '1' },
  assertItems: async ({ bytes }) => {
    const { rows, columns } = await readByPyarrow(bytes);
    expect([rows, columns.map(({ name }) => name)]).toEqual([3, ['id', 'name', 'price']]);
  },
  assertNoRows: async ({ bytes }) => {
    const { rows, columns } = await readByPyarrow(bytes);
    expect([rows, columns.map(({ name }) => name)]).toEqual([0, ['id', 'name']]);
  },
  failsLate: {
    sql: `SELECT CASE WHEN range = 999999 THEN error('boom') ELSE range END AS n FROM range(1000000)`,
    message: 'boom',
  },
  // A file without its footer is not readable.
  assertCut: async (bytes) => {
    expect(bytes.subarray(0, 4).toString()).toBe('PAR1');
    expect(bytes.subarray(-4).toString()).not.toBe('PAR1');
    await expect(readByPyarrow(bytes)).rejects.toThrow(/magic bytes|footer/);
  },
});

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

describe('a Parquet file', () => {
  it('has values that pyarrow reads exactly', async () => {
    const sql = `SELECT ${VALUES.map(([value], index) => `${value} AS c${index}`).join(', ')} UNION ALL
      SELECT ${VALUES.map(() => 'NULL').join(', ')}`;
    const response = await parquet.download({ sql, filename: 'values' });
    expect([response.status, response.isWhole]).toEqual([200, true]);
    expect(response.headers).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-disposition': 'attachment; filename=values.parquet',
    });
    expect(response.headers).not.toHaveProperty('content-encoding');
    const { rows, columns } = await readByPyarrow(response.bytes);
    expect(rows).toBe(2);
    expect(columns).toEqual(
      VALUES.map(([, type, value], index) => ({ name: `c${index}`, type, values: [value, 'None'] })),
    );
  });

  it('has a receipt and an audit outcome of the exact bytes', async () => {
    const response = await parquet.download({ sql: 'SELECT * FROM numbers' });
    const ended = { rows: 100_000, bytes: response.bytes.length, sha256: sha256Of(response.bytes) };
    const queryId = queryIdOf(response);
    expect(await receiptOf(parquet.hosts.url, queryId, parquet.ann)).toMatchObject({ state: 'FINISHED', ...ended });
    expect((await readByPyarrow(response.bytes)).rows).toBe(100_000);
    const [record, outcome] = await parquet.hosts.rows<{ metadata: object }>(
      'select * from audit_log where query_id = $1 order by record_id nulls first',
      [queryId],
    );
    expect(record).toMatchObject({ action: 'DOWNLOAD_QUERY', metadata: { format: 'parquet' } });
    expect(JSON.stringify(outcome)).toContain(ended.sha256);
  });
});

describe('a Parquet download fails', () => {
  it('with read_only for statements that write or read files', async () => {
    for (const sql of [`COPY (SELECT 1) TO 'x'`, `SELECT * FROM read_text('/etc/passwd')`]) {
      expect((await parquet.download({ sql })).body.error).toBe('read_only');
    }
  });

  it('with a message that names the column and a remedy, for a value that Parquet readers would change', async () => {
    const response = await parquet.download({ sql: `SELECT 'infinity'::DATE AS due` });
    expect([response.status, response.body.error]).toEqual([400, 'data_error']);
    expect(response.body.message).toMatch(/column due contains infinity.*Cast it to VARCHAR/);
  });

  it('when it is cancelled while its client reads nothing, and frees its worker', async () => {
    const reader = openSlowReader({
      url: parquet.url,
      headers: { 'content-type': 'application/json', ...parquet.ann },
      body: JSON.stringify({ sql: LONG }),
      bytesPerSecond: 1000,
    });
    try {
      await reader.untilBytes(1000);
      const { query_id } = await untilRunning(parquet.hosts.url, parquet.ann);
      expect(
        (await send(`${parquet.hosts.url}/query/${query_id}`, { method: 'DELETE', headers: { ...parquet.ann } }))
          .status,
      ).toBe(202);
      // The only worker is free although the client still reads nothing.
      expect(await probeWorker(parquet.hosts.url, parquet.ann)).toBe(true);
      reader.readAt(Number.POSITIVE_INFINITY);
      const receipt = await finalReceipt(parquet.hosts.url, query_id, { credential: parquet.ann });
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
    const user = await parquet.hosts.build.user(await parquet.hosts.build.tenant({ name, settings }));
    const credential = { ...basicOf(user), host: `${name}-stream.localhost` };
    const response = await parquet.download({ sql }, credential);
    expect(response.isWhole).toBe(false);
    expect(response.bytes.length).toBeLessThan(1_000_000);
    await expect(readByPyarrow(response.bytes)).rejects.toThrow();
    const receipt = await finalReceipt(parquet.hosts.url, queryIdOf(response), { credential });
    expect(receipt).toMatchObject({ state: 'FAILED', error: { code: 'RESOURCE_LIMIT' } });
  });
});
