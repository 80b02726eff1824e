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
    ['a=["SFO", "J,F]K", "\\"", null]', ['SFO', 'J,F]K', '"', null]],
    ['a=[1, 9007199254740993, null]', [1n, 9007199254740993n, null]],
    ['a= [true,false] ', [true, false]],
    ['a=[5, 1.10, -0.125, null]', { type: 'array(decimal(4,3))', value: ['5', '1.10', '-0.125', null] }],
    ['a=[1e3, 2E-1]', { type: 'array(double)', value: ['1e3', '2E-1'] }],
    ['a=[[1]]', '[[1]]'],
    ['a=[x]', '[x]'],
    ['a=["x"', '["x"'],
    ['a:array(date)=["2010-01-31", null]', { type: 'array(date)', value: ['2010-01-31', null] }],
    ['a:array(decimal(5,2))=[1.10, 2]', { type: 'array(decimal(5,2))', value: ['1.10', '2'] }],
    ['a:array(bigint)=[]', { type: 'array(bigint)', value: [] }],
    ['a:array(varchar)=SFO', { type: 'array(varchar)', value: ['SFO'] }],
    ['a:varchar=["x"]', { type: 'varchar', value: '["x"]' }],
  ])('reads %j', (text, value) => {
    expect(parseParameters([text])).toEqual({ a: value });
  });

  it.each([['a'], ['=1'], ['A=1'], ['a b=1'], ['a:=1']])('rejects %j', (text) => {
    expect(() => parseParameters([text])).toThrow('is not NAME=VALUE');
  });

  it('rejects a name that is given twice', () => {
    expect(() => parseParameters(['a=1', 'a=2'])).toThrow('--param a is given twice.');
  });

  it('reads each item of a list of a named type', () => {
    const items = ['a:array(varchar)=SFO', 'b=1', 'a:array(varchar)=JFK', 'a:array(varchar)='];
    expect(parseParameters(items)).toEqual({ a: { type: 'array(varchar)', value: ['SFO', 'JFK', ''] }, b: 1n });
    for (const other of ['a=LAX', 'a:array(date)=LAX', 'a:array(varchar)=["LAX"]'])
      expect(() => parseParameters([...items, other])).toThrow('--param a is given twice.');
    expect(() => parseParameters(['a=["SFO"]', 'a=["JFK"]'])).toThrow('--param a is given twice.');
  });

  it.each([
    ['a=[]', 'shows no type'],
    ['a=[null]', 'shows no type'],
    ['a=[1, "x"]', 'mixes numbers and strings'],
    ['a=[1e3, 1]', 'mixes doubles and numbers'],
  ])('asks for the type of the list %s', (text, message) => {
    expect(() => parseParameters([text])).toThrow(`The list of --param a ${message}`);
  });
});
