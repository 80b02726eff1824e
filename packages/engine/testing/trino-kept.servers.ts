import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DuckDbEngine } from '../src/duckdb/duckdb-engine.ts';
import { TrinoEngine } from '../src/trino/trino-engine.ts';
import { ROW_FORMATS, replay, runKept } from './kept-rows.ts';
import { EMPTY_DUCKDB } from './open-duckdb.ts';
import { readResult } from './read-result.ts';
import { TRINO_SQL } from './trino-fixture.ts';

// biome-ignore lint/style/noProcessEnv: a test run gets the address of its server from the environment, as a service does
const baseUrl = process.env['SLUICE_TEST_TRINO'] ?? 'http://127.0.0.1:28090';

let engine: TrinoEngine;
beforeAll(() => {
  const credentials = { kind: 'none' } as const;
  engine = new TrinoEngine({ baseUrl, catalogs: ['tpch'], defaultCatalog: 'tpch', credentials });
});
afterAll(() => engine[Symbol.asyncDispose]());

describe('a kept result of Trino', () => {
  it('becomes a Parquet file with the same values', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-trino-kept-'));
    try {
      const sql = `SELECT l_orderkey AS k, l_extendedprice AS price, l_shipdate AS day, l_comment AS text, ARRAY[ROW(1, 'x')] AS nested
        FROM tpch.tiny.lineitem`;
      const { columns, fileTypes, chunks, sentRows } = await runKept(engine, sql, { format: { name: 'csv' } });
      await using duckDb = await DuckDbEngine.open({ ...EMPTY_DUCKDB, tempFolder: folder });
      const pieces: Uint8Array[] = [];
      const stored = { columns, fileTypes, chunks, timeZone: 'UTC' };
      for await (const event of duckDb.storedParquet(stored, new AbortController().signal))
        if (event.kind === 'rows') pieces.push(Buffer.from(event.bytes));
      const file = join(folder, 'lineitem.parquet');
      await writeFile(file, pieces);
      const facts =
        'count(*) AS n, sum(k) AS keys, sum(CAST(price AS DECIMAL(12,2))) AS price, min(day) AS first, max(text) AS last';
      const inTrino = await readResult(engine, `SELECT ${facts} FROM (${sql})`, { format: { name: 'csv' } });
      const instance = await DuckDBInstance.create(':memory:');
      const reader = await (await instance.connect()).runAndReadAll(
        `SELECT concat_ws(',', n, keys, price, first, last) FROM (SELECT ${facts} FROM '${file}')`,
      );
      expect(`${String(reader.getRows()[0]?.[0])}\n`).toBe(inTrino.rowsText);
      expect(inTrino.rowsText.startsWith(`${sentRows},`)).toBe(true);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.each([
    ['every type', TRINO_SQL.everyType.sql, undefined],
    // More than ten pages.
    ['many pages', 'SELECT * FROM tpch.tiny.lineitem ORDER BY l_orderkey, l_linenumber', undefined],
    ['a limit within a page', 'SELECT * FROM tpch.tiny.orders ORDER BY o_orderkey', 7_777],
    ['no rows', 'SELECT * FROM tpch.tiny.orders WHERE o_orderkey < 0', undefined],
    [
      'nested values',
      `SELECT ARRAY[ROW(1, DECIMAL '1.50', MAP(ARRAY['a "b"'], ARRAY[ARRAY[INTERVAL '1' DAY]]))] AS n, o_orderkey FROM tpch.tiny.orders ORDER BY 2`,
      undefined,
    ],
  ])('is the same in every format: %s', async (_, sql, rowsMax) => {
    const limit = rowsMax === undefined ? {} : { rowsMax };
    const kept = await runKept(engine, sql, { format: { name: 'ndjson' }, ...limit });
    expect(kept.storedRows).toBe(kept.sentRows);
    for (const format of ROW_FORMATS) {
      const direct = await readResult(engine, sql, { format, ...limit });
      expect([format, (await replay(kept, format)).toString('utf8') === direct.rowsText]).toEqual([format, true]);
    }
  });
});
