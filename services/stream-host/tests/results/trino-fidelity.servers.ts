import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOnTrino, TRINO, TRINO_SQL, trinoLiteral } from '@sluice/engine/testing';
import { shortOrLong } from '@sluice/testkit';
import { TRINO_URL } from '@sluice/testkit/hosts';
import { assertEqualFormats } from './assert-equal-formats.ts';
import { assertGeneratedTables } from './assert-generated-tables.ts';
import {
  assertExpectedCsv,
  assertExpectedValues,
  type EngineQueries,
  nameOf,
} from './hostile/assert-expected-values.ts';
import { NESTED } from './hostile/trino/nested.ts';
import { NUMBERS } from './hostile/trino/numbers.ts';
import { STRINGS } from './hostile/trino/strings.ts';
import { TIMES } from './hostile/trino/times.ts';
import { startReading } from './start-reading.ts';

let reading: Awaited<ReturnType<typeof startReading>>;
beforeAll(async () => {
  reading = await startReading('trino');
}, 120_000);
afterAll(async () => {
  await reading?.[Symbol.asyncDispose]();
});

const trino: EngineQueries = {
  textOf: (sql) => `CAST(${sql} AS varchar)`,
  async evaluate(conditions) {
    if (conditions.length === 0) return [];
    const columns = conditions.map(({ sql, text }) => sql.replaceAll('$1', () => trinoLiteral(text)));
    const [row = []] = await runOnTrino(TRINO_URL, `SELECT ${columns.join(', ')}`);
    return row;
  },
};

describe.each([...NUMBERS, ...TIMES, ...STRINGS, ...NESTED].map((hostile) => [nameOf(hostile), hostile] as const))(
  '%s',
  (_, hostile) => {
    it('equals the expected JSON in a stream and in a JSON download', () => assertExpectedValues(reading, hostile));

    it('equals the expected field in a CSV download, from which Trino reads the same value', () =>
      assertExpectedCsv(reading, hostile, trino));
  },
);

describe('results', () => {
  it('of every type of Trino are equal in all formats', async () => {
    const { columns, rows } = await assertEqualFormats(reading, TRINO_SQL.everyType.sql);
    expect(columns.map(({ type }) => type)).toEqual(TRINO_SQL.everyType.types);
    expect(rows).toHaveLength(1);
  });

  it('of generated tables are read by third-party parsers as generated, in all formats', () =>
    assertGeneratedTables(reading, TRINO, shortOrLong(15, 40, 200)));
});
