import type { HostileType, Values } from '../hostile-type.ts';
import { own } from './written-values.ts';

export const NUMBERS: readonly HostileType[] = [
  own('BOOLEAN', 'boolean', ['true', 'false']),
  own('TINYINT', 'tinyint', ['-128', '0', '127']),
  own('SMALLINT', 'smallint', ['-32768', '32767']),
  own('INTEGER', 'integer', ['-2147483648', '2147483647']),
  own('BIGINT', 'bigint', ['-9223372036854775808', '9007199254740993', '9223372036854775807']),
  own('HUGEINT', 'number', [
    '-170141183460469231731687303715884105728',
    '0',
    '170141183460469231731687303715884105727',
  ]),
  own('UTINYINT', 'smallint', ['0', '255']),
  own('USMALLINT', 'integer', ['0', '65535']),
  own('UINTEGER', 'bigint', ['0', '4294967295']),
  own('UBIGINT', 'decimal(20,0)', ['0', '18446744073709551615']),
  own('UHUGEINT', 'number', ['0', '340282366920938463463374607431768211455']),
  own('BIGNUM', 'number', ['0', `-${'9'.repeat(300)}`, `1${'0'.repeat(400)}`]),
  own('DECIMAL(4,1)', 'decimal(4,1)', ['-999.9', '0.0', '999.9']),
  own('DECIMAL(9,4)', 'decimal(9,4)', ['-99999.9999', '0.0001']),
  own('DECIMAL(18,0)', 'decimal(18,0)', ['-999999999999999999', '999999999999999999']),
  own('DECIMAL(38,18)', 'decimal(38,18)', [
    '-99999999999999999999.999999999999999999',
    '0.000000000000000001',
    '250.000000000000000000',
    '99999999999999999999.999999999999999999',
  ]),
  own('DECIMAL(38,0)', 'decimal(38,0)', ['99999999999999999999999999999999999999']),
  {
    type: 'DECIMAL(38,38)',
    column: 'decimal(38,38)',
    back: '$1::DECIMAL(38,38)',
    values: [
      [`'.99999999999999999999999999999999999999'::DECIMAL(38,38)`, '0.99999999999999999999999999999999999999'],
      [`'-.00000000000000000000000000000000000001'::DECIMAL(38,38)`, '-0.00000000000000000000000000000000000001'],
    ],
  },
  own('DOUBLE', 'double', [
    ...['0.0', '-0.0', '5e-324', '2.2250738585072014e-308', '1.7976931348623157e+308', '-1.7976931348623157e+308'],
    ...['0.1', '0.30000000000000004', '1e+16', '1e-05', '9007199254740992.0'],
  ]),
  {
    type: 'DOUBLE',
    column: 'double',
    back: '$1::DOUBLE',
    values: [
      ['pow(2, 81)', '2.4178516392292583e+24'], // DuckDB's text of these three is wrong
      ['-pow(2, 91)', '-2.4758800785707605e+27'],
      ['pow(2, 807)', '8.535058474086213e+242'],
    ],
  },
  own('FLOAT', 'real', ['0.0', '-0.0', '1e-45', '3.4028235e+38', '0.1', '16777216.0']),
  ...(['DOUBLE', 'FLOAT'] as const).map((type) => ({
    type,
    column: type === 'DOUBLE' ? 'double' : 'real',
    back: `$1::${type}`,
    values: [
      [`'nan'::${type}`, '"NaN"'],
      [`'inf'::${type}`, '"Infinity"'],
      [`'-inf'::${type}`, '"-Infinity"'],
    ] as Values,
  })),
];
