import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDuckDbFiles, type DuckDbFiles } from '../../../testing/duckdb-fixture.ts';
import { readResult } from '../../../testing/read-result.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';
import { DuckDb } from '../instance.ts';
import { DuckDBInstance } from '../node-api.ts';
import { sqlIdentifier } from '../sql-text.ts';
import { ALLOWED_FUNCTIONS } from './allowed-functions.ts';
import { statementFacts } from './statement-facts.ts';

let files: DuckDbFiles;
let duckDb: DuckDb;
let engine: DuckDbEngine;
beforeAll(async () => {
  files = await createDuckDbFiles();
  duckDb = await DuckDb.open(files.profile);
  engine = await DuckDbEngine.open(files.profile);
});
afterAll(async () => {
  await engine?.[Symbol.asyncDispose]();
  duckDb?.[Symbol.dispose]();
  await files?.[Symbol.asyncDispose]();
});

/** Selects an expression from a stored table, whose plan could be kept. */
const scanOf = (expression: string): string => `SELECT ${expression} AS v FROM answers LIMIT 1`;

async function isRepeatable(expression: string): Promise<boolean> {
  const tree = JSON.parse(await duckDb.parse(scanOf(expression))) as {
    statements?: { node: Record<string, unknown> }[];
  };
  const node = tree.statements?.[0]?.node;
  if (node === undefined) throw new Error(`DuckDB has no tree for ${expression}`);
  return statementFacts(node, duckDb.names).isRepeatable;
}

/** Queries DuckDB's own lists of functions and words, on an instance without our limits. */
async function listed(sql: string): Promise<readonly string[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRows().map(([name]) => String(name));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Words of standard SQL that DuckDB does not list. */
const TIME_WORDS = ['current_time', 'current_timestamp', 'localtime', 'localtimestamp'];

/** Expressions that have a value without any column: calls without arguments, and words that DuckDB reads as functions. */
async function valuesWithoutArguments(): Promise<readonly string[]> {
  const functions = await listed(
    "SELECT DISTINCT function_name FROM duckdb_functions() WHERE len(parameters) = 0 AND function_type IN ('scalar', 'macro')",
  );
  const calls = functions.filter((name) => ALLOWED_FUNCTIONS.has(name)).map((name) => `${sqlIdentifier(name)}()`);
  const words = await listed(
    'SELECT keyword_name FROM duckdb_keywords() UNION SELECT function_name FROM duckdb_functions()',
  );
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const values: string[] = [];
  for (const word of [...words.filter((one) => /^[a-z_]+$/.test(one)), ...TIME_WORDS]) {
    const hasValue = await connection.run(`SELECT ${word}`).then(
      () => true,
      () => false,
    );
    if (hasValue && !['null', 'true', 'false'].includes(word)) values.push(word);
  }
  connection.closeSync();
  instance.closeSync();
  return [...calls, ...values];
}

describe('isRepeatable', () => {
  it('is true for columns, constants, operators and consistent functions of them', async () => {
    for (const expression of [
      'answer',
      "answer + 1, upper('x' || answer), CASE WHEN answer > 1 THEN 'a' END",
      "strftime(DATE '2026-01-01', '%Y'), date_trunc('month', TIMESTAMP '2026-01-31 10:00:00')",
      'CAST(answer AS VARCHAR), answer IN (1, 2), answer BETWEEN 1 AND 2',
    ])
      expect([expression, await isRepeatable(expression)]).toEqual([expression, true]);
  });

  it('is false for every value that has no arguments, whatever DuckDB calls its stability', async () => {
    const values = await valuesWithoutArguments();
    expect(values).toEqual(
      expect.arrayContaining(['"now"()', '"current_localtimestamp"()', 'localtime', 'current_date']),
    );
    for (const value of values) expect([value, await isRepeatable(value)]).toEqual([value, false]);
  });

  it('is false for every function that DuckDB does not call consistent', async () => {
    const names = await listed(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'scalar' AND stability <> 'CONSISTENT'",
    );
    expect(names).toEqual(expect.arrayContaining(['random', 'uuid', 'now', 'today', 'nextval']));
    for (const name of names)
      expect([name, await isRepeatable(`${sqlIdentifier(name)}(answer)`)]).toEqual([name, false]);
  });

  it.each([
    "age(TIMESTAMP '2020-01-01')",
    "TIMETZ '10:00:00+00' AT TIME ZONE 'Europe/Berlin'",
    'localtime.hour()',
    "LOCALTIMESTAMP.strftime('%f')",
    "ago(INTERVAL '1' HOUR)",
    'main.upper(answer)',
    'answer + random()',
    'list_transform([1], lambda x: localtimestamp)',
    '(SELECT now())',
    'sum(answer)',
    'row_number() OVER ()',
  ])('is false for %s', async (expression) => {
    expect(await isRepeatable(expression)).toBe(false);
  });
});

describe('a statement that runs again', () => {
  /** Values that change within microseconds or at random. Dates and users do not, and are covered above. */
  const CHANGING = /time|now|random|uuid/;

  it('returns a fresh value of every function of the time and of chance', async () => {
    const values = (await valuesWithoutArguments()).filter((value) => CHANGING.test(value));
    expect(values.length).toBeGreaterThan(12);
    for (const value of [...values, "ago(INTERVAL '1' HOUR)"]) {
      const readValue = async () => (await readResult(engine, scanOf(value), { format: { name: 'json' } })).rowsText;
      const first = await readValue();
      await delay(2);
      expect([value, await readValue()]).not.toEqual([value, first]);
    }
  });
});
