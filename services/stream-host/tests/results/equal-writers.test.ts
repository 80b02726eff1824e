import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import type { Engine } from '@sluice/engine';
import { openEngine } from '@sluice/engine/open-engine';
import {
  ALLOWED_STATEMENTS,
  createShop,
  DUCKDB,
  generatedColumns,
  type ReadOptions,
  readResult,
  type Shop,
  selectGenerated,
} from '@sluice/engine/testing';
import { shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { NESTED } from './hostile/duckdb/nested.ts';
import { NUMBERS } from './hostile/duckdb/numbers.ts';
import { STRINGS } from './hostile/duckdb/strings.ts';
import { TIMES } from './hostile/duckdb/times.ts';
import type { HostileType } from './hostile/hostile-type.ts';

interface Case {
  readonly sql: string;
  readonly timeZone?: string;
}
interface CaseGroup {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly formats: readonly ReadOptions['format'][];
}

const ALL_FORMATS: readonly ReadOptions['format'][] = [
  { name: 'json' },
  { name: 'csv' },
  { name: 'sse' },
  { name: 'ndjson' },
  { name: 'json', bigNumbers: 'string' },
  { name: 'csv', formulas: 'prefix' },
  { name: 'xlsx' },
];
const ROWS = 4;

const hostile = (name: string, types: readonly HostileType[]): CaseGroup => ({
  name,
  cases: types.map(({ values, timeZone }) => ({
    sql: `SELECT ${values.map(([sql], index) => `${sql} AS c${index}`).join(', ')}`,
    ...(timeZone === undefined ? {} : { timeZone }),
  })),
  formats: ALL_FORMATS,
});

const GROUPS: readonly CaseGroup[] = [
  hostile('numbers', NUMBERS),
  hostile('times', TIMES),
  hostile('strings', STRINGS),
  hostile('nested', NESTED),
  { name: 'all types', cases: [{ sql: 'SELECT * FROM test_all_types()' }], formats: ALL_FORMATS },
  {
    name: 'generated tables',
    cases: fc
      .sample(generatedColumns(ROWS, DUCKDB), { numRuns: shortOrLong(40, 400), seed: 19 })
      .map((columns) => ({ sql: selectGenerated(columns, ROWS, DUCKDB) })),
    formats: ALL_FORMATS.slice(0, shortOrLong(2, ALL_FORMATS.length)),
  },
  {
    name: 'statements of analysts',
    // EXPLAIN ANALYZE reports measurements of its own run, and a sample of few rows may be the same in all tries but one.
    cases: ALLOWED_STATEMENTS.filter((sql) => !/\b(?:analyze|sample)\b/i.test(sql)).map((sql) => ({ sql })),
    formats: ALL_FORMATS.slice(0, shortOrLong(1, ALL_FORMATS.length)),
  },
];

let shop: Shop;
let webAssembly: Engine;
let sql: Engine;
beforeAll(async () => {
  shop = await createShop();
  const warnings: string[] = [];
  const open = (rowWriter: 'webassembly' | 'sql'): Promise<Engine> => {
    // One thread: otherwise the order of groups varies.
    const profile = { ...shop.profile, threads: 1, rowWriter };
    return openEngine(
      { kind: 'duckdb', key: rowWriter, profile },
      {
        tempFolder: shop.folder,
        allocate: Buffer.allocUnsafeSlow,
        lendableFrames: 0,
        onProgress: () => undefined,
        onWarning: (message) => warnings.push(message),
        onRemoteStatement: () => undefined,
      },
    );
  };
  webAssembly = await open('webassembly');
  sql = await open('sql');
  expect(warnings).toEqual([]);
});
afterAll(async () => {
  await webAssembly?.[Symbol.asyncDispose]();
  await sql?.[Symbol.asyncDispose]();
  await shop?.[Symbol.asyncDispose]();
});

/** Returns the SHA-256 of a result's body, or its error. */
async function outcomeOf(engine: Engine, statement: Case, format: ReadOptions['format'], rowsMax?: number) {
  const options = { format, timeZone: statement.timeZone ?? 'UTC', ...(rowsMax === undefined ? {} : { rowsMax }) };
  try {
    const { body } = await readResult(engine, statement.sql, options);
    return createHash('sha256').update(body).digest('hex');
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    return `${thrown.code}: ${thrown.message}`;
  }
}

interface Counts {
  equal: number;
  failed: number;
  /** Results that differ from run to run, such as `random()`. */
  varying: number;
}

const SMALL_ROWS = 1_000;
/** A result with a random value or a time of day differs within this many runs. */
const VARYING_TRIES = 20;

/** Compares the two writers for one case in one format, streamed and as a small result. */
async function compare(statement: Case, format: ReadOptions['format'], counts: Counts): Promise<string> {
  let outcome = '';
  for (const rowsMax of [SMALL_ROWS, undefined]) {
    outcome = await outcomeOf(sql, statement, format, rowsMax);
    const written = await outcomeOf(webAssembly, statement, format, rowsMax);
    if (written === outcome) continue;
    let again = outcome;
    for (let tries = 0; again === outcome && tries < VARYING_TRIES; tries += 1)
      again = await outcomeOf(sql, statement, format, rowsMax);
    expect([statement.sql, format, written, again === outcome]).toEqual([statement.sql, format, outcome, false]);
    counts.varying += 1;
    return '';
  }
  if (/^[0-9a-f]{64}$/.test(outcome)) counts.equal += 1;
  else counts.failed += 1;
  return outcome;
}

it('both row writers give the same bytes for every case of the fidelity tests and every statement of the corpus', async () => {
  const table: string[] = [];
  let varying = 0;
  for (const { name, cases, formats } of GROUPS) {
    for (const format of formats) {
      const counts: Counts = { equal: 0, failed: 0, varying: 0 };
      const all = createHash('sha256');
      for (const each of cases) all.update(await compare(each, format, counts));
      expect(counts.equal + counts.failed + counts.varying).toBe(cases.length);
      varying = Math.max(varying, counts.varying);
      const { equal, failed } = counts;
      table.push(
        [
          name,
          Object.values(format).join(' '),
          `${equal} equal, ${failed} same errors, ${counts.varying} varying`,
          all.digest('hex'),
        ].join(' | '),
      );
    }
  }
  process.stdout.write(`SHA-256 of all bodies by both writers:\n${table.join('\n')}\n`);
  expect(varying).toBeLessThan(15);
}, 600_000);
