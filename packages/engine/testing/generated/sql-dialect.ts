import fc from 'fast-check';

export interface GeneratedValue {
  readonly sql: string;
  /** The exact JSON text. */
  readonly json: string;
}

/** A type, and values of it. */
export interface Kind {
  readonly type: string;
  readonly value: fc.Arbitrary<GeneratedValue>;
}

/** Functions that write a nested type, and a value of it, in the SQL of an engine. */
interface Nesting<Types, Values> {
  typeOf(types: Types): string;
  valueOf(values: Values, type: string): string;
}

/** Properties of an engine's SQL that generated tables need. */
export interface SqlDialect {
  readonly scalars: readonly Kind[];
  readonly list: Nesting<string, readonly string[]>;
  readonly row: Nesting<string, readonly string[]>;
  readonly map: Nesting<string, readonly (readonly [key: string, value: string])[]>;
  textOf(text: string): string;
  cast(sql: string, type: string): string;
  /** Rows of cells, whose columns are named `c0`, `c1`, ..., in this order. */
  select(rows: readonly (readonly string[])[]): string;
}

/** Characters that some step could handle wrongly. */
const HOSTILE = [
  ...['"', "'", '\\', ',', '\n', '\r', '\t', '\0', '\u0001', '\u2028', '\u0085'],
  ...['😀', 'é', '{', '}', '=', ' ', 'data:', 'NULL', 'a'],
];
export const TEXT = fc.array(fc.constantFrom(...HOSTILE), { maxLength: 8 }).map((parts) => parts.join(''));

/** Returns a string as engines write it in JSON: required escapes in capital hex, and no others. */
export const quotedJson = (value: string): string =>
  JSON.stringify(value).replace(/\\u00([0-9a-f]{2})/g, (_, hex: string) => `\\u00${hex.toUpperCase()}`);

/** Text of decimals with this many digits after the point, as many as the type has. */
export const decimalText = (width: number, scale: number): fc.Arbitrary<string> => {
  const limit = 10n ** BigInt(width) - 1n;
  return fc.bigInt({ min: -limit, max: limit }).map((unscaled) => {
    const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
    const point = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    return `${unscaled < 0n ? '-' : ''}${point}`;
  });
};

const DATES = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
export const DATE_TEXT = DATES.map((date) => date.toISOString().slice(0, 10));
/** Timestamps with three digits of a second. */
export const TIMESTAMP_TEXT = DATES.map((date) => date.toISOString().replace('T', ' ').replace('Z', ''));
