import type { HostileType, Values } from '../hostile-type.ts';
import { bare } from './written-values.ts';

const nines = (digits: number): string => '9'.repeat(digits);

/** Shortest strings that parse to the same bits, as Java writes them. */
const floating = (type: string, texts: readonly string[]): HostileType => ({
  type,
  column: type,
  back: `CAST($1 AS ${type})`,
  values: [
    ...texts.map((text) => [`${type} '${text}'`, text] as const),
    [`${type} 'NaN'`, '"NaN"'],
    [`${type} 'Infinity'`, '"Infinity"'],
    [`${type} '-Infinity'`, '"-Infinity"'],
    [`CAST(NULL AS ${type})`, 'null'],
  ] satisfies Values,
});

export const NUMBERS: readonly HostileType[] = [
  bare('boolean', ['true', 'false']),
  bare('tinyint', ['-128', '0', '127']),
  bare('smallint', ['-32768', '0', '32767']),
  bare('integer', ['-2147483648', '0', '2147483647']),
  bare('bigint', ['-9223372036854775808', '-9007199254740993', '9007199254740993', '9223372036854775807']),
  bare('decimal(1,0)', ['-9', '0', '9']),
  bare('decimal(4,1)', ['-999.9', '-0.1', '0.0', '250.0', '999.9']),
  // The largest that Trino stores in 64 bits, and the smallest that it stores in 128.
  bare('decimal(18,0)', [`-${nines(18)}`, '9007199254740993', nines(18)]),
  bare('decimal(18,18)', [`-0.${nines(18)}`, '0.000000000000000001', '0.000000000000000000']),
  bare('decimal(19,0)', [`-${nines(19)}`, '0', nines(19)]),
  bare('decimal(38,0)', [`-${nines(38)}`, '0', nines(38)]),
  bare('decimal(38,18)', [
    `-${nines(20)}.${nines(18)}`,
    '0.000000000000000001',
    '250.000000000000000000',
    `${nines(20)}.${nines(18)}`,
  ]),
  bare('decimal(38,38)', [`0.${nines(38)}`, `-0.${'0'.repeat(37)}1`]),
  floating('double', [
    ...['0.0', '-0.0', '4.9E-324', '2.2250738585072014E-308', '1.7976931348623157E308', '-1.7976931348623157E308'],
    ...['0.1', '0.30000000000000004', '1.0E16', '1.0E-5', '9.007199254740992E15', '9.007199254740994E15', '100.0'],
  ]),
  floating('real', ['0.0', '-0.0', '1.4E-45', '3.4028235E38', '-3.4028235E38', '0.1', '1.6777216E7', '0.33333334']),
];
