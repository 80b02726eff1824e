import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generatedColumns, selectGenerated, TRINO, TRINO_SQL } from '@sluice/engine/testing';
import { shortOrLong } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, post } from '@sluice/testkit/requests';
import fc from 'fast-check';
import { assertKeptFiles, downloadKept, type KeepingHost, keepResult } from './assert-kept-files.ts';

let folder: string;
let hosts: TestHosts;
let host: KeepingHost;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-trino-files-'));
  hosts = await startHosts(
    {
      RESULT_FOLDER: join(folder, 'results'),
      RESULT_KEY: randomBytes(32).toString('base64'),
      RESULT_KEEP_MAX: '24h',
    },
    { engine: 'trino' },
  );
  host = { url: hosts.url, credential: basicOf(hosts.ann) };
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const LINES = `SELECT l_orderkey AS k, l_extendedprice AS price, l_shipdate AS day, l_comment AS text
  FROM tpch.tiny.lineitem ORDER BY l_orderkey, l_linenumber`;

describe('the file of a kept result of Trino', () => {
  it('has the bytes of a direct download in every format that Trino has', async () => {
    await assertKeptFiles(host, TRINO_SQL.everyType.sql, { parquet: false });
    await assertKeptFiles(host, TRINO_SQL.everyType.sql, { parquet: false, timeZone: 'Europe/Berlin' });
    await assertKeptFiles(host, 'SELECT * FROM tpch.tiny.orders ORDER BY o_orderkey', { parquet: false });
  }, 300_000);

  it('has the bytes of a direct download for generated tables', async () => {
    await fc.assert(
      fc.asyncProperty(generatedColumns(4, TRINO), async (columns) => {
        await assertKeptFiles(host, selectGenerated(columns, 4, TRINO), { parquet: false });
      }),
      { numRuns: shortOrLong(4, 30, 200) },
    );
  }, 300_000);

  it('can be a Parquet file, from which DuckDB reads the rows of the CSV', async () => {
    const id = await keepResult(host, LINES);
    const [csv, parquet] = [await downloadKept(host, id, 'csv'), await downloadKept(host, id, 'parquet')];
    expect([parquet.status, parquet.isWhole, parquet.headers['content-type']]).toEqual([
      200,
      true,
      'application/vnd.apache.parquet',
    ]);
    const [csvPath, parquetPath] = [join(folder, 'lines.csv'), join(folder, 'lines.parquet')];
    await writeFile(csvPath, csv.bytes);
    await writeFile(parquetPath, parquet.bytes);
    const instance = await DuckDBInstance.create(':memory:');
    const columns = 'k::BIGINT AS k, price::DOUBLE AS price, day::DATE AS day, text';
    const [ofCsv, ofParquet] = [
      `SELECT ${columns} FROM read_csv('${csvPath}', all_varchar = true)`,
      `SELECT ${columns} FROM '${parquetPath}'`,
    ];
    const reader = await (await instance.connect()).runAndReadAll(
      `SELECT (SELECT count(*) FROM (${ofParquet})), (SELECT count(*) FROM (${ofCsv} EXCEPT ALL ${ofParquet})),
         (SELECT count(*) FROM (${ofParquet} EXCEPT ALL ${ofCsv}))`,
    );
    const lines = csv.text.trimEnd().split('\n').length - 1;
    expect(reader.getRows()[0]?.map(Number)).toEqual([lines, 0, 0]);
    const range = await downloadKept(host, id, 'parquet', { headers: { range: 'bytes=-8' } });
    expect([range.status, range.bytes.equals(parquet.bytes.subarray(-8))]).toEqual([206, true]);
  });

  it('does not change what the next statement on the same worker returns', async () => {
    const id = await keepResult(host, 'SELECT 1 AS a');
    for (let round = 0; round < 3; round += 1) {
      expect((await downloadKept(host, id, 'parquet', { options: { filename: `round ${round}` } })).status).toBe(200);
      const next = await post(`${host.url}/query/download/csv`, { sql: 'SELECT 7 AS b' }, host.credential);
      expect(next.text).toBe('b\n7\n');
    }
  });
});
