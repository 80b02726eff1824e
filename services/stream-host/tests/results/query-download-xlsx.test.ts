import { afterAll, describe, expect, it } from '@jest/globals';
import type { ReceivedResponse } from '@sluice/testkit';
import { queryIdOf } from '@sluice/testkit/requests';
import { describeDownload } from './describe-download.ts';
import {
  installOpenpyxl,
  openpyxl,
  type ReadCell,
  type ReadWorkbook,
  readByExceljs,
  readByOpenpyxl,
} from './workbook-readers.ts';

afterAll(() => openpyxl[Symbol.dispose]());

const xlsx = describeDownload('xlsx', {
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  extension: 'xlsx',
  options: ['excel_dates', 'time_zone'],
  prepare: installOpenpyxl,
  assertItems: async (response) => {
    const [sheet] = await readBoth(response);
    expect(sheet?.name).toBe('items');
    expect(sheet?.rows).toEqual([
      [text('id'), text('name'), text('price')],
      [number(1), text('nut'), number(0.1)],
      [number(2), text('bolt, long'), number(250)],
      [text('9223372036854775807'), null, null],
    ]);
  },
  assertNoRows: async (response) => {
    const [sheet] = await readBoth(response);
    expect(sheet?.rows).toEqual([[text('id'), text('name')]]);
  },
  assertCut: async (bytes) => {
    await expect(readByExceljs(bytes)).rejects.toThrow();
    await expect(readByOpenpyxl(bytes)).rejects.toThrow();
  },
});

async function readBoth(response: ReceivedResponse): Promise<ReadWorkbook> {
  expect([response.status, response.isWhole]).toEqual([200, true]);
  const read = await readByExceljs(response.bytes);
  const readWhole = await readByOpenpyxl(response.bytes);
  expect(withoutEmptyStrings(readWhole)).toEqual(read);
  return readWhole;
}

const withoutEmptyStrings = (book: ReadWorkbook): ReadWorkbook =>
  book.map(({ name, rows }) => ({
    name,
    rows: rows.map((row) => row.map((cell) => (textOf(cell) === '' ? null : cell))),
  }));

const textOf = (cell: ReadCell | undefined): string | undefined =>
  cell !== null && cell !== undefined && 'text' in cell ? cell.text : undefined;

const text = (value: string): ReadCell => ({ text: value });
const number = (value: number): ReadCell => ({ number: value });

/** SQL of a value and the expected cell. */
const VALUES: readonly (readonly [string, ReadCell])[] = [
  ['1', number(1)],
  ['NULL', null],
  ['9007199254740992', number(2 ** 53)],
  ['9007199254740993', text('9007199254740993')],
  ['-9007199254740993', text('-9007199254740993')],
  ['250.00::DECIMAL(38,2)', number(250)],
  ['1.500000000000000000::DECIMAL(38,18)', number(1.5)],
  ['-123456789012345.00::DECIMAL(38,2)', number(-123456789012345)],
  ['1234567890123456.00::DECIMAL(38,2)', text('1234567890123456.00')],
  ['0.000000000000000001::DECIMAL(18,18)', number(1e-18)],
  ['170141183460469231731687303715884105727', text('170141183460469231731687303715884105727')],
  ['1e300::DOUBLE', number(1e300)],
  ['0.1::FLOAT', number(0.1)],
  [`'NaN'::DOUBLE`, text('NaN')],
  [`'-Infinity'::DOUBLE`, text('-Infinity')],
  ['true', { boolean: true }],
  [`DATE '2024-02-29'`, { moment: '2024-02-29T00:00:00.000Z' }],
  [`DATE '1900-03-01'`, { moment: '1900-03-01T00:00:00.000Z' }],
  [`DATE '1900-02-28'`, text('1900-02-28')],
  [`DATE '9999-12-31'`, { moment: '9999-12-31T00:00:00.000Z' }],
  [`DATE '12020-01-01'`, text('+12020-01-01')],
  [`TIMESTAMP '2024-02-29 12:34:56.789'`, { moment: '2024-02-29T12:34:56.789Z' }],
  [`TIMESTAMP '2024-02-29 12:34:56.789012'`, text('2024-02-29 12:34:56.789012')],
  [`TIMESTAMP_S '2024-02-29 12:34:56'`, { moment: '2024-02-29T12:34:56.000Z' }],
  [`TIMESTAMPTZ '2024-02-29 12:34:56+02'`, text('2024-02-29 10:34:56.000000 UTC')],
  [`TIME '12:34:56'`, text('12:34:56.000000')],
  [`INTERVAL 1 DAY`, text('P1D')],
  [`'=1+1'`, text('=1+1')],
  [`'@SUM(A1)'`, text('@SUM(A1)')],
  [`''`, text('')],
  [`'  kept  '`, text('  kept  ')],
  [`'<a href="x">&amp;</a>]]>'`, text('<a href="x">&amp;</a>]]>')],
  [`'two' || chr(10) || 'lines' || chr(9) || chr(13)`, text('two\nlines\t\r')],
  [`chr(0) || chr(1) || chr(31) || 'é' || chr(65534)`, text('\u0000\u0001\u001fé\ufffe')],
  [`'_x0041_x0042_'`, text('_x0041_x0042_')],
  [`'😀'`, text('😀')],
  ['[1, NULL]', text('[1,null]')],
  [`{'a': 'x<'}`, text('{"a":"x<"}')],
  [`'abc'::BLOB`, text('YWJj')],
  ['18446744073709551615::UBIGINT', text('18446744073709551615')],
];

/** SQL of a value and its expected cell with `excel_dates` in Europe/Berlin. */
const DATES: readonly (readonly [string, ReadCell])[] = [
  [`DATE '2024-02-29'`, { moment: '2024-02-29T00:00:00.000Z' }],
  [`DATE '1900-02-28'`, text('1900-02-28')],
  [`DATE 'infinity'`, text('infinity')],
  [`TIMESTAMP '2024-02-29 12:34:56.789'`, { moment: '2024-02-29T12:34:56.789Z' }],
  [`TIMESTAMP '2024-02-29 12:34:56.789499'`, { moment: '2024-02-29T12:34:56.789Z' }],
  [`TIMESTAMP '2024-02-29 12:34:56.789500'`, { moment: '2024-02-29T12:34:56.790Z' }],
  [`TIMESTAMP '2024-12-31 23:59:59.999500'`, { moment: '2025-01-01T00:00:00.000Z' }],
  [`TIMESTAMP '9999-12-31 23:59:59.999500'`, text('9999-12-31 23:59:59.999500')],
  [`TIMESTAMP '0044-03-15 12:00:00'`, text('0044-03-15 12:00:00.000000')],
  [`TIMESTAMP_S '2024-02-29 12:34:56'`, { moment: '2024-02-29T12:34:56.000Z' }],
  [`TIMESTAMP_NS '2024-02-29 12:34:56.000000001'`, { moment: '2024-02-29T12:34:56.000Z' }],
  [`TIMESTAMPTZ '2024-07-01 12:00:00+00'`, { moment: '2024-07-01T14:00:00.000Z' }],
  [`TIMESTAMPTZ '2024-10-27 00:30:00+00'`, { moment: '2024-10-27T02:30:00.000Z' }],
  [`TIMESTAMPTZ '2024-10-27 01:30:00+00'`, { moment: '2024-10-27T02:30:00.000Z' }],
  [`TIMESTAMPTZ 'infinity'`, text('infinity')],
  [`TIME '12:34:56.789'`, { moment: '1899-12-30T12:34:56.789Z' }],
  [`TIME '23:59:59.9995'`, text('23:59:59.999500')],
  [`TIMETZ '12:00:00+05:30'`, text('12:00:00.000000+05:30')],
  [`NULL::TIMESTAMP`, null],
  [`'2024-02-29 12:34:56'`, text('2024-02-29 12:34:56')],
  [`chr(4) || '2024-02-29' || chr(5)`, text('\u00042024-02-29\u0005')],
];

describe('a workbook', () => {
  it('has date cells of all dates and times with excel_dates, and counts on About what they changed', async () => {
    const sql = `SELECT ${DATES.map(([value], index) => `${value} AS c${index}`).join(', ')}`;
    const [sheet, about] = await readBoth(
      await xlsx.download({ sql, filename: 'dates', excel_dates: true, time_zone: 'Europe/Berlin' }),
    );
    expect(sheet?.rows[1]).toEqual(DATES.map(([, cell]) => cell));
    expect(about?.rows.map((row) => row.slice(-3))).toEqual([
      [text('Time zone of dates'), text('Dates rounded to milliseconds'), text('Dates kept as text')],
      [text('Europe/Berlin'), number(4), number(6)],
    ]);
    const [exact, plainAbout] = await readBoth(await xlsx.download({ sql, excel_dates: false }));
    expect(exact?.rows[1]?.[5]).toEqual(text('2024-02-29 12:34:56.789500'));
    expect(plainAbout?.rows[0]?.at(-1)).toEqual(text('Parameters'));
  });

  it('has date cells in each row of many, beside strings longer than a cell', async () => {
    const sql = `SELECT TIMESTAMP '2024-01-01 00:00:00' + INTERVAL (n) SECOND AS t, repeat('x', 40000 * (n % 1000 = 0)::INTEGER) AS s, n
      FROM range(4000) AS r(n)`;
    const [sheet] = await readBoth(await xlsx.download({ sql, excel_dates: true }));
    const start = Date.parse('2024-01-01T00:00:00Z');
    const moments = Array.from({ length: 4_000 }, (_, n) => ({ moment: new Date(start + n * 1000).toISOString() }));
    expect(sheet?.rows.slice(1).map(([cell]) => cell)).toEqual(moments);
  });

  it('has values that two readers read exactly, as native types where a spreadsheet loses nothing', async () => {
    const sql = `SELECT ${VALUES.map(([value], index) => `${value} AS c${index}`).join(', ')}`;
    const response = await xlsx.download({ sql, filename: 'values' });
    expect(response.headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-disposition': 'attachment; filename=values.xlsx',
    });
    expect(response.headers).not.toHaveProperty('content-encoding');
    const [sheet, about] = await readBoth(response);
    expect(sheet?.name).toBe('values');
    expect(sheet?.rows[0]).toEqual(VALUES.map((_, index) => text(`c${index}`)));
    expect(sheet?.rows[1]).toEqual(VALUES.map(([, cell]) => cell));
    expect(about?.name).toBe('About');
    expect(about?.rows[1]?.slice(0, 5)).toEqual([
      ...[text('values'), text('values'), number(1), text(sql), text(queryIdOf(response))],
    ]);
  });

  it('has strings longer than a cell cut with a mark, and complete on a separate sheet', async () => {
    const sql = `SELECT 1 AS n, repeat('a<é', 30000) AS t UNION ALL SELECT 2, repeat('😀', 16384) UNION ALL SELECT 3, repeat('é', 32767)`;
    const [sheet, overflow] = await readBoth(await xlsx.download({ sql: `${sql} ORDER BY n`, filename: 'long' }));
    const cells = sheet?.rows.slice(1).map((row) => textOf(row[1]) ?? '') ?? [];
    expect(cells.map(({ length }) => length)).toEqual([32_767, 32_767, 32_767]);
    expect(cells.map((cell) => cell.endsWith('… [continued on the sheet Overflow]'))).toEqual([true, true, false]);
    const parts = overflow?.rows.slice(1) ?? [];
    expect(parts.map((row) => textOf(row[1]))).toEqual(['B2', 'B2', 'B2', 'B3', 'B3']);
    const whole = (cell: string): string =>
      parts.flatMap((row) => (textOf(row[1]) === cell ? [textOf(row[3])] : [])).join('');
    expect(whole('B2')).toBe('a<é'.repeat(30_000));
    expect(whole('B3')).toBe('😀'.repeat(16_384));
  });

  it('has column names that contain XML syntax, in the right columns', async () => {
    const [sheet] = await readBoth(
      await xlsx.download({ sql: `SELECT 1 AS "=cmd|'/c calc'!A1", 2 AS "a<b>&""", 3 AS "a<b>&"""` }),
    );
    expect(sheet?.rows[0]).toEqual([text(`=cmd|'/c calc'!A1`), text('a<b>&"'), text('a<b>&"_2')]);
  });
});
