import { expect } from '@jest/globals';
import { assertCsvField } from '../assert-equal-formats.ts';
import { type Reading, type ReadResult, readCsv, readJson, readStream } from '../read-formats.ts';
import type { HostileType } from './hostile-type.ts';

/** Queries of the engine, independent of how results are written. */
export interface EngineQueries {
  /** Returns the engine's text of a SQL value. */
  textOf(sql: string): string;
  /** Evaluates conditions in the engine, each with its text as `$1`. */
  evaluate(conditions: readonly Condition[]): Promise<readonly unknown[]>;
}

export interface Condition {
  /** The value that it is about. */
  readonly of: string;
  readonly sql: string;
  readonly text: string;
}

export const nameOf = ({ type, timeZone }: HostileType): string =>
  timeZone === undefined ? type : `${type} in ${timeZone}`;

const select = ({ values }: HostileType): string =>
  `SELECT ${values.map(([sql], index) => `${sql} AS c${index}`).join(', ')}`;

const optionsOf = ({ timeZone }: HostileType): { time_zone?: string } =>
  timeZone === undefined ? {} : { time_zone: timeZone };

const columnsOf = ({ column, values }: HostileType): ReadResult['columns'] =>
  values.map((_value, index) => ({ name: `c${index}`, type: column }));

/** Asserts that a stream and a JSON download have the expected values. */
export async function assertExpectedValues(reading: Reading, hostile: HostileType): Promise<void> {
  const object = await Promise.all(
    hostile.values.map(async ([, json], index) => [`c${index}`, await reading.python.json(json)] as const),
  );
  const expected = { columns: columnsOf(hostile), rows: [{ object }] };
  expect(await readStream(reading, select(hostile), optionsOf(hostile))).toEqual(expected);
  expect(await readJson(reading, select(hostile), optionsOf(hostile))).toEqual(expected);
}

/** Asserts that a CSV download has the expected fields, and that the engine reads the same values from them. */
export async function assertExpectedCsv(reading: Reading, hostile: HostileType, engine: EngineQueries): Promise<void> {
  const { values, back, isOwnText = false } = hostile;
  const [header, fields = [], ...more] = await readCsv(reading, select(hostile), optionsOf(hostile));
  expect([header, more]).toEqual([columnsOf(hostile).map(({ name }) => name), []]);
  const conditions: Condition[] = [];
  for (const [index, [sql, json]] of values.entries()) {
    const text = fields[index] ?? '';
    const value = await reading.python.json(json);
    await assertCsvField(reading, text, value, sql);
    if (value === null) continue;
    if (isOwnText) conditions.push({ of: sql, sql: `${engine.textOf(sql)} = $1`, text });
    if (back !== undefined) conditions.push({ of: sql, sql: `${back} IS NOT DISTINCT FROM (${sql})`, text });
  }
  const results = await engine.evaluate(conditions);
  expect(conditions.map(({ of }, index) => [of, results[index]])).toEqual(conditions.map(({ of }) => [of, true]));
}
