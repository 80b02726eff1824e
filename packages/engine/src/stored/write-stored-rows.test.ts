import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFormat } from '@sluice/encoders';
import { shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { DUCKDB_SQL } from '../../testing/duckdb-fixture.ts';
import { generatedColumns, selectGenerated } from '../../testing/generated/generated-values.ts';
import { ROW_FORMATS, replay, runKept, type StoredRun } from '../../testing/kept-rows.ts';
import { openEmptyDuckDb } from '../../testing/open-duckdb.ts';
import { RANDOM_COLUMNS, selectRandom } from '../../testing/random-columns.ts';
import { formatSpec, type ReadOptions, readResult } from '../../testing/read-result.ts';
import type { DuckDbEngine } from '../duckdb/duckdb-engine.ts';

let engine: DuckDbEngine;
beforeAll(async () => {
  engine = await openEmptyDuckDb();
});
afterAll(() => engine[Symbol.asyncDispose]());

/** Compares each format from the store with the one that the engine writes directly. */
async function assertSameInEveryFormat(sql: string, options: Omit<ReadOptions, 'format'> = {}): Promise<StoredRun> {
  const kept = await runKept(engine, sql, { ...options, format: { name: 'csv' } });
  expect(kept.storedRows).toBe(kept.sentRows);
  for (const format of ROW_FORMATS) {
    const direct = await readResult(engine, sql, { ...options, format });
    const text = (await replay(kept, format)).toString('utf8');
    if (text !== direct.rowsText) expect({ format, text }).toEqual({ format, text: direct.rowsText });
  }
  return kept;
}

describe('a kept result of DuckDB', () => {
  it('is the same in every format for every type of the engine', async () => {
    await assertSameInEveryFormat(DUCKDB_SQL.everyType.sql);
    await assertSameInEveryFormat(DUCKDB_SQL.everyType.sql, { timeZone: 'Europe/Berlin' });
  });

  it('is the same in every format for random values of every type', async () => {
    await assertSameInEveryFormat(selectRandom(RANDOM_COLUMNS, { from: 0, end: shortOrLong(90, 2_500) }));
    await assertSameInEveryFormat(selectRandom(RANDOM_COLUMNS, { from: 5_000, end: 5_030 }), {
      timeZone: 'America/New_York',
    });
  });

  it('is the same in every format for generated nested values', async () => {
    await fc.assert(
      fc.asyncProperty(generatedColumns(4), async (columns) => {
        await assertSameInEveryFormat(selectGenerated(columns, 4));
      }),
      { numRuns: shortOrLong(4, 100) },
    );
  });

  it('is the same in every format for values that a text contains', async () => {
    await assertSameInEveryFormat(`SELECT u, m FROM (VALUES
      (union_value(a := [{'big': 9007199254740993, 'd': 1.50::DECIMAL(18,2)}]), MAP {{'k': 9007199254740993}: 1.50}),
      (union_value(a := NULL), NULL)) AS t(u, m)`);
    await assertSameInEveryFormat(`SELECT '-123456789012345'::BIGNUM AS b, '-12345678901234567890'::BIGNUM AS c,
      9007199254740992::UBIGINT AS u, 9007199254740991::UBIGINT AS v, 999999999999999::UBIGINT AS w,
      TIMESTAMP '2026-11-29 00:00:00' AS midnight, TIMESTAMP_S '2026-11-29 12:00:00' AS noon, DATE '2026-11-29' AS day`);
  });

  it('is the same in every format for empty results, and rows without a value', async () => {
    await assertSameInEveryFormat('SELECT 1 AS a, NULL AS b LIMIT 0');
    await assertSameInEveryFormat('SELECT NULL AS a FROM range(3000)');
  });

  it('has the rows that were sent, and no more, when a limit cuts them', async () => {
    for (const rowsMax of [7, 1_000, 2_048, 5_000]) {
      const sql = 'SELECT i AS id, i % 3 = 0 AS t FROM range(6000) AS r(i)';
      const kept = await assertSameInEveryFormat(sql, { rowsMax });
      expect(kept.storedRows).toBe(rowsMax);
    }
  });

  it('contains rows of any size, and whole chunks for each', async () => {
    const kept = await assertSameInEveryFormat(
      `SELECT i, repeat('ab"\n', (i * 20000)::INTEGER) AS text, [repeat('x', (i * 4000)::INTEGER)] AS list FROM range(8) AS r(i)`,
    );
    const rows = kept.chunks.flatMap((chunk) => JSON.parse(chunk.toString('utf8')) as unknown[]);
    expect(rows).toHaveLength(8);
  });

  it('is the same without the module that copies rows', async () => {
    const kept = await runKept(engine, DUCKDB_SQL.everyType.sql, { format: { name: 'csv' } });
    for (const format of ROW_FORMATS)
      expect((await replay(kept, format, false)).equals(await replay(kept, format))).toBe(true);
  });

  it('is the same in every format if it has the rows as a client of Trino got them', async () => {
    const sql = selectRandom(RANDOM_COLUMNS, { from: 200, end: 260 });
    const kept = await runKept(engine, sql, { format: { name: 'trino' } });
    const lines = kept.sent.toString('utf8').split(',\n');
    // The line feed between two chunks is at the start of the second one.
    const [one, two] = [lines.slice(0, 25).join(',\n'), lines.slice(25).join(',\n')];
    const chunks = [Buffer.from(`[${one}]`), Buffer.from(`[\n${two}]`)];
    expect(chunks.flatMap((chunk) => JSON.parse(chunk.toString('utf8')) as unknown[])).toHaveLength(60);
    for (const format of ROW_FORMATS) {
      const direct = await readResult(engine, sql, { format });
      for (const usesModule of [true, false])
        expect((await replay({ ...kept, chunks }, format, usesModule)).toString('utf8') === direct.rowsText).toBe(true);
    }
  });

  it('is not yielded beside rows that are kept as they are sent', async () => {
    const statement = { sql: 'SELECT 1 AS a, 1.5 AS b', queryId: 'q', user: 'reader@acme.example', timeZone: 'UTC' };
    const format = createFormat(formatSpec({ name: 'trino' }));
    const events = engine.run(
      { ...statement, keepsRows: 'as sent' },
      (columns) => format.row(columns),
      new AbortController().signal,
    );
    const seen: unknown[] = [];
    for await (const event of events) seen.push(event.kind === 'columns' ? event.fileTypes : event.kind);
    expect(seen).toEqual([['INTEGER', 'DECIMAL(2,1)'], 'rows', 'end']);
  });

  it('is made from a run in any format', async () => {
    const sql = selectRandom(RANDOM_COLUMNS, { from: 100, end: 140 });
    const expected = await runKept(engine, sql, { format: { name: 'csv' } });
    for (const format of ROW_FORMATS) {
      const kept = await runKept(engine, sql, { format });
      expect(Buffer.concat(kept.chunks).equals(Buffer.concat(expected.chunks))).toBe(true);
    }
  });
});
