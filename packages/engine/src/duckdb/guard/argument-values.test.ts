import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allCases } from '@sluice/testkit';
import { ODD_VALUES, oddStatements } from '../../../testing/corpus/argument-calls.ts';
import { guardVerdicts } from '../../../testing/corpus/guard-verdicts.ts';
import type { Overload } from '../../../testing/corpus/text-calls.ts';
import { EMPTY_DUCKDB } from '../../../testing/open-duckdb.ts';
import { duckDbProblem } from '../errors.ts';
import { ALLOWED_FUNCTIONS } from './allowed-functions.ts';
import { listNames, type NameDirectory } from './name-directory.ts';

const PROGRAM = fileURLToPath(new URL('../../../testing/run-statements.mjs', import.meta.url));
/** The short form of the test runs each fourth statement. */
const STEP = allCases ? 1 : 4;

let instance: DuckDBInstance;
let connection: DuckDBConnection;
let names: NameDirectory;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  connection = await instance.connect();
  await connection.run(ODD_VALUES);
  names = await listNames(connection, EMPTY_DUCKDB);
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

async function allowedStatements(): Promise<readonly string[]> {
  const reader = await connection.runAndReadAll(
    `SELECT function_name, function_type, coalesce(parameter_types, list_transform(parameters, lambda p: 'ANY')), varargs
     FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro') ORDER BY ALL`,
  );
  const overloads = reader
    .getRowsJson()
    .map(([name, kind, parameters, varargs]) => ({ name, kind, parameters, varargs }) as Overload)
    .filter(({ name }) => ALLOWED_FUNCTIONS.has(name));
  const statements = [...new Set(overloads.flatMap(oddStatements))].filter((_, index) => index % STEP === 0);
  const verdicts = await guardVerdicts(statements, { connection, names });
  return statements.filter((_, index) => verdicts[index] === 'passed');
}

/** Runs statements in processes. Returns those on which one ended, and those that end in an internal error. */
async function failuresOf(statements: readonly string[]): Promise<readonly string[]> {
  const failures: string[] = [];
  let next = 0;
  while (next < statements.length) {
    const child = spawn(process.execPath, [PROGRAM, ODD_VALUES], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.on('error', () => undefined);
    child.stdin.end(
      statements
        .slice(next)
        .map((sql) => `${JSON.stringify(sql)}\n`)
        .join(''),
    );
    next = await readOutcomes(child, { statements, next, failures });
  }
  return failures;
}

interface Progress {
  readonly statements: readonly string[];
  readonly next: number;
  readonly failures: string[];
}

/** Returns the index of the statement after the last one that the process ran. */
async function readOutcomes(child: ChildProcess, { statements, next, failures }: Progress): Promise<number> {
  const ended = once(child, 'close');
  let at = next;
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const message = JSON.parse(line) as string | null;
    const sql = statements[at] ?? '';
    if (message !== null && codeOf(sql, message) === 'internal') failures.push(`${sql} => ${message.slice(0, 200)}`);
    at += 1;
  }
  const [, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  if (at === statements.length) return at;
  failures.push(`${statements[at]} => ${signal ?? 'no output'}`);
  return at + 1;
}

const codeOf = (sql: string, message: string): string =>
  duckDbProblem(new Error(message), { sql, offsetBytes: 0, hiddenPaths: [] }).code;

describe('the allowed functions', () => {
  it('end with a result or an error of the caller for odd arguments, every one of them', async () => {
    const statements = await allowedStatements();
    expect(statements.length).toBeGreaterThan(30_000 / STEP);
    expect(await failuresOf(statements)).toEqual([]);
  });
});
