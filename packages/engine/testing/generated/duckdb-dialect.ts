import fc from 'fast-check';
import { DATE_TEXT, decimalText, type Kind, quotedJson, type SqlDialect, TEXT, TIMESTAMP_TEXT } from './sql-dialect.ts';

const quoted = (text: string): string =>
  text
    .split('\0')
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(' || chr(0) || ');

const number = (type: string, min: bigint, max: bigint): Kind => ({
  type,
  value: fc.bigInt({ min, max }).map((value) => ({ sql: `('${value}')::${type}`, json: String(value) })),
});

const decimal = (width: number, scale: number): Kind => {
  const type = `DECIMAL(${width},${scale})`;
  return { type, value: decimalText(width, scale).map((text) => ({ sql: `('${text}')::${type}`, json: text })) };
};

const SCALARS: readonly Kind[] = [
  number('BIGINT', -(2n ** 63n), 2n ** 63n - 1n),
  number('UHUGEINT', 0n, 2n ** 128n - 1n),
  decimal(9, 2),
  decimal(38, 18),
  decimal(20, 20),
  { type: 'BOOLEAN', value: fc.boolean().map((value) => ({ sql: String(value), json: String(value) })) },
  { type: 'VARCHAR', value: TEXT.map((value) => ({ sql: `(${quoted(value)})`, json: quotedJson(value) })) },
  { type: 'DATE', value: DATE_TEXT.map((value) => ({ sql: `DATE '${value}'`, json: `"${value}"` })) },
  { type: 'TIMESTAMP', value: TIMESTAMP_TEXT.map((value) => ({ sql: `TIMESTAMP '${value}'`, json: `"${value}000"` })) },
];

export const DUCKDB: SqlDialect = {
  scalars: SCALARS,
  list: {
    typeOf: (type) => `${type}[]`,
    valueOf: (items, type) => `[${items.join(', ')}]::${type}`,
  },
  row: {
    typeOf: (fields) => `STRUCT(${fields})`,
    valueOf: (fields, type) => `row(${fields.join(', ')})::${type}`,
  },
  map: {
    typeOf: (type) => `MAP(VARCHAR, ${type})`,
    valueOf: (entries, type) => `MAP {${entries.map(([key, value]) => `(${key}): ${value}`).join(', ')}}::${type}`,
  },
  textOf: quoted,
  cast: (sql, type) => `(${sql})::${type}`,
  select: (rows) =>
    rows.map((cells) => `SELECT ${cells.map((cell, index) => `${cell} AS c${index}`).join(', ')}`).join('\nUNION ALL '),
};
