/** Type of a parameter. The names are Trino's. Plain data, because it is sent to query workers. */
export type ParameterType =
  | { readonly name: 'unknown' | 'boolean' | 'integer' | 'bigint' | 'double' | 'varchar' | 'date' | 'time' | 'uuid' }
  | { readonly name: 'decimal'; readonly precision: number; readonly scale: number }
  /** `precision`: digits of the fraction of a second. */
  | { readonly name: 'timestamp' | 'timestamp with time zone'; readonly precision: number };

const PLAIN_TYPES = ['boolean', 'integer', 'bigint', 'double', 'varchar', 'date', 'time', 'uuid'] as const;
const DECIMAL_DIGITS_MAX = 38;
/** DuckDB stores nanoseconds without a time zone, and microseconds with one. Both engines accept the same types. */
const FRACTION_DIGITS_MAX = { timestamp: 9, 'timestamp with time zone': 6 } as const;
const FRACTION_DIGITS_DEFAULT = 6;

const DECIMAL = /^decimal\((\d{1,2}),(\d{1,2})\)$/;
const TIMESTAMP = /^timestamp(?:\((\d)\))?( with time zone)?$/;

export const PARAMETER_TYPES_TEXT =
  'boolean, integer, bigint, double, decimal(p,s), varchar, date, time, timestamp(p), timestamp(p) with time zone or uuid';

/** JSON Schema pattern of the names that `parseParameterType` accepts, apart from the limits of the digits. */
export const PARAMETER_TYPE_PATTERN =
  '^(boolean|integer|bigint|double|varchar|date|time|uuid|decimal\\(\\d{1,2}, ?\\d{1,2}\\)|timestamp(\\(\\d\\))?( with time zone)?)$';

/** Returns the type of a name such as `decimal(10,2)` or `timestamp(3)`, or undefined if no parameter can have it. */
export function parseParameterType(text: string): ParameterType | undefined {
  const name = text.toLowerCase().replaceAll(', ', ',');
  const plain = PLAIN_TYPES.find((each) => each === name);
  if (plain !== undefined) return { name: plain };
  const decimal = DECIMAL.exec(name);
  if (decimal !== null) {
    const [precision, scale] = [Number(decimal[1]), Number(decimal[2])];
    const fits = precision >= 1 && precision <= DECIMAL_DIGITS_MAX && scale <= precision;
    return fits ? { name: 'decimal', precision, scale } : undefined;
  }
  const timestamp = TIMESTAMP.exec(name);
  if (timestamp === null) return undefined;
  const kind = timestamp[2] === undefined ? 'timestamp' : 'timestamp with time zone';
  const precision = Number(timestamp[1] ?? FRACTION_DIGITS_DEFAULT);
  return precision <= FRACTION_DIGITS_MAX[kind] ? { name: kind, precision } : undefined;
}

/** Returns the name of a type: the inverse of `parseParameterType`. */
export function parameterTypeName(type: ParameterType): string {
  switch (type.name) {
    case 'decimal':
      return `decimal(${type.precision},${type.scale})`;
    case 'timestamp':
      return `timestamp(${type.precision})`;
    case 'timestamp with time zone':
      return `timestamp(${type.precision}) with time zone`;
    default:
      return type.name;
  }
}

/** Returns the type of a number in JSON or SQL by its digits: bigint, decimal, or double if it has an exponent. Undefined: no type holds it exactly. */
export function numberType(digits: string): ParameterType | undefined {
  if (/e/i.test(digits)) return Number.isFinite(Number(digits)) ? { name: 'double' } : undefined;
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const precision = Math.max(whole.replace(/^0+/, '').length + fraction.length, 1);
  // Before the conversion to a BigInt, which takes 10 ms for 64 KiB of digits.
  if (precision > DECIMAL_DIGITS_MAX) return undefined;
  if (fraction === '' && isWithinBits(digits, 64)) return { name: 'bigint' };
  return { name: 'decimal', precision, scale: fraction.length };
}

/** Whether an integer fits a signed integer with this many bits. */
export function isWithinBits(digits: string, bits: number): boolean {
  return BigInt.asIntN(bits, BigInt(digits)) === BigInt(digits);
}
