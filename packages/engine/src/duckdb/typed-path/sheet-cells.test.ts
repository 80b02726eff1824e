import { describe, expect, it } from '@jest/globals';
import { EMPTY_DUCKDB } from '../../../testing/open-duckdb.ts';
import { readResult } from '../../../testing/read-result.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';

const text = (value: string): string => `<c s="4" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (value: string): string => `<c><v>${value}</v></c>`;
const time = (value: string): string => `<c s="2"><v>${value}</v></c>`;

describe('cells of a worksheet', () => {
  it.each([
    ['9007199254740992::BIGINT', number('9007199254740992')],
    ['-9007199254740993::BIGINT', text('-9007199254740993')],
    ['-9007199254740992::HUGEINT', number('-9007199254740992')],
    ['9007199254740993::UHUGEINT', text('9007199254740993')],
    ["'999999999999999.000'::DECIMAL(18,3)", number('999999999999999.000')],
    ["'999999999999999.001'::DECIMAL(18,3)", text('999999999999999.001')],
    ["'0.000000000000000123'::DECIMAL(18,18)", number('0.000000000000000123')],
    ["'9007199254740992'::DECIMAL(38,0)", number('9007199254740992')],
    ["'-9007199254740992'::DECIMAL(18,0)", number('-9007199254740992')],
    ["'9007199254740993'::DECIMAL(38,0)", text('9007199254740993')],
    ["'9007199254740993'::DECIMAL(18,0)", text('9007199254740993')],
    ["'-9007199254740992'::BIGNUM", number('-9007199254740992')],
    ["'9007199254740993'::BIGNUM", text('9007199254740993')],
    ["'nan'::DOUBLE", text('NaN')],
    ['NULL::DOUBLE', '<c s="5"/>'],
    ['true', '<c t="b"><v>1</v></c>'],
    ["DATE '1900-02-28'", text('1900-02-28')],
    ["DATE '1900-03-01'", '<c s="1"><v>61</v></c>'],
    ["TIMESTAMP '1900-03-01 12:00:00'", time('61.5')],
    ["TIMESTAMP '2024-02-29 00:00:00.000001'", text('2024-02-29 00:00:00.000001')],
    ["TIMESTAMP_NS '2024-02-29 00:00:00'", time('45351.0')],
    ["TIMESTAMP_S '9999-12-31 23:59:59'", time('2958465.999988426')],
    ["TIMESTAMP_S '10000-01-01 00:00:00'", text('+10000-01-01 00:00:00')],
    ["TIMESTAMPTZ 'infinity'", text('infinity')],
  ])('%s', async (value, cell) => {
    await using engine = await DuckDbEngine.open(EMPTY_DUCKDB);
    const { rowsText } = await readResult(engine, `SELECT ${value} AS v`, { format: { name: 'xlsx' } });
    expect(rowsText).toBe(`\u0003${cell}</row>`);
  });
});
