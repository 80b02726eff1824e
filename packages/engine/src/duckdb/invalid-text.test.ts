import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FormatSpec } from '@sluice/encoders';
import { makeDuckDbFile } from '../../testing/make-duckdb-file.ts';
import { EMPTY_DUCKDB } from '../../testing/open-duckdb.ts';
import { readResult, type TextResult } from '../../testing/read-result.ts';
import { DuckDbEngine } from './duckdb-engine.ts';

/** The operator's own views are not guarded, so they can do what no statement may: return pieces of a character. */
const VIEWS = String.raw`
  CREATE VIEW halves AS SELECT 0 AS i, regexp_extract('é', '\C') AS v UNION ALL SELECT 1, regexp_extract('é', '\C(\C)', 1);
  CREATE VIEW late AS SELECT i, CASE WHEN i = 2500 THEN regexp_extract('é', '\C') ELSE 'é' || i END AS v FROM range(4000) AS r(i);
`;

let folder: string;
let engine: DuckDbEngine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-texts-'));
  const path = join(folder, 'texts.duckdb');
  await makeDuckDbFile(path, VIEWS);
  const catalogs = [{ name: 'texts', path }];
  engine = await DuckDbEngine.open({ ...EMPTY_DUCKDB, catalogs, defaultCatalog: 'texts', tempFolder: folder });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const NAMES: readonly FormatSpec['name'][] = ['sse', 'json', 'ndjson', 'csv', 'xlsx', 'parquet'];
const read = (sql: string, name: FormatSpec['name'], rowsMax?: number): Promise<TextResult> =>
  readResult(engine, sql, { format: { name }, ...(rowsMax === undefined ? {} : { rowsMax }) });

const DATA_ERROR = { code: 'data_error', message: expect.stringContaining('not valid UTF-8') };

describe('a string that is not valid UTF-8', () => {
  it.each(NAMES)('ends a result with DATA_ERROR in any position, as %s', async (name) => {
    for (const value of [
      ...['v', '[v]', '[v]::VARCHAR[1]', "{'a': v}", "MAP {'a': v}", 'MAP {v: 1}', "[{'a': MAP {1: [v]}}]"],
      ...['v::UNION(a VARCHAR)', '[v::UNION(a VARCHAR)]', "concat('x', v)", 'v::VARIANT', "{'a': v}::VARIANT"],
    ]) {
      for (const [limit, rowsMax] of [
        ['', undefined],
        ['LIMIT 2', undefined],
        ['', 1_000],
      ] as const) {
        const sql = `SELECT ${value} AS v FROM halves ${limit}`;
        const outcome = await read(sql, name, rowsMax).catch((thrown: unknown) => thrown);
        // For a VARIANT, DuckDB's own JSON writer fails, with its own message.
        const expected = value.includes('VARIANT') ? { code: 'data_error' } : DATA_ERROR;
        expect([name, sql, outcome]).toMatchObject([name, sql, expected]);
      }
    }
  });

  it.each(NAMES)('ends a result that has started, as %s', async (name) => {
    await expect(read('SELECT * FROM late', name)).rejects.toMatchObject(DATA_ERROR);
    expect((await read('SELECT * FROM late WHERE i <> 2500', name)).rows).toBe(3_999);
  });

  it('gets the engine’s own message if the statement decodes bytes', async () => {
    const message = expect.stringContaining('Failure in decode');
    const sql = "SELECT decode('\\xC3'::BLOB) AS v";
    await expect(read(sql, 'json')).rejects.toMatchObject({ code: 'data_error', message });
  });
});
