import { describe, expect, it } from '@jest/globals';
import { encodeParameters } from './encode-parameters.ts';
import type { ParameterValue } from './query.ts';

const encoded = (value: ParameterValue) => encodeParameters({ a: value })['a'];

describe('encodeParameters', () => {
  it.each<[ParameterValue, unknown]>([
    ['x', 'x'],
    [null, null],
    [9007199254740993n, { type: 'bigint', value: '9007199254740993' }],
    [2n ** 63n, { type: 'decimal(38,0)', value: '9223372036854775808' }],
    [
      { type: 'date', value: '2026-03-29' },
      { type: 'date', value: '2026-03-29' },
    ],
    [
      ['SFO', null],
      ['SFO', null],
    ],
    [
      [1, 2.5],
      [1, 2.5],
    ],
    [
      new Date(Date.UTC(2026, 2, 29, 1, 2, 3, 45)),
      { type: 'timestamp(3) with time zone', value: '2026-03-29T01:02:03.045Z' },
    ],
    [[new Date(0), null], { type: 'array(timestamp(3) with time zone)', value: ['1970-01-01T00:00:00.000Z', null] }],
    [[1n, null, 2], { type: 'array(bigint)', value: ['1', null, '2'] }],
    [[1n, 2n ** 63n], { type: 'array(decimal(38,0))', value: ['1', '9223372036854775808'] }],
    [
      { type: 'array(date)', value: [] },
      { type: 'array(date)', value: [] },
    ],
  ])('writes %p as %p', (value, json) => expect(encoded(value)).toEqual(json));

  it.each(
    [
      [1n, 1.5],
      ['1', 1n],
      [1n, true],
      [2n, 2 ** 53],
    ].map((items) => [items]),
  )('rejects %p', (items) => {
    expect(() => encoded(items)).toThrow(/^The list a has both bigint and .*Name its type/);
  });

  it.each([[[new Date(0), 1]], [['1970-01-01', new Date(0)]]])(
    'rejects %p, which has other values than dates',
    (items) => {
      expect(() => encoded(items)).toThrow(/^The list a has both dates and .*Name its type/);
    },
  );

  it.each([new Date(Number.NaN), new Date(8e15), new Date(-1e15), [new Date(Number.NaN)]])(
    'rejects the date %p',
    (value) => {
      expect(() => encoded(value)).toThrow('The parameter a is not a date from the year 0 to 9999.');
    },
  );
});
