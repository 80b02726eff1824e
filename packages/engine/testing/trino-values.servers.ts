import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseMarkdownTables } from '@sluice/testkit';
import { TrinoEngine } from '../src/trino/trino-engine.ts';
import { sheetCellText, sheetTextOfJson } from './cell-texts.ts';
import { readResult } from './read-result.ts';

// biome-ignore lint/style/noProcessEnv: a test run gets the address of its server from the environment, as a service does
const baseUrl = process.env['SLUICE_TEST_TRINO'] ?? 'http://127.0.0.1:28090';
const page = await readFile(new URL('../../../docs/values.md', import.meta.url), 'utf8');
const [, rows = []] = parseMarkdownTables(page);

const code = (cell: string | undefined): string => (cell ?? '').replace(/^`(.*)`$/s, '$1');

let engine: TrinoEngine;
beforeAll(() => {
  const credentials = { kind: 'none' } as const;
  engine = new TrinoEngine({ baseUrl, catalogs: ['tpch'], defaultCatalog: 'tpch', credentials });
});
afterAll(() => engine[Symbol.asyncDispose]());

describe('docs/values.md for Trino', () => {
  it('has an example of every type', () => {
    expect(rows.length).toBeGreaterThan(38);
  });

  it.each(rows.map((row) => [row['Trino'] ?? '', row] as const))(
    'shows what is really sent: %s',
    async (label, row) => {
      const timeZone = /, in (\S+)$/.exec(label)?.[1] ?? 'UTC';
      const sql = `SELECT ${code(row['Example'])} AS v`;
      const json = await readResult(engine, sql, { format: { name: 'json' }, timeZone });
      const csv = await readResult(engine, sql, { format: { name: 'csv' }, timeZone });
      expect({
        Type: json.columns[0]?.type,
        JSON: json.rowsText.slice('{"v":'.length, -1),
        CSV: csv.rowsText.slice(0, -1),
      }).toEqual({ Type: row['Type'], JSON: code(row['JSON']), CSV: code(row['CSV']) });
    },
  );
});

/** Minimum and maximum of each type with an order, and the values at the edges of what a spreadsheet stores as a number. */
const EXTREMES = [
  ...['false', 'true', "TINYINT '-128'", "TINYINT '127'", "SMALLINT '-32768'", "SMALLINT '32767'"],
  ...["INTEGER '-2147483648'", '2147483647', "BIGINT '-9223372036854775808'", '9223372036854775807'],
  ...['999999999999999', '9007199254740992', '-9007199254740993'],
  ...["REAL '-3.4028235E38'", "REAL '1.4E-45'", 'CAST(infinity() AS real)', 'CAST(nan() AS real)'],
  ...['-1.7976931348623157E308', '4.9E-324', '1e309', '-infinity()', 'nan()', "DOUBLE '-0'"],
  ...["DECIMAL '-99999999999999999999999999999999999999'", "DECIMAL '0.00000000000000000000000000000000000001'"],
  ...["DECIMAL '999999999999999'", "DECIMAL '9999999999999999.0'", 'CAST(NULL AS decimal(38,38))'],
  ...["DATE '-5877641-06-23'", "DATE '5881580-07-11'", "DATE '1900-02-28'"],
  ...["TIME '00:00:00'", "TIME '23:59:59.999999999999'", "TIME '23:59:59.999999999999-14:00'"],
  ...["TIMESTAMP '-290307-12-31 23:59:59'", "TIMESTAMP '294246-01-01 00:00:00.999999999999'"],
  ...[
    "TIMESTAMP '9999-12-31 23:59:59.999999999999'",
    "TIMESTAMP '10000-01-01 00:00:00'",
    "TIMESTAMP '1900-02-28 23:59:59'",
  ],
  ...["TIMESTAMP '0001-01-01 00:00:00 UTC'", "TIMESTAMP '9999-12-31 23:59:59.999999999999 +14:00'"],
  ...["INTERVAL '178956970-7' YEAR TO MONTH", "-INTERVAL '178956970-7' YEAR TO MONTH", "INTERVAL '99999' DAY"],
  ...[
    "''",
    "CAST('' AS char(3))",
    "X''",
    "UUID 'ffffffff-ffff-ffff-ffff-ffffffffffff'",
    "IPADDRESS '::'",
    "JSON 'null'",
  ],
  ...[
    'ARRAY[]',
    'MAP()',
    'ROW(NULL)',
    "MAP(ARRAY[DATE '-5877641-06-23'], ARRAY[ROW(MAP(ARRAY[4.9E-324], ARRAY[NULL]))])",
  ],
];

describe('the extremes of each type', () => {
  it.each(['sse', 'ndjson', 'csv'] as const)('are written as %s', async (name) => {
    for (const value of EXTREMES)
      expect((await readResult(engine, `SELECT ${value} AS v`, { format: { name } })).rows).toBe(1);
  });

  it('have the same text in a workbook as in JSON', async () => {
    for (const value of EXTREMES) {
      const sql = `SELECT ${value} AS v`;
      const json = (await readResult(engine, sql, { format: { name: 'json' } })).rowsText.slice('{"v":'.length, -1);
      const xlsx = await readResult(engine, sql, { format: { name: 'xlsx' } });
      expect([value, sheetCellText(xlsx.rowsText)]).toEqual([value, sheetTextOfJson(json)]);
    }
  });

  it('are a number in a workbook for a timestamp of any precision that a spreadsheet stores', async () => {
    for (const value of [
      "DATE '9999-12-31'",
      "TIMESTAMP '1900-03-01 00:00:00'",
      "TIMESTAMP '2024-01-02 12:00:00.000000000'",
    ])
      expect((await readResult(engine, `SELECT ${value} AS v`, { format: { name: 'xlsx' } })).rowsText).toMatch(
        /<v>[\d.]+<\/v>/,
      );
  });
});

describe('a map with two keys of the same text', () => {
  it.each(['json', 'sse', 'csv', 'xlsx'] as const)('ends the query, as %s', async (name) => {
    const hour = (utc: string): string => `TIMESTAMP '2026-10-25 ${utc} UTC' AT TIME ZONE 'Europe/Berlin'`;
    for (const [keys, key] of [
      ["ARRAY['a, b'], ARRAY['a', 'b']", '[a, b]'],
      [`${hour('00:30:00')}, ${hour('01:30:00')}`, '2026-10-25 02:30:00 Europe/Berlin'],
    ] as const) {
      const failing = readResult(engine, `SELECT MAP(ARRAY[${keys}], ARRAY[1, 2]) AS m`, { format: { name } });
      const message = expect.stringContaining(`The column m contains a map with two keys that are written as "${key}"`);
      await expect(failing).rejects.toMatchObject({ code: 'data_error', message });
    }
  });
});
