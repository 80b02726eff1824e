import type { QueryParameter } from '@sluice/contract';
import fc from 'fast-check';

type ScalarType = Exclude<QueryParameter['type'], { readonly name: 'array' }>;

/** A type with random canonical values, as the contract's `readParameterText` writes them. */
export interface RandomType {
  readonly type: ScalarType;
  readonly values: fc.Arbitrary<string>;
}

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

const bigInts = (bits: bigint): fc.Arbitrary<string> =>
  fc.bigInt({ min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n }).map(String);

const dates = (from: string, to: string): fc.Arbitrary<string> =>
  fc
    .date({ min: new Date(`${from}T00:00:00Z`), max: new Date(`${to}T00:00:00Z`), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));

const clocks = (digits: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.nat(10 ** digits - 1))
    .map(
      ([h, m, s, f]) =>
        `${[h, m, s].map((part) => padded(part, 2)).join(':')}${digits === 0 ? '' : `.${padded(f, digits)}`}`,
    );

const timestamps = (digits: number): fc.Arbitrary<string> => {
  const days = digits > 6 ? dates('1678-01-01', '2261-12-31') : dates('0001-01-01', '9999-12-31');
  return fc.tuple(days, clocks(digits)).map((parts) => parts.join(' '));
};

const zones = fc.oneof(
  fc.constant('UTC'),
  fc
    .tuple(fc.constantFrom('+', '-'), fc.nat(13), fc.nat(59))
    .map(([sign, h, m]) => `${sign}${padded(h, 2)}:${padded(m, 2)}`),
);

const decimals = (precision: number, scale: number): fc.Arbitrary<string> =>
  fc.bigInt({ min: -(10n ** BigInt(precision) - 1n), max: 10n ** BigInt(precision) - 1n }).map((unscaled) => {
    const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
    const point = digits.length - scale;
    return `${unscaled < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`;
  });

/** Strings that try to leave a literal or a statement, among random ones. PostgreSQL's audit log cannot hold NUL. */
export const HOSTILE_STRINGS = [
  "'",
  "''",
  "' OR 1=1 --",
  "'; DROP TABLE t; --",
  "\\'",
  '\\',
  '"',
  '$$',
  '$a',
  '?',
  '/*',
  '*/',
  '--',
  "' USING 'x",
  "U&'\\0027'",
  '\r\n',
  "\u2028'",
  '\u02bc',
  '\uff07',
  "x'\n) UNION SELECT current_user --",
  '{"type":"date"}',
  '',
] as const;

const strings = fc.oneof(
  fc.constantFrom(...HOSTILE_STRINGS),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\0', '')),
  fc.array(fc.constantFrom(...HOSTILE_STRINGS), { maxLength: 6 }).map((parts) => parts.join('')),
);

const doubles = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 5e-324, 1.7976931348623157e308, 0.1),
);

/** Every type that a parameter, or an item of a list, can have. */
export const RANDOM_TYPES: readonly RandomType[] = [
  { type: { name: 'boolean' }, values: fc.boolean().map(String) },
  { type: { name: 'integer' }, values: bigInts(32n) },
  { type: { name: 'bigint' }, values: bigInts(64n) },
  { type: { name: 'double' }, values: doubles.map((value) => (Object.is(value, -0) ? '-0' : String(value))) },
  { type: { name: 'decimal', precision: 38, scale: 10 }, values: decimals(38, 10) },
  { type: { name: 'decimal', precision: 5, scale: 5 }, values: decimals(5, 5) },
  { type: { name: 'decimal', precision: 18, scale: 0 }, values: decimals(18, 0) },
  { type: { name: 'varchar' }, values: strings },
  { type: { name: 'date' }, values: dates('0001-01-01', '9999-12-31') },
  { type: { name: 'time' }, values: clocks(6) },
  ...[0, 3, 6, 9].map(
    (precision): RandomType => ({ type: { name: 'timestamp', precision }, values: timestamps(precision) }),
  ),
  ...[0, 3, 6].map(
    (precision): RandomType => ({
      type: { name: 'timestamp with time zone', precision },
      values: fc.tuple(timestamps(precision), zones).map((parts) => parts.join(' ')),
    }),
  ),
  { type: { name: 'uuid' }, values: fc.uuid() },
];
