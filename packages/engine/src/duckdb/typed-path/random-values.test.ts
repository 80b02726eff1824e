import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { makeDuckDbFile } from '../../../testing/make-duckdb-file.ts';
import { EMPTY_DUCKDB } from '../../../testing/open-duckdb.ts';
import { PlainDuckDb } from '../../../testing/plain-duckdb.ts';
import { RANDOM_COLUMNS, type RandomColumn, selectRandom } from '../../../testing/random-columns.ts';
import { NOT_IN_PYTHON, readRandomInPython } from '../../../testing/read-random-in-python.ts';
import { type ReadOptions, readResult } from '../../../testing/read-result.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';

/** One row more than a chunk. */
const STORED_ROWS = 2_049;

let folder: string;
let engine: DuckDbEngine;
let plain: PlainDuckDb;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-random-'));
  const path = join(folder, 'random.duckdb');
  await makeDuckDbFile(path, `CREATE TABLE stored AS ${selectRandom(RANDOM_COLUMNS, { from: 0, end: STORED_ROWS })}`);
  const catalogs = [{ name: 'random', path }];
  const profile = { ...EMPTY_DUCKDB, catalogs, defaultCatalog: 'random' };
  engine = await DuckDbEngine.open(profile);
  plain = await PlainDuckDb.open(profile);
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  plain[Symbol.dispose]();
  await rm(folder, { recursive: true });
});

type Format = ReadOptions['format'];
const CSV: Format = { name: 'csv' };
const FORMATS: readonly Format[] = [{ name: 'sse' }, { name: 'json', bigNumbers: 'string' }, CSV, { name: 'xlsx' }];

const sha256 = (body: string): string => createHash('sha256').update(body).digest('hex');

/** Asserts that both writers give the same bytes. Returns the body. */
async function equalBody(statement: string, format: Format): Promise<string> {
  const [written, expected] = [
    await readResult(engine, statement, { format }),
    await readResult(plain, statement, { format }),
  ];
  expect([format, written.rows, sha256(written.body)]).toEqual([format, expected.rows, sha256(expected.body)]);
  return written.body;
}

const ROWS = shortOrLong(100, 300, 1_000_000);
/** Rows of one statement: the text of a result must fit a JavaScript string. */
const BATCH = 100_000;

describe('typedResult', () => {
  it(`writes ${ROWS} random values of each type as the plain writer and as Python do`, async () => {
    let compared = 0;
    const known = RANDOM_COLUMNS.filter(({ name }) => !NOT_IN_PYTHON.has(name));
    for (let from = 0; from < ROWS; from += BATCH) {
      const range = { from, end: Math.min(from + BATCH, ROWS) };
      for (const format of from === 0 ? FORMATS : [CSV]) await equalBody(selectRandom(RANDOM_COLUMNS, range), format);
      const { body } = await readResult(engine, selectRandom(known, range), { format: CSV });
      const python = await readRandomInPython(body);
      expect(python.wrong).toEqual([]);
      compared += python.compared;
    }
    expect(compared).toBe(ROWS * known.length);
    process.stdout.write(
      `${RANDOM_COLUMNS.length} columns of ${ROWS} rows are equal by both writers, ${compared} values by Python too\n`,
    );
  }, 900_000);

  const NULLS = ['false', 'true', 'i % 2 = 0', 'i % 8 = #', 'i < 2048', 'i >= 2048', 'hash(i + #) % 2 = 0'];
  it.each(NULLS)(
    'writes the same bytes for every type at every edge of a chunk, with NULL where %s',
    async (isNull) => {
      for (const [edge, rows] of [0, 1, 2_047, 2_048, 2_049].entries()) {
        if ((edge + NULLS.indexOf(isNull)) % shortOrLong(2, 1) !== 0) continue;
        const columns = RANDOM_COLUMNS.map(
          ({ name }, index) =>
            `CASE WHEN ${isNull.replace('#', `${index % 8}`)} THEN NULL ELSE "${name}" END AS "${name}"`,
        );
        const statement = `SELECT i, ${columns.join(', ')} FROM stored WHERE i < ${rows}`;
        for (const format of FORMATS.filter((_, position) => (position - edge) % shortOrLong(FORMATS.length, 1) === 0))
          await equalBody(statement, format);
      }
    },
  );

  it('writes the same bytes for columns of every type in any order', async () => {
    const orders = fc.shuffledSubarray([...RANDOM_COLUMNS], { minLength: 20 });
    await fc.assert(
      fc.asyncProperty(orders, fc.constantFrom(...FORMATS), async (columns, format) => {
        await equalBody(`SELECT ${columns.map(({ name }) => `"${name}"`).join(', ')} FROM stored WHERE i < 9`, format);
      }),
      { numRuns: shortOrLong(4, 8, 500) },
    );
  }, 300_000);

  it.each(integerTypes())('writes every power of two and of ten, and their neighbours, as $type', async (type) => {
    const values = powers().filter((value) => value >= type.min && value <= type.max);
    const list = values.map((value) => `'${value}'`).join(', ');
    const statement = `SELECT v::${type.type} AS v FROM (SELECT unnest([${list}]) AS v)`;
    expect((await equalBody(statement, CSV)).split('\n').slice(1, -1)).toEqual(
      values.map((value) => type.written(value)),
    );
    for (const format of FORMATS.filter((one) => one !== CSV)) await equalBody(statement, format);
  });

  it.each([
    ['sse', 43_640],
    ['json', 43_640],
    ['csv', 130_990],
    ['csv', 262_000],
    ['xlsx', 32_700],
    ['xlsx', 37_350],
  ] as const)(
    'writes the same bytes for strings that just fit a frame, as %s from %i characters on',
    async (name, from) => {
      const step = shortOrLong(23, 7, 1);
      for (const character of ["'x'", "'\"'", 'chr(1)']) {
        const statement = `SELECT repeat(${character}, n::INTEGER) AS t FROM range(${from}, ${from + 160}, ${step}) AS r(n)`;
        await equalBody(statement, { name });
      }
    },
  );
});

interface NumberType extends Pick<RandomColumn, 'type'> {
  readonly min: bigint;
  readonly max: bigint;
  written(value: bigint): string;
}

function integerTypes(): readonly NumberType[] {
  const names = { 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT', 128: 'HUGEINT' };
  const integers = Object.entries(names).flatMap(([bits, type]) => {
    const values = 1n << BigInt(bits);
    return [
      { type, min: -values / 2n, max: values / 2n - 1n, written: String },
      { type: `U${type}`, min: 0n, max: values - 1n, written: String },
    ];
  });
  const decimals = [4, 9, 18, 38].map((width) => {
    const max = 10n ** BigInt(width) - 1n;
    return { type: `DECIMAL(${width},0)`, min: -max, max, written: String };
  });
  return [...integers, ...decimals];
}

function powers(): readonly bigint[] {
  const twos = Array.from({ length: 129 }, (_, exponent) => 2n ** BigInt(exponent));
  const tens = Array.from({ length: 39 }, (_, exponent) => 10n ** BigInt(exponent));
  const sizes = [...twos, ...tens].flatMap((power) => [power - 1n, power, power + 1n]);
  return [...new Set([...sizes, ...sizes.map((size) => -size)])];
}
