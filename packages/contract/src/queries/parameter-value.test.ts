import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExactNumber } from '../fields/exact-number.ts';
import { type ParameterType, parameterTypeName, parseParameterType, type ScalarType } from './parameter-type.ts';
import { readParameterText } from './parameter-value.ts';
import { presentParameters } from './query-parameters.ts';
import { readParameter } from './read-parameter.ts';

function typeOf(name: string): ParameterType {
  const type = parseParameterType(name);
  if (type === undefined) throw new Error(`${name} is not a type`);
  return type;
}
const canonical = (type: string, text: string): string | undefined => {
  const read = readParameterText(typeOf(type) as ScalarType, text);
  return 'value' in read ? read.value : undefined;
};

describe('parseParameterType', () => {
  it.each([
    ...['boolean', 'decimal(38,10)', 'timestamp(9)', 'timestamp(6) with time zone', 'uuid'],
    ...['array(bigint)', 'array(decimal(38,10))', 'array(timestamp(6) with time zone)'],
  ])('accepts %s', (name) => {
    expect(parameterTypeName(typeOf(name))).toBe(name);
  });

  it.each([
    '',
    'decimal',
    'decimal(39,0)',
    'decimal(3,4)',
    'decimal(0,0)',
    'timestamp(10)',
    'timestamp(7) with time zone',
    'blob',
    'date ',
    'integer)',
    'array',
    'array()',
    'array(blob)',
    'array(array(bigint))',
  ])('rejects %j', (name) => expect(parseParameterType(name)).toBeUndefined());
});

describe('readParameterText', () => {
  it.each([
    ['integer', '+007', '7'],
    ['bigint', '-9223372036854775808', '-9223372036854775808'],
    ['decimal(5,2)', '-1.5', '-1.50'],
    ['decimal(5,2)', '-0', '0.00'],
    ['decimal(2,2)', '.5', '0.50'],
    ['double', '1E5', '100000'],
    ['double', '-0', '-0'],
    ['date', '2000-02-29', '2000-02-29'],
    ['date', '0001-01-01', '0001-01-01'],
    ['time', '10:00', '10:00:00'],
    ['timestamp(3)', '2010-01-31', '2010-01-31 00:00:00.000'],
    ['timestamp(0)', '2010-01-31T10:00:01', '2010-01-31 10:00:01'],
    ['timestamp(3) with time zone', '2010-01-31T10:00:00.5Z', '2010-01-31 10:00:00.500 UTC'],
    ['timestamp(0) with time zone', '2010-01-31 10:00 -05:30', '2010-01-31 10:00:00 -05:30'],
    ['uuid', '6FA459EA-EE8A-3CA4-894E-DB77E160355E', '6fa459ea-ee8a-3ca4-894e-db77e160355e'],
  ])('writes %s %s as %s', (type, given, value) => expect(canonical(type, given)).toBe(value));

  it.each([
    ['boolean', '1'],
    ['integer', '2147483648'],
    ['integer', '1.0'],
    ['bigint', '9223372036854775808'],
    ['bigint', ''],
    ['decimal(3,1)', '100'],
    ['decimal(3,1)', '1.11'],
    ['decimal(3,1)', '.'],
    ['double', '1e400'],
    ['double', '0x10'],
    ['date', '1900-02-29'],
    ['date', '0000-01-01'],
    ['date', '2010-1-1'],
    ['time', '24:00:00'],
    ['time', '10:00:00.1234567'],
    ['timestamp(3)', '2010-01-31 10:00:00.1234'],
    ['timestamp(3)', '2010-01-31 10:00:00 UTC'],
    ['timestamp(9)', '1677-12-31 00:00:00'],
    ['timestamp(3) with time zone', '2010-01-31 10:00:00 Europe/Berlin'],
    ['timestamp(3) with time zone', '2010-01-31 10:00:00 +15:00'],
    ['uuid', '6fa459ea'],
  ])('rejects %s %j', (type, given) => expect(canonical(type, given)).toBeUndefined());
});

describe('readParameter', () => {
  it.each([
    ['5', 'bigint', '5'],
    ['-9223372036854775808', 'bigint', '-9223372036854775808'],
    ['9223372036854775808', 'decimal(19,0)', '9223372036854775808'],
    ['1.10', 'decimal(3,2)', '1.10'],
    ['0.05', 'decimal(2,2)', '0.05'],
    ['-0', 'bigint', '0'],
    ['1e2', 'double', '100'],
  ])('reads the number %s as %s', (digits, type, value) => {
    const read = readParameter('a', new ExactNumber(digits));
    expect('parameter' in read && [parameterTypeName(read.parameter.type), read.parameter.value]).toEqual([
      type,
      value,
    ]);
  });

  it.each(['1'.repeat(39), `0.${'1'.repeat(39)}`, '1e999'])('rejects the number %s, which no type holds', (digits) => {
    expect(readParameter('a', new ExactNumber(digits))).toHaveProperty('problems');
  });

  it('reads back what presentParameters returns', () => {
    const given = fc.oneof(
      fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
      fc.boolean(),
      fc.constant(null),
      fc.bigInt({ min: -(10n ** 38n - 1n), max: 10n ** 38n - 1n }).map((value) => new ExactNumber(String(value))),
      fc
        .tuple(fc.integer(), fc.stringMatching(/^\d{1,9}$/))
        .map(([whole, part]) => new ExactNumber(`${whole}.${part}`)),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => ({ type: 'double', value: String(value) })),
    );
    fc.assert(
      fc.property(given, (value) => {
        const read = readParameter('a', value);
        if (!('parameter' in read)) throw new Error(read.problems[0]?.message);
        const sent = JSON.parse(JSON.stringify(presentParameters([read.parameter]))) as { a: unknown };
        expect(readParameter('a', sent.a)).toEqual(read);
      }),
    );
  });
});

describe('readParameter with a list', () => {
  const exact = (digits: string) => new ExactNumber(digits);
  const BIG = '9007199254740993';

  it.each<[unknown[], string, (string | null)[]]>([
    [['SFO', 'JFK', ''], 'array(varchar)', ['SFO', 'JFK', '']],
    [[null, 'a', null], 'array(varchar)', [null, 'a', null]],
    [[true, false], 'array(boolean)', ['true', 'false']],
    [[5, exact(BIG), exact('-0')], 'array(bigint)', ['5', BIG, '0']],
    [[0, -7, 10 ** 15], 'array(bigint)', ['0', '-7', '1000000000000000']],
    [
      [exact('-9223372036854775808'), exact('999999999999999999')],
      'array(bigint)',
      ['-9223372036854775808', '999999999999999999'],
    ],
    [[5, exact('1.10')], 'array(decimal(3,2))', ['5.00', '1.10']],
    [[exact('0.05'), 100], 'array(decimal(5,2))', ['0.05', '100.00']],
    [[1, exact('9223372036854775808')], 'array(decimal(19,0))', ['1', '9223372036854775808']],
    [[exact('1e2'), exact('-0.0e0')], 'array(double)', ['100', '-0']],
  ])('reads %j as %s', (given, type, value) => {
    expect(readParameter('a', given)).toEqual({ parameter: { name: 'a', type: typeOf(type), value } });
  });

  it.each<[unknown, (string | null)[]]>([
    [{ type: 'array(date)', value: ['2010-01-31', null] }, ['2010-01-31', null]],
    [{ type: 'array(decimal(5,2))', value: [exact('1.1'), '2', 3] }, ['1.10', '2.00', '3.00']],
    [{ type: 'array(bigint)', value: [] }, []],
    [{ type: 'array(double)', value: [1, 'NaN'] }, ['1', 'NaN']],
  ])('reads %j as the type that it names', (given, value) => {
    const { type } = given as { type: string };
    expect(readParameter('a', given)).toEqual({ parameter: { name: 'a', type: typeOf(type), value } });
  });

  it('reads NULL of a type of lists, and a list without values as one of unknown type', () => {
    const bigints = typeOf('array(bigint)');
    const untyped = { name: 'array', item: { name: 'unknown' } };
    const read = (given: unknown) => readParameter('a', given);
    expect(read({ type: 'array(bigint)', value: null })).toEqual({
      parameter: { name: 'a', type: bigints, value: null },
    });
    expect(read([])).toEqual({ parameter: { name: 'a', type: untyped, value: [] } });
    expect(read([null])).toEqual({ parameter: { name: 'a', type: untyped, value: [null] } });
  });

  it('reports each item that is not valid', () => {
    const problemsOf = (given: unknown): unknown[] => {
      const read = readParameter('a', given);
      return 'problems' in read ? read.problems.map(({ item, message }) => [item, message]) : [];
    };
    const kinds = expect.stringMatching(/^is a number, but the first item is a varchar: .*array\(\.\.\.\)/);
    expect(problemsOf(['x', 1, null, 'y', exact('1.10')])).toEqual([
      [1, kinds],
      [4, kinds],
    ]);
    expect(problemsOf([1, exact('1e2')])).toEqual([[1, expect.stringMatching(/^is a double, but the first item/)]]);
    expect(problemsOf([[1], {}, '1'])).toEqual([
      [0, 'must be a string, number, boolean or null'],
      [1, 'must be a string, number, boolean or null'],
    ]);
    expect(problemsOf([exact('1'.repeat(39))])).toEqual([[0, expect.stringContaining('can hold exactly')]]);
    expect(problemsOf([exact('1'.repeat(38)), exact('0.1')])).toEqual([
      [undefined, expect.stringContaining('no decimal holds together exactly')],
    ]);
    expect(problemsOf({ type: 'array(date)', value: ['2010-02-30', '2010-01-01', 5] })).toEqual([
      [0, expect.stringMatching(/^must be a date .* \(date\)$/)],
      [2, expect.stringMatching(/^must be a date/)],
    ]);
    expect(problemsOf({ type: 'array(varchar)', value: [5, 'a\0', '\ud800'] })).toEqual([
      [0, 'must be a string (varchar)'],
      [1, expect.stringContaining('NUL')],
      [2, expect.stringContaining('surrogate')],
    ]);
    expect(problemsOf({ type: 'array(bigint)', value: '1' })).toEqual([
      [undefined, 'must be an array of items (array(bigint))'],
    ]);
    expect(problemsOf({ type: 'bigint', value: [1] })).toEqual([[undefined, expect.stringContaining('must have a')]]);
  });

  it('reports at most 1,000 items', () => {
    const items = Array.from({ length: 2_000 }, () => 'x');
    for (const given of [{ type: 'array(date)', value: items }, [1, ...items]]) {
      const read = readParameter('a', given);
      expect('problems' in read && read.problems.length).toBe(1_000);
    }
  });

  it('holds at most 10,000 items', () => {
    const items = (count: number) => Array.from({ length: count }, () => 'x');
    expect(readParameter('a', items(10_000))).toHaveProperty('parameter');
    const problems = [{ message: 'must hold at most 10000 items' }];
    expect(readParameter('a', items(10_001))).toEqual({ problems });
    expect(readParameter('a', { type: 'array(varchar)', value: items(10_001) })).toEqual({ problems });
  });

  it('reads back what presentParameters returns', () => {
    const numbers = fc
      .tuple(fc.integer(), fc.stringMatching(/^(\.\d{1,9})?$/))
      .map(([whole, part]) => new ExactNumber(`${whole}${part}`));
    const bigInts = fc
      .bigInt({ min: -(10n ** 28n), max: 10n ** 28n - 1n })
      .map((value) => new ExactNumber(String(value)));
    const given = fc.oneof(
      ...[
        fc.string().map((text) => text.replaceAll('\0', '')),
        fc.boolean(),
        fc.integer(),
        numbers,
        fc.oneof(numbers, fc.integer(), bigInts),
      ].map((item: fc.Arbitrary<unknown>) =>
        fc.array(fc.option(item), { minLength: 1 }).filter((items) => items.some((each) => each !== null)),
      ),
      fc.array(fc.option(fc.double().map(String))).map((value) => ({ type: 'array(double)', value })),
      fc.array(fc.option(fc.integer())).map((value) => ({ type: 'array(decimal(12,2))', value })),
    );
    fc.assert(
      fc.property(given, (value) => {
        const read = readParameter('a', value);
        if (!('parameter' in read)) throw new Error(read.problems[0]?.message);
        const sent = JSON.parse(JSON.stringify(presentParameters([read.parameter]))) as { a: unknown };
        expect(readParameter('a', sent.a)).toEqual(read);
      }),
    );
  });

  it('is presented as a plain array where that is read as the same type', () => {
    const presented = (given: unknown) => {
      const read = readParameter('a', given);
      return 'parameter' in read ? presentParameters([read.parameter])['a'] : read;
    };
    expect(presented(['a', null])).toEqual(['a', null]);
    expect(presented([1, 2])).toEqual([1, 2]);
    expect(presented([1, exact(BIG)])).toEqual({ type: 'array(bigint)', value: ['1', BIG] });
    expect(presented([exact('1.10')])).toEqual({ type: 'array(decimal(3,2))', value: ['1.10'] });
    expect(presented({ type: 'array(varchar)', value: [null] })).toEqual({ type: 'array(varchar)', value: [null] });
  });
});
