import { describe, expect, it } from '@jest/globals';
import { createRowConverter, type NumberMode, parseColumnType } from './row-converter.ts';

const convert = (type: string, value: unknown, mode: NumberMode): unknown => {
  const row = { c: value };
  createRowConverter([{ name: 'c', type }], mode)?.([row]);
  return row.c;
};

describe('parseColumnType', () => {
  it('reads nested types and quoted names', () => {
    expect(parseColumnType('row("a ""b"", (c)" map(varchar,array(bigint)),d decimal(20,0))')).toEqual({
      kind: 'row',
      fields: [
        {
          name: 'a "b", (c)',
          type: {
            kind: 'map',
            key: { kind: 'scalar', name: 'varchar' },
            value: { kind: 'array', element: { kind: 'scalar', name: 'bigint' } },
          },
        },
        { name: 'd', type: { kind: 'scalar', name: 'decimal(20,0)' } },
      ],
    });
  });

  it.each(['bigint', 'timestamp(6) with time zone', 'map(varchar)', 'row()', ''])('keeps %s as a scalar', (name) => {
    expect(parseColumnType(name)).toEqual({ kind: 'scalar', name });
  });
});

describe('createRowConverter', () => {
  it.each([
    ['bigint', '7', { bigint: 7n, string: '7', number: 7 }],
    [
      'bigint',
      '9007199254740993',
      { bigint: 9007199254740993n, string: '9007199254740993', number: 9007199254740993n },
    ],
    ['bigint', null, { bigint: null, string: null, number: null }],
    ['number', '1.5', { bigint: '1.5', string: '1.5', number: 1.5 }],
    ['decimal(20,0)', '18446744073709551615', { bigint: 18446744073709551615n, number: 18446744073709551615n }],
    ['decimal(20,2)', '0.10', { bigint: '0.10', string: '0.10', number: 0.1 }],
    ['decimal(38,20)', '0.12345678901234567890', { number: '0.12345678901234567890' }],
    ['decimal(38,2)', '123456789012345.67', { number: '123456789012345.67' }],
    ['decimal(5,2)', 2.5, { bigint: 2.5, string: 2.5, number: 2.5 }],
    ['double', '-Infinity', { bigint: Number.NEGATIVE_INFINITY, string: Number.NEGATIVE_INFINITY }],
    ['varchar', '7', { bigint: '7', number: '7' }],
    ['array(array(bigint))', [['1'], null], { bigint: [[1n], null], number: [[1], null] }],
  ] as const)('converts %s %j', (type, value, expected) => {
    for (const [mode, wanted] of Object.entries(expected))
      expect({ mode, value: convert(type, structuredClone(value), mode as NumberMode) }).toEqual({
        mode,
        value: wanted,
      });
  });

  it('converts members named __proto__ without changing the prototype', () => {
    const row = JSON.parse('{"__proto__":"1","m":{"__proto__":"2"}}') as Record<string, unknown>;
    const columns = [
      { name: '__proto__', type: 'bigint' },
      { name: 'm', type: 'map(varchar,bigint)' },
    ];
    createRowConverter(columns, 'bigint')?.([row]);
    expect(Object.getOwnPropertyDescriptor(row, '__proto__')?.value).toBe(1n);
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(row['m'], '__proto__')?.value).toBe(2n);
  });
});
