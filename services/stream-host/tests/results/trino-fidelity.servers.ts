import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOnTrino, TRINO, TRINO_SQL, trinoLiteral } from '@sluice/engine/testing';
import { shortOrLong } from '@sluice/testkit';
import { TRINO_URL } from '@sluice/testkit/hosts';
import { post } from '@sluice/testkit/requests';
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
import { type ReadCell, readByExceljs } from './workbook-readers.ts';

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

const moment = (iso: string): ReadCell => ({ moment: iso });
const text = (value: string): ReadCell => ({ text: value });

/** SQL of a value and its expected cell with `excel_dates` in Europe/Berlin. */
const DATES: readonly (readonly [string, ReadCell])[] = [
  [`DATE '2024-02-29'`, moment('2024-02-29T00:00:00.000Z')],
  [`DATE '1900-02-28'`, text('1900-02-28')],
  [`TIMESTAMP '2024-02-29 12:34:56'`, moment('2024-02-29T12:34:56.000Z')],
  [`TIMESTAMP '2024-02-29 12:34:56.789500000001'`, moment('2024-02-29T12:34:56.790Z')],
  [`TIMESTAMP '9999-12-31 23:59:59.999999999999'`, text('9999-12-31 23:59:59.999999999999')],
  [`TIMESTAMP '2024-07-01 12:00:00 UTC'`, moment('2024-07-01T14:00:00.000Z')],
  [`TIMESTAMP '2024-07-01 12:00:00 America/New_York'`, moment('2024-07-01T18:00:00.000Z')],
  [`TIMESTAMP '2024-07-01 12:00:00 +05:30'`, moment('2024-07-01T08:30:00.000Z')],
  [`TIME '12:34:56.789'`, moment('1899-12-30T12:34:56.789Z')],
  [`TIME '12:00:00 +05:30'`, text('12:00:00+05:30')],
  ['CAST(NULL AS timestamp)', null],
  [`'2024-02-29 12:34:56'`, text('2024-02-29 12:34:56')],
];

it('has date cells of the dates and times of Trino with excel_dates', async () => {
  const sql = `SELECT ${DATES.map(([value], index) => `${value} AS c${index}`).join(', ')}`;
  const body = { sql, excel_dates: true, time_zone: 'Europe/Berlin' };
  const { status, isWhole, bytes } = await post(`${reading.url}/query/download/xlsx`, body, reading.credential);
  expect([status, isWhole]).toEqual([200, true]);
  const [sheet] = await readByExceljs(bytes);
  expect(sheet?.rows[1]).toEqual(DATES.map(([, cell]) => cell));
});
