import { isUtf8 } from 'node:buffer';
import { type DuckDBBlobValue, type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allCases } from '@sluice/testkit';
import { guardVerdicts } from '../../../testing/corpus/guard-verdicts.ts';
import { generatedCalls, HOSTILE_STRINGS, type Overload, WRITTEN_CALLS } from '../../../testing/corpus/text-calls.ts';
import { EMPTY_DUCKDB } from '../../../testing/open-duckdb.ts';
import { sqlString } from '../sql-text.ts';
import { ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS } from './allowed-functions.ts';
import { listNames, type NameDirectory } from './name-directory.ts';

const NAMES: ReadonlySet<string> = new Set([...ALLOWED_FUNCTIONS, ...ALLOWED_TABLE_FUNCTIONS]);

let instance: DuckDBInstance;
let connection: DuckDBConnection;
let names: NameDirectory;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  connection = await instance.connect();
  const rows = HOSTILE_STRINGS.map((text, index) => `(${index}, ${sqlString(text)})`).join(', ');
  await connection.run(`CREATE TABLE texts AS SELECT * FROM (VALUES ${rows}) AS r(i, t)`);
  names = await listNames(connection, EMPTY_DUCKDB);
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

async function overloads(): Promise<readonly Overload[]> {
  const reader = await connection.runAndReadAll(
    'SELECT function_name, function_type, parameter_types, varargs FROM duckdb_functions()',
  );
  return reader
    .getRowsJson()
    .map(([name, kind, parameters, varargs]) => ({ name, kind, parameters: parameters ?? [], varargs }) as Overload)
    .filter(({ name, kind }) => NAMES.has(name) && ['scalar', 'aggregate', 'macro'].includes(kind));
}

/**
 * Returns whether a statement ran, and whether everything that it returned is text. A statement that the engine rejects proves
 * nothing.
 */
async function run(sql: string): Promise<'text' | 'nothing' | 'no text'> {
  try {
    const reader = await connection.runAndReadAll(`SELECT encode(v::VARCHAR) FROM (${sql})`);
    const values = reader.getRows().map(([value]) => value as DuckDBBlobValue | null);
    if (values.some((value) => value !== null && !isUtf8(value.bytes))) return 'no text';
    return values.some((value) => value !== null) ? 'text' : 'nothing';
  } catch (thrown) {
    return String(thrown).includes('Invalid UTF-8 lead byte') ? 'no text' : 'nothing';
  }
}

/** Statements that the guard is asked about at once. */
const BATCH = 20;

/** Calls of each function, each call once: overloads with the same arguments generate the same calls. */
async function callsByFunction(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const generated = (await overloads()).flatMap((overload) =>
    generatedCalls(overload).map((call) => [overload.name, call] as const),
  );
  const calls = new Map<string, Set<string>>();
  for (const [name, call] of [...generated, ...WRITTEN_CALLS]) {
    if (NAMES.has(name)) calls.set(name, (calls.get(name) ?? new Set()).add(call));
  }
  return calls;
}

/**
 * Runs the calls of a function that the guard accepts; the short form until one returns text. Returns whether one did, and the statements
 * that returned something else.
 */
async function exercise(calls: ReadonlySet<string>): Promise<{ isExercised: boolean; wrong: readonly string[] }> {
  // An error in one row hides the others, and some functions cannot be used within TRY.
  const statements = [...calls].flatMap((call) => [
    { sql: `SELECT try(${call}) AS v FROM texts`, isRepetition: false },
    { sql: `SELECT ${call} AS v FROM texts`, isRepetition: true },
  ]);
  const wrong: string[] = [];
  let isExercised = false;
  for (let from = 0; from < statements.length && (allCases || !isExercised); from += BATCH) {
    const batch = statements.slice(from, from + BATCH);
    const verdicts = await guardVerdicts(
      batch.map(({ sql }) => sql),
      { connection, names },
    );
    for (const [index, { sql, isRepetition }] of batch.entries()) {
      if (verdicts[index] !== 'passed' || (isExercised && (isRepetition || !allCases))) continue;
      const outcome = await run(sql);
      if (outcome === 'text') isExercised = true;
      if (outcome === 'no text') wrong.push(sql);
    }
  }
  return { isExercised, wrong };
}

describe('the allowed functions', () => {
  it('return text for text, every one of them', async () => {
    await expect(connection.run("SELECT error('aé€😀')")).rejects.toThrow('aé€😀');
    const exercised = new Set(['error']); // it returns no value
    const wrong: string[] = [];
    for (const [name, calls] of await callsByFunction()) {
      const result = await exercise(calls);
      if (result.isExercised) exercised.add(name);
      wrong.push(...result.wrong);
    }
    expect(wrong).toEqual([]);
    expect([...NAMES].filter((name) => !exercised.has(name))).toEqual([]);
  }, 120_000);
});
