import { describe, expect, it } from '@jest/globals';
import { parseParameters } from './parse-parameters.ts';

describe('parseParameters', () => {
  it.each([
    ['a=SFO', 'SFO'],
    ['a=', ''],
    ['a=x=y', 'x=y'],
    ['a=500', 500n],
    ['a=-9223372036854775808', -9223372036854775808n],
    ['a=007', '007'],
    ['a=1.10', { type: 'decimal(3,2)', value: '1.10' }],
    ['a=-0.05', { type: 'decimal(2,2)', value: '-0.05' }],
    ['a=1e3', { type: 'double', value: '1e3' }],
    ['a=true', true],
    ['a=null', null],
    ['a="500"', '500'],
    ['a="a\\n"', 'a\n'],
    ['a="', '"'],
    ['a=2010-01-31', '2010-01-31'],
    ['a:date=2010-01-31', { type: 'date', value: '2010-01-31' }],
    ['a:varchar=500', { type: 'varchar', value: '500' }],
    [
      'a:timestamp(3) with time zone=2010-01-31 00:00:00 UTC',
      { type: 'timestamp(3) with time zone', value: '2010-01-31 00:00:00 UTC' },
    ],
    ['a=x\ny', 'x\ny'],
  ])('reads %j', (text, value) => {
    expect(parseParameters([text])).toEqual({ a: value });
  });

  it.each([['a'], ['=1'], ['A=1'], ['a b=1'], ['a:=1']])('rejects %j', (text) => {
    expect(() => parseParameters([text])).toThrow('is not NAME=VALUE');
  });

  it('rejects a name that is given twice', () => {
    expect(() => parseParameters(['a=1', 'a=2'])).toThrow('--param a is given twice.');
  });
});
