import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EMPTY_DUCKDB } from '../../../testing/open-duckdb.ts';
import { PlainDuckDb } from '../../../testing/plain-duckdb.ts';
import { type ReadOptions, readResult } from '../../../testing/read-result.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';

/** Frames that leave so little of the module's memory that 600 columns do not fit the rest. */
const LENDABLE_FRAMES = 46;
/** More rows than a memory for one wide result holds at once. */
const ROWS = 70;
const COLUMNS = [
  'i * # AS "c#"',
  'repeat(\'é\', (i % 9 * #)::INTEGER % 40) AS "c#"',
  'CASE WHEN i % 2 = 0 THEN #::DOUBLE END AS "c#"',
  '[i] AS "c#"',
];

let engine: DuckDbEngine;
let plain: PlainDuckDb;
beforeAll(async () => {
  engine = await DuckDbEngine.open(EMPTY_DUCKDB, { lendableFrames: LENDABLE_FRAMES });
  plain = await PlainDuckDb.open(EMPTY_DUCKDB);
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  plain[Symbol.dispose]();
});

const FORMATS: readonly ReadOptions['format'][] = [{ name: 'csv' }, { name: 'json' }, { name: 'xlsx' }];

async function expectEqual(sql: string, format: ReadOptions['format']): Promise<void> {
  const expected = await readResult(plain, sql, { format });
  for (const rowsMax of [undefined, 1_000]) {
    const { body } = await readResult(engine, sql, { format, ...(rowsMax === undefined ? {} : { rowsMax }) });
    expect(body === expected.body).toBe(true);
  }
}

describe('a result of more columns than the memory of the module holds', () => {
  it.each(FORMATS)('has the same bytes as from the plain writer, as $name', async (format) => {
    const columns = Array.from({ length: 600 }, (_, n) => COLUMNS[n % COLUMNS.length]?.replaceAll('#', `${n}`));
    await expectEqual(`SELECT ${columns.join(', ')} FROM range(${ROWS}) AS r(i)`, format);
    await expectEqual('SELECT i FROM range(3) AS r(i)', format);
  });
});

describe('a result with a column name of 150,000 bytes', () => {
  it.each(['json', 'sse', 'ndjson'] as const)('has the same bytes as from the plain writer, as %s', async (name) => {
    const sql = `SELECT i AS a, i AS "${'é'.repeat(75_000)}", 'b' || i AS b FROM range(3) AS r(i)`;
    await expectEqual(sql, { name });
  });
});
