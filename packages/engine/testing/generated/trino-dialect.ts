import fc from 'fast-check';
import { DATE_TEXT, decimalText, type Kind, quotedJson, type SqlDialect, TEXT, TIMESTAMP_TEXT } from './sql-dialect.ts';

/** Returns a literal for Trino with every code point as `\XXXXXX`, so that no byte of the text is read as SQL. */
export const trinoLiteral = (text: string): string =>
  `U&'${[...text].map((character) => `\\+${character.codePointAt(0)?.toString(16).padStart(6, '0')}`).join('')}'`;

const cast = (sql: string, type: string): string => `CAST(${sql} AS ${type})`;

/** Values whose text in SQL is that of their JSON. */
const bare = (type: string, texts: fc.Arbitrary<string>): Kind => ({
  type,
  value: texts.map((text) => ({ sql: cast(`'${text}'`, type), json: text })),
});

/** Values whose text in SQL is that of their JSON string. */
const inQuotes = (type: string, texts: fc.Arbitrary<string>): Kind => ({
  type,
  value: texts.map((text) => ({ sql: cast(`'${text}'`, type), json: `"${text}"` })),
});

const integers = (bits: bigint): fc.Arbitrary<string> =>
  fc.bigInt({ min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n }).map(String);

/** Adds this many digits to a string with three. */
const withMoreDigits = (texts: fc.Arbitrary<string>, more: number): fc.Arbitrary<string> =>
  fc
    .tuple(texts, fc.array(fc.constantFrom(...'0123456789'), { minLength: more, maxLength: more }))
    .map(([text, digits]) => `${text}${digits.join('')}`);

const OFFSETS = fc.constantFrom(' UTC', ' +05:45', ' -02:30', ' Asia/Tokyo');

const SCALARS: readonly Kind[] = [
  bare('tinyint', integers(8n)),
  bare('bigint', integers(64n)),
  bare('decimal(9,2)', decimalText(9, 2)),
  bare('decimal(38,18)', decimalText(38, 18)),
  bare('decimal(20,20)', decimalText(20, 20)),
  bare('boolean', fc.boolean().map(String)),
  {
    type: 'varchar',
    value: TEXT.map((value) => ({ sql: cast(trinoLiteral(value), 'varchar'), json: quotedJson(value) })),
  },
  {
    type: 'varbinary',
    value: fc.uint8Array({ maxLength: 9 }).map((bytes) => ({
      sql: `X'${Buffer.from(bytes).toString('hex')}'`,
      json: `"${Buffer.from(bytes).toString('base64')}"`,
    })),
  },
  inQuotes('uuid', fc.uuid()),
  inQuotes('date', DATE_TEXT),
  inQuotes('timestamp(3)', TIMESTAMP_TEXT),
  inQuotes('timestamp(12)', withMoreDigits(TIMESTAMP_TEXT, 9)),
  inQuotes(
    'timestamp(6) with time zone',
    fc.tuple(withMoreDigits(TIMESTAMP_TEXT, 3), OFFSETS).map((parts) => parts.join('')),
  ),
  inQuotes(
    'time(9)',
    withMoreDigits(TIMESTAMP_TEXT, 6).map((text) => text.slice('9999-12-31 '.length)),
  ),
];

export const TRINO: SqlDialect = {
  scalars: SCALARS,
  list: {
    typeOf: (type) => `array(${type})`,
    valueOf: (items, type) => cast(`ARRAY[${items.join(', ')}]`, type),
  },
  row: {
    typeOf: (fields) => `row(${fields})`,
    valueOf: (fields, type) => cast(`ROW(${fields.join(', ')})`, type),
  },
  map: {
    typeOf: (type) => `map(varchar, ${type})`,
    valueOf: (entries, type) => {
      const [keys, values] = [entries.map(([key]) => key), entries.map(([, value]) => value)];
      const map = entries.length === 0 ? 'MAP()' : `MAP(ARRAY[${keys.join(', ')}], ARRAY[${values.join(', ')}])`;
      return cast(map, type);
    },
  },
  textOf: (text) => cast(trinoLiteral(text), 'varchar'),
  cast,
  // Trino has an internal error for VALUES of one column of rows of which one is NULL; numbering them avoids it, and keeps their
  // order.
  select: (rows) => {
    const names = (rows[0] ?? []).map((_, index) => `c${index}`).join(', ');
    const numbered = rows.map((cells, index) => `(${[index, ...cells].join(', ')})`);
    return `SELECT ${names} FROM (VALUES ${numbered.join(',\n')}) AS t (n, ${names}) ORDER BY n`;
  },
};
