import { isUtf8 } from 'node:buffer';
import { type DuckDBBlobValue, type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

describe('the allowed functions', () => {
  it('return text for text, every one of them', async () => {
    const all = [
      ...(await overloads()).flatMap((overload) =>
        generatedCalls(overload).map((call) => [overload.name, call] as const),
      ),
      ...WRITTEN_CALLS,
    ].filter(([name]) => NAMES.has(name));
    // Overloads with the same arguments generate the same calls.
    const calls = [...new Map(all.map(([name, call]) => [call, [name, call] as const])).values()];
    // An error in one row hides the others, and some functions cannot be used within TRY.
    const statements = calls.flatMap(([name, call]) => [
      { name, sql: `SELECT try(${call}) AS v FROM texts` },
      { name, sql: `SELECT ${call} AS v FROM texts` },
    ]);
    const verdicts = await guardVerdicts(
      statements.map(({ sql }) => sql),
      { connection, names },
    );
    await expect(connection.run("SELECT error('aé€😀')")).rejects.toThrow('aé€😀');
    const exercised = new Set(['error']); // it returns no value
    const wrong: string[] = [];
    for (const [index, { name, sql }] of statements.entries()) {
      if (verdicts[index] !== 'passed' || (index % 2 === 1 && exercised.has(name))) continue;
      const outcome = await run(sql);
      if (outcome === 'text') exercised.add(name);
      if (outcome === 'no text') wrong.push(sql);
    }
    expect(wrong).toEqual([]);
    expect([...NAMES].filter((name) => !exercised.has(name))).toEqual([]);
  }, 120_000);
});
