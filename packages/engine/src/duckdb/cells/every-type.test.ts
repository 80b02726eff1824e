import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FormatSpec } from '@sluice/encoders';
import { sheetCellText, sheetTextOfJson } from '../../../testing/cell-texts.ts';
import { EMPTY_DUCKDB } from '../../../testing/open-duckdb.ts';
import { readResult } from '../../../testing/read-result.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';

let folder: string;
let engine: DuckDbEngine;
/** Columns of every type that DuckDB has; the rows are the minimum, the maximum and NULL. */
let columns: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-types-'));
  engine = await DuckDbEngine.open({ ...EMPTY_DUCKDB, tempFolder: folder });
  columns = (await rowsOf('SELECT * FROM test_all_types()', 'json')).columns.map(({ name }) => name);
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Runs a statement; `readResult` checks that each row of JSON is JSON, whose objects have distinct names. */
const rowsOf = (sql: string, name: FormatSpec['name']) => readResult(engine, sql, { format: { name } });

interface Failure {
  readonly code?: string;
  readonly message: string;
}

const failureOf = async (sql: string, name: FormatSpec['name']): Promise<Failure | undefined> =>
  await rowsOf(sql, name).then(
    () => undefined,
    (thrown: Failure) => thrown,
  );

describe('a column of each type', () => {
  const FORMATS = ['sse', 'json', 'ndjson', 'csv', 'xlsx', 'parquet'] as const;
  /** Extremes that Parquet cannot store; docs/values.md lists them. */
  const NOT_IN_PARQUET = ['time', 'date_array', 'timestamp_array', 'timestamptz_array'];

  it.each(FORMATS)('is written with its minimum, its maximum and NULL as %s', async (name) => {
    const failed = [];
    for (const column of columns) {
      const failure = await failureOf(`SELECT "${column}" FROM test_all_types()`, name);
      if (failure !== undefined) failed.push([column, failure.message.replace(/^.* contains \S+, /, '')]);
    }
    const cannot = 'which Parquet cannot store. Cast it to VARCHAR, or download CSV, NDJSON or JSON.';
    expect(failed).toEqual(name === 'parquet' ? NOT_IN_PARQUET.map((column) => [column, cannot]) : []);
  });

  it('has the same text in a workbook as in JSON', async () => {
    for (const column of columns) {
      const sql = `SELECT "${column}" AS v FROM test_all_types()`;
      const json = (await rowsOf(sql, 'ndjson')).rowsText.trimEnd().split('\n');
      const xlsx = (await rowsOf(sql, 'xlsx')).rowsText.split('</row>').slice(0, -1);
      expect([column, ...xlsx.map(sheetCellText)]).toEqual([
        column,
        ...json.map((row) => sheetTextOfJson(row.slice(5, -1))),
      ]);
    }
  });
});

describe('each type cast to each other one', () => {
  const KEYS = ['1', '01', 'a', '1.0', 'true', 't', '2024-01-01', '2024-1-1', '', '{"a":1}'];
  const MAP = `MAP {${KEYS.map((key, index) => `'${key}': ${index}`).join(', ')}}`;
  const SOURCES = [
    MAP,
    `${MAP}::JSON`,
    'MAP {1: 1, 1.00001: 2}',
    "MAP {DATE '2024-01-01': true}",
    '\'{"1": 1, "01": 2}\'',
  ];
  const TARGETS = [
    ...['BOOLEAN', 'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'UTINYINT', 'UBIGINT', 'UHUGEINT', 'BIGNUM'],
    ...[
      'DECIMAL(4,4)',
      'DECIMAL(18,3)',
      'DECIMAL(38,0)',
      'DECIMAL(38,38)',
      'FLOAT',
      'DOUBLE',
      'VARCHAR',
      'BLOB',
      'BIT',
    ],
    ...['UUID', 'DATE', 'TIME', 'TIME_NS', 'TIMETZ', 'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS'],
    ...['TIMESTAMPTZ', 'INTERVAL', 'JSON', 'VARIANT', 'GEOMETRY', "ENUM('a', 'b')", 'INTEGER[]', 'DOUBLE[3]'],
    ...['STRUCT(a INTEGER, b VARCHAR)', 'STRUCT(m MAP(DATE, INTEGER))', 'UNION(n INTEGER, v VARCHAR)'],
    ...['INTEGER', 'BOOLEAN', 'DATE', 'DOUBLE', 'VARCHAR', 'JSON'].map((key) => `MAP(${key}, VARCHAR)`),
    ...['MAP(UNION(n INTEGER, v VARCHAR), VARCHAR)', 'MAP(INTEGER, VARCHAR)[]', 'MAP(VARCHAR, MAP(INTEGER, INTEGER))'],
  ];
  /** Codes of errors about a value, a type or a cast; any other would be a defect. */
  const EXPECTED = ['data_error', 'semantic_error', 'type_error', 'not_supported'];
  /** Names that only our own SQL has. */
  const OWN_SQL = /list_transform|struct_extract_at|lambda|\bc0\b|9999-12-31/;

  const casts = (value: string, targets: readonly string[]): string =>
    `SELECT ${targets.map((type, index) => `TRY_CAST(${value} AS ${type}) AS v${index}`).join(', ')} FROM test_all_types()`;

  /** Returns the failures of single casts: those that succeed together are one statement. */
  async function failuresOf(value: string, targets: readonly string[]): Promise<Failure[]> {
    const failure = await failureOf(casts(value, targets), 'ndjson');
    if (failure === undefined) return [];
    if (targets.length === 1) return [failure];
    const half = targets.length >> 1;
    return [...(await failuresOf(value, targets.slice(0, half))), ...(await failuresOf(value, targets.slice(half)))];
  }

  it('gives rows of valid JSON, or an error about the value', async () => {
    const unexpected: Failure[] = [];
    let failed = 0;
    for (const source of [...columns.map((column) => `"${column}"`), ...SOURCES]) {
      const failures = await failuresOf(source, TARGETS);
      failed += failures.length;
      unexpected.push(
        ...failures.filter(({ code = '', message }) => !EXPECTED.includes(code) || OWN_SQL.test(message)),
      );
    }
    expect(unexpected).toEqual([]);
    // Most casts have a result.
    expect(failed).toBeLessThan((columns.length * TARGETS.length) / 10);
  });
});
