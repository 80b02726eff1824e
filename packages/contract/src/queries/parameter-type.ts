/** Type of one value. The names are Trino's. Plain data, because it is sent to query workers. */
export type ScalarType =
  | { readonly name: 'unknown' | 'boolean' | 'integer' | 'bigint' | 'double' | 'varchar' | 'date' | 'time' | 'uuid' }
  | { readonly name: 'decimal'; readonly precision: number; readonly scale: number }
  /** `precision`: digits of the fraction of a second. */
  | { readonly name: 'timestamp' | 'timestamp with time zone'; readonly precision: number };

/** Type of a list, whose items have one type. */
export interface ListType {
  readonly name: 'array';
  readonly item: ScalarType;
}

/** Type of a parameter. */
export type ParameterType = ScalarType | ListType;

const PLAIN_TYPES = ['boolean', 'integer', 'bigint', 'double', 'varchar', 'date', 'time', 'uuid'] as const;
const DECIMAL_DIGITS_MAX = 38;
/** DuckDB stores nanoseconds without a time zone, and microseconds with one. Both engines accept the same types. */
const FRACTION_DIGITS_MAX = { timestamp: 9, 'timestamp with time zone': 6 } as const;
const FRACTION_DIGITS_DEFAULT = 6;

const DECIMAL = /^decimal\((\d{1,2}),(\d{1,2})\)$/;
const TIMESTAMP = /^timestamp(?:\((\d)\))?( with time zone)?$/;
const ARRAY = /^array\((.*)\)$/;

export const PARAMETER_TYPES_TEXT =
  'boolean, integer, bigint, double, decimal(p,s), varchar, date, time, timestamp(p), timestamp(p) with time zone, uuid, or array(...) of one of these';

const SCALAR_PATTERN =
  'boolean|integer|bigint|double|varchar|date|time|uuid|decimal\\(\\d{1,2}, ?\\d{1,2}\\)|timestamp(\\(\\d\\))?( with time zone)?';

/** JSON Schema pattern of the names that `parseParameterType` accepts, apart from the limits of the digits. */
export const PARAMETER_TYPE_PATTERN = `^(${SCALAR_PATTERN}|array\\((${SCALAR_PATTERN})\\))$`;

/** Returns the type of a name such as `decimal(10,2)` or `array(bigint)`, or undefined if no parameter can have it. */
export function parseParameterType(text: string): ParameterType | undefined {
  const name = text.toLowerCase().replaceAll(', ', ',');
  const itemName = ARRAY.exec(name)?.[1];
  if (itemName === undefined) return parseScalarType(name);
  const item = parseScalarType(itemName);
  return item === undefined ? undefined : { name: 'array', item };
}

function parseScalarType(name: string): ScalarType | undefined {
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
    case 'array':
      return `array(${parameterTypeName(type.item)})`;
    default:
      return type.name;
  }
}

/** Returns the type of a number in JSON or SQL by its digits: bigint, decimal, or double if it has an exponent. Undefined: no type holds it exactly. */
export function numberType(digits: string): ScalarType | undefined {
  if (isDouble(digits)) return Number.isFinite(Number(digits)) ? { name: 'double' } : undefined;
  return exactType([digits]);
}

const isDouble = (digits: string): boolean => /e/i.test(digits);

/**
 * Returns the type that holds numbers without exponents exactly: bigint, or else the decimal with the most digits that one has before the
 * point and after it. Undefined: there is none.
 */
export function exactType(numbers: readonly string[]): ScalarType | undefined {
  let [whole, scale] = [0, 0];
  for (const digits of numbers) {
    const start = digits.startsWith('-') ? 1 : 0;
    const point = digits.indexOf('.');
    const end = point === -1 ? digits.length : point;
    whole = Math.max(whole, digits[start] === '0' ? digits.slice(start, end).replace(/^0+/, '').length : end - start);
    scale = Math.max(scale, point === -1 ? 0 : digits.length - point - 1);
  }
  const precision = Math.max(whole + scale, 1);
  // Before the conversion to a BigInt, which takes 10 ms for 64 KiB of digits.
  if (precision > DECIMAL_DIGITS_MAX) return undefined;
  if (scale === 0 && numbers.every((digits) => isWithinBits(digits, 64))) return { name: 'bigint' };
  return { name: 'decimal', precision, scale };
}

/** Integers of this many digits, or fewer, fit 64 bits. A list may have 10,000, and a BigInt of each takes 5 ms. */
const DIGITS_OF_64_BITS = 18;

/** Whether an integer fits a signed integer with this many bits. */
export function isWithinBits(digits: string, bits: 32 | 64): boolean {
  if (bits === 64 && digits.length <= DIGITS_OF_64_BITS) return true;
  return BigInt.asIntN(bits, BigInt(digits)) === BigInt(digits);
}
