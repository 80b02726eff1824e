import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TrinoEngine } from '../src/trino/trino-engine.ts';
import { ROW_FORMATS, replay, runKept } from './kept-rows.ts';
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
