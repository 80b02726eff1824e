import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExactNumber } from '../fields/exact-number.ts';
import { type ParameterType, parameterTypeName, parseParameterType } from './parameter-type.ts';
import { readParameterText } from './parameter-value.ts';
import { presentParameters, readParameter } from './query-parameters.ts';

function typeOf(name: string): ParameterType {
  const type = parseParameterType(name);
  if (type === undefined) throw new Error(`${name} is not a type`);
  return type;
}
const canonical = (type: string, text: string): string | undefined => {
  const read = readParameterText(typeOf(type), text);
  return 'value' in read ? read.value : undefined;
};

describe('parseParameterType', () => {
  it.each(['boolean', 'decimal(38,10)', 'timestamp(9)', 'timestamp(6) with time zone', 'uuid'])(
    'accepts %s',
    (name) => {
      expect(parameterTypeName(typeOf(name))).toBe(name);
    },
  );

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
    expect(readParameter('a', new ExactNumber(digits))).toHaveProperty('message');
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
        if (!('parameter' in read)) throw new Error(read.message);
        const sent = JSON.parse(JSON.stringify(presentParameters([read.parameter]))) as { a: unknown };
        expect(readParameter('a', sent.a)).toEqual(read);
      }),
    );
  });
});
