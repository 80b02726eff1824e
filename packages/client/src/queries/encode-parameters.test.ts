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
});
