import { describe, expect, it } from '@jest/globals';
import { createFormat } from '@sluice/encoders';
import { RowWriter } from './row-writer.ts';
import { typeOfName } from './type-of-name.ts';

/** Writes values as Trino sends them in the form of its pages. */
function write(values: string, types: readonly string[], times: 'exact' | 'milliseconds' = 'exact'): string {
  const columns = types.map((type, index) => ({ name: `c${index}`, type }));
  const format = createFormat({ name: 'trino', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' });
  const { style, ...row } = format.row(columns);
  const template = { ...row, style: { ...style, times } };
  const writer = new RowWriter({ template, columns, types: types.map(typeOfName), allocate: Buffer.alloc });
  const events = [...writer.events(Buffer.from(`[${values}]`), 0)];
  return Buffer.concat(events.map(({ bytes }) => bytes)).toString('utf8');
}

describe('rows of pages', () => {
  it.each([
    ['"1.50"', 'decimal(10,2)'],
    ['"170141183460469231731687303715884105727"', 'number'],
    ['9223372036854775807', 'bigint'],
    ['1.0E20', 'double'],
    ['"NaN"', 'double'],
    ['"a\\u0041\\n"', 'varchar'],
    ['true', 'boolean'],
    ['null', 'decimal(10,2)'],
    ['"2 03:04:05.678"', 'interval day to second'],
    ['"1-2"', 'interval year to month'],
    ['[1,"1.50",null]', 'row(a integer,b decimal(3,2),c varchar)'],
    ['[[1],[2]]', 'array(row(a integer))'],
    ['{"a":"1.50","b":null}', 'map(varchar,decimal(3,2))'],
    ['"2026-01-02 03:04:05.123456 UTC"', 'timestamp(6) with time zone'],
    ['"POINT (1 2)"', 'geometry'],
    ['[]', 'array(integer)'],
  ])('have %s of the type %s as it is', (value, type) => {
    expect(write(`[${value}]`, [type])).toBe(`[${value}]`);
  });

  it('are lines', () => {
    expect(write('[1,"1.0"], [2,"2.0"]', ['integer', 'decimal(2,1)'])).toBe('[1,"1.0"],\n[2,"2.0"]');
  });

  it.each([
    ['"2026-01-02 03:04:05.123987"', 'timestamp(6)', '"2026-01-02 03:04:05.123"'],
    ['"2026-01-02 03:04:05"', 'timestamp(0)', '"2026-01-02 03:04:05.000"'],
    ['"2026-01-02 03:04:05.9 Europe/Berlin"', 'timestamp(1) with time zone', '"2026-01-02 03:04:05.900 Europe/Berlin"'],
    ['"03:04:05.999999999+05:30"', 'time(9) with time zone', '"03:04:05.999+05:30"'],
    ['[["03:04:05.1234"]]', 'array(row(t time(4)))', '[["03:04:05.123"]]'],
    [
      '{"2026-01-02 03:04:05.1234":"03:04:05.1234"}',
      'map(timestamp(4),varchar)',
      '{"2026-01-02 03:04:05.123":"03:04:05.1234"}',
    ],
    ['"infinity"', 'timestamp(6)', '"infinity"'],
    ['"03:04:05.1234"', 'varchar', '"03:04:05.1234"'],
    ['null', 'time(6)', 'null'],
  ])('have %s of the type %s with three digits', (value, type, expected) => {
    expect(write(`[${value}]`, [type], 'milliseconds')).toBe(`[${expected}]`);
  });
});
