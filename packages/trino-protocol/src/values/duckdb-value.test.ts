import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '@sluice/engine';
import { openEmptyDuckDb, readResult } from '@sluice/engine/testing';
import fc from 'fast-check';
import { duckDbValue } from './duckdb-value.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await openEmptyDuckDb();
});
afterAll(async () => await engine?.[Symbol.asyncDispose]());

/** Returns the type and the text of a value in DuckDB, after an operator that binds tightly. The guard accepts its form. */
async function readBack(literal: string, text = (value: string) => `${value}::VARCHAR`): Promise<readonly unknown[]> {
  const value = duckDbValue(literal);
  const sql = `SELECT typeof(${value}) AS type, ${text(value)} AS text`;
  const { rowsText } = await readResult(engine, sql, { format: { name: 'json' } });
  return Object.values(JSON.parse(rowsText) as object);
}

describe('a literal of Trino is the same value on DuckDB', () => {
  it.each([
    ["'it''s'", 'VARCHAR', "it's"],
    ["'a\\nb?'", 'VARCHAR', 'a\\nb?'],
    ["VARCHAR 'a''b'", 'VARCHAR', "a'b"],
    ['5', 'INTEGER', '5'],
    ['-5', 'INTEGER', '-5'],
    ['+5', 'INTEGER', '5'],
    ['3000000000', 'BIGINT', '3000000000'],
    ['-9223372036854775808', 'BIGINT', '-9223372036854775808'],
    ['1.50', 'DECIMAL(3,2)', '1.50'],
    ['-0.5', 'DECIMAL(2,1)', '-0.5'],
    ['1e3', 'DOUBLE', '1000.0'],
    ["TINYINT '-128'", 'TINYINT', '-128'],
    ["SMALLINT '7'", 'SMALLINT', '7'],
    ["INTEGER '1'", 'INTEGER', '1'],
    ["INT '1'", 'INTEGER', '1'],
    ["BIGINT '1'", 'BIGINT', '1'],
    ["REAL '1.5'", 'FLOAT', '1.5'],
    ["DOUBLE '1e0'", 'DOUBLE', '1.0'],
    ["DOUBLE '-1.25'", 'DOUBLE', '-1.25'],
    ["DOUBLE PRECISION '2'", 'DOUBLE', '2.0'],
    ["DOUBLE 'Infinity'", 'DOUBLE', 'inf'],
    ['infinity()', 'DOUBLE', 'inf'],
    ['-infinity()', 'DOUBLE', '-inf'],
    ['nan()', 'DOUBLE', 'nan'],
    ["DECIMAL '1.50'", 'DECIMAL(3,2)', '1.50'],
    ["DECIMAL '-12345678901234567890123456789.012345678'", 'DECIMAL(38,9)', '-12345678901234567890123456789.012345678'],
    ["DECIMAL '0'", 'DECIMAL(1,0)', '0'],
    ["DECIMAL '0.50'", 'DECIMAL(2,2)', '.50'],
    ['TRUE', 'BOOLEAN', 'true'],
    ["BOOLEAN 'false'", 'BOOLEAN', 'false'],
    ['NULL', '"NULL"', null],
    ["X'00fF'", 'BLOB', '\\x00\\xFF'],
    ["X'65 68\n3F'", 'BLOB', 'eh?'],
    ["X''", 'BLOB', ''],
    ["UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'", 'UUID', '12151fd2-7586-11e9-8f9e-2a86e4085a59'],
    ["DATE '2020-2-3'", 'DATE', '2020-02-03'],
    ["TIME '10:20'", 'TIME', '10:20:00'],
    ["TIME '10:20:30.123456000'", 'TIME', '10:20:30.123456'],
    ["TIMESTAMP '2020-01-02 03:04:05.1'", 'TIMESTAMP', '2020-01-02 03:04:05.1'],
    ["TIMESTAMP '2020-01-02'", 'TIMESTAMP', '2020-01-02 00:00:00'],
    ["TIMESTAMP '2020-01-02 03:04:05.123456789'", 'TIMESTAMP_NS', '2020-01-02 03:04:05.123456789'],
    ["TIMESTAMP '2020-01-02 03:04:05 UTC'", 'TIMESTAMP WITH TIME ZONE', '2020-01-02 03:04:05+00'],
    ["TIMESTAMP '2020-01-02 03:04:05 +05:30'", 'TIMESTAMP WITH TIME ZONE', '2020-01-01 21:34:05+00'],
    ["TIMESTAMP '2020-01-02 03:04:05.5-08:00'", 'TIMESTAMP WITH TIME ZONE', '2020-01-02 11:04:05.5+00'],
    ["TIMESTAMP '2020-07-02 03:04:05 America/New_York'", 'TIMESTAMP WITH TIME ZONE', '2020-07-02 07:04:05+00'],
    ["TIMESTAMP '2020-01-02 03:04:05 America/New_York'", 'TIMESTAMP WITH TIME ZONE', '2020-01-02 08:04:05+00'],
    ["INTERVAL '3' DAY", 'INTERVAL', '3 days'],
    ["INTERVAL -'3' DAY", 'INTERVAL', '-3 days'],
    ["INTERVAL '90' MINUTE", 'INTERVAL', '01:30:00'],
    ["INTERVAL '2 03:04:05.678' DAY TO SECOND", 'INTERVAL', '2 days 03:04:05.678'],
    ["INTERVAL '-2 03:04:05.678' DAY TO SECOND", 'INTERVAL', '-2 days -03:04:05.678'],
    ["INTERVAL '1-2' YEAR TO MONTH", 'INTERVAL', '1 year 2 months'],
    ["INTERVAL '5' YEAR", 'INTERVAL', '5 years'],
    ['CAST(NULL AS VARCHAR)', 'VARCHAR', null],
    ['CAST(NULL AS varchar(20))', 'VARCHAR', null],
    ['CAST(NULL AS DECIMAL(10, 2))', 'DECIMAL(10,2)', null],
    ['CAST(NULL AS DECIMAL)', 'DECIMAL(38,0)', null],
    ['CAST(NULL AS TIMESTAMP(3) WITH TIME ZONE)', 'TIMESTAMP WITH TIME ZONE', null],
    ['CAST(NULL AS VARBINARY)', 'BLOB', null],
    ['CAST(NULL AS DOUBLE PRECISION)', 'DOUBLE', null],
    ['ARRAY[1, NULL, 3]', 'INTEGER[]', '[1, NULL, 3]'],
    ["ARRAY[ARRAY['a'], ARRAY[]]", 'VARCHAR[][]', '[[a], []]'],
    ["MAP(ARRAY['a'], ARRAY[1])", 'MAP(VARCHAR, INTEGER)', '{a=1}'],
  ])('%s', async (literal, type, text) => {
    expect(await readBack(literal)).toEqual([type, text]);
  });

  it('whatever a string contains', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 20 }), async (text) => {
        const plain = text.replaceAll('\0', '');
        expect(await readBack(`'${plain.replaceAll("'", "''")}'`)).toEqual(['VARCHAR', plain]);
      }),
      { numRuns: 100 },
    );
  });

  it('whatever bytes a binary literal has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 20 }), async (bytes) => {
        const digits = Buffer.from(bytes).toString('hex');
        expect(await readBack(`X'${digits}'`, (value) => `lower(hex(${value}))`)).toEqual(['BLOB', digits]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a literal is refused by name', () => {
  it.each([
    ['1 + 2', 'NOT_SUPPORTED'],
    ['now()', 'NOT_SUPPORTED'],
    ['(SELECT 1)', 'NOT_SUPPORTED'],
    ["CHAR 'a'", 'NOT_SUPPORTED'],
    ["JSON '{}'", 'NOT_SUPPORTED'],
    ["X '00'", 'NOT_SUPPORTED'],
    ["U&'a'", 'NOT_SUPPORTED'],
    ['ROW(1, 2)', 'NOT_SUPPORTED'],
    ["CAST('1' AS VARCHAR)", 'NOT_SUPPORTED'],
    ['CAST(NULL AS JSON)', 'NOT_SUPPORTED'],
    ["TIME '10:00:00+02:00'", 'NOT_SUPPORTED'],
    ["TIME '10:00:00.1234567'", 'NOT_SUPPORTED'],
    ["TIMESTAMP '2020-01-02 03:04:05.123456789 UTC'", 'NOT_SUPPORTED'],
    ["TIMESTAMP '1500-01-02 03:04:05.123456789'", 'NOT_SUPPORTED'],
    ["TIMESTAMP '2020-03-29 02:30:00 Europe/Berlin'", 'NOT_SUPPORTED'],
    ["TIMESTAMP '2020-10-25 02:30:00 Europe/Berlin'", 'NOT_SUPPORTED'],
    ["TIMESTAMP '2020-01-02 03:04:05 Mars/Olympus'", 'INVALID_LITERAL'],
    ["DATE '2020-02-30'", 'INVALID_LITERAL'],
    ["DATE 'today'", 'INVALID_LITERAL'],
    ["TINYINT '128'", 'INVALID_LITERAL'],
    ["INTEGER '1.5'", 'INVALID_LITERAL'],
    ["DECIMAL '1e5'", 'INVALID_LITERAL'],
    ["DECIMAL ''", 'INVALID_LITERAL'],
    ["DECIMAL ' 1.5 '", 'INVALID_LITERAL'],
    ["TIMESTAMP '2020-01-02T03:04:05'", 'INVALID_LITERAL'],
    [`DECIMAL '${'9'.repeat(39)}'`, 'INVALID_LITERAL'],
    ['9223372036854775808', 'INVALID_LITERAL'],
    ['1e999', 'INVALID_LITERAL'],
    ["X'0'", 'INVALID_LITERAL'],
    ["X'0g'", 'INVALID_LITERAL'],
    ["BOOLEAN 'yes'", 'INVALID_LITERAL'],
    ["UUID 'a'", 'INVALID_LITERAL'],
    ["INTERVAL '1.5' DAY", 'INVALID_LITERAL'],
    ["INTERVAL '1' DAY TO MONTH", 'INVALID_LITERAL'],
    ["INTERVAL '1:2' DAY TO HOUR", 'INVALID_LITERAL'],
    ["INTERVAL '1' WEEK", 'SYNTAX_ERROR'],
    ['ARRAY[1', 'SYNTAX_ERROR'],
    [`${'ARRAY['.repeat(40)}1${']'.repeat(40)}`, 'NOT_SUPPORTED'],
  ])('%s', (literal, name) => {
    expect(() => duckDbValue(literal)).toThrow(expect.objectContaining({ errorName: name }));
  });
});
