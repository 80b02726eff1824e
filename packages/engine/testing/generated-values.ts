import fc from 'fast-check';

/** A type, and how a value of it looks in SQL and in JSON, written here without any of the code under test. */
export interface GeneratedColumn {
  readonly type: string;
  /** One a row. */
  readonly values: readonly GeneratedValue[];
}

export interface GeneratedValue {
  readonly sql: string;
  /** The exact JSON text. */
  readonly json: string;
}

interface Kind {
  readonly type: string;
  readonly value: fc.Arbitrary<GeneratedValue>;
}

const NULL: GeneratedValue = { sql: 'NULL', json: 'null' };
const orNull = (value: fc.Arbitrary<GeneratedValue>): fc.Arbitrary<GeneratedValue> =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(NULL) }, { weight: 6, arbitrary: value });

const quoted = (text: string): string =>
  text
    .split('\0')
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(' || chr(0) || ');

/** Characters that something on the way could trip over. */
const HOSTILE = [
  '"',
  "'",
  '\\',
  ',',
  '\n',
  '\r',
  '\t',
  '\0',
  '\u0001',
  '\u2028',
  '\u0085',
  '😀',
  'é',
  '{',
  '}',
  '=',
  ' ',
  'data:',
  'NULL',
  'a',
];
const text = fc.array(fc.constantFrom(...HOSTILE), { maxLength: 8 }).map((parts) => parts.join(''));

/** JSON of a string as engines write it: what must be escaped is, in capital hex; nothing else is. */
const jsonString = (value: string): string =>
  JSON.stringify(value).replace(/\\u00([0-9a-f]{2})/g, (_, hex: string) => `\\u00${hex.toUpperCase()}`);

const number = (type: string, min: bigint, max: bigint): Kind => ({
  type,
  value: fc.bigInt({ min, max }).map((value) => ({ sql: `('${value}')::${type}`, json: String(value) })),
});

const decimal = (width: number, scale: number): Kind => {
  const limit = 10n ** BigInt(width) - 1n;
  const type = `DECIMAL(${width},${scale})`;
  const value = fc.bigInt({ min: -limit, max: limit }).map((unscaled) => {
    const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
    const point = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    const written = `${unscaled < 0n ? '-' : ''}${point}`;
    return { sql: `('${written}')::${type}`, json: written };
  });
  return { type, value };
};

const SCALARS: readonly Kind[] = [
  number('BIGINT', -(2n ** 63n), 2n ** 63n - 1n),
  number('UHUGEINT', 0n, 2n ** 128n - 1n),
  decimal(9, 2),
  decimal(38, 18),
  decimal(20, 20),
  { type: 'BOOLEAN', value: fc.boolean().map((value) => ({ sql: String(value), json: String(value) })) },
  { type: 'VARCHAR', value: text.map((value) => ({ sql: `(${quoted(value)})`, json: jsonString(value) })) },
  {
    type: 'DATE',
    value: fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
      .map((value) => ({ sql: `DATE '${value}'`, json: `"${value}"` })),
  },
  {
    type: 'TIMESTAMP',
    value: fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().replace('T', ' ').replace('Z', ''))
      .map((value) => ({ sql: `TIMESTAMP '${value}'`, json: `"${value}000"` })),
  },
];

const listOf = (kind: Kind): Kind => ({
  type: `${kind.type}[]`,
  value: fc.array(orNull(kind.value), { maxLength: 3 }).map((items) => ({
    sql: `[${items.map((item) => item.sql).join(', ')}]::${kind.type}[]`,
    json: `[${items.map((item) => item.json).join(',')}]`,
  })),
});

const structOf = (kinds: readonly Kind[]): Kind => {
  const names = ['a', '__proto__', 'x y', 'q"', '10', 'toJSON'];
  const type = `STRUCT(${kinds.map((kind, index) => `"${(names[index] ?? '').replaceAll('"', '""')}" ${kind.type}`).join(', ')})`;
  return {
    type,
    value: fc.tuple(...kinds.map((kind) => orNull(kind.value))).map((fields) => ({
      sql: `row(${fields.map((field) => field.sql).join(', ')})::${type}`,
      json: `{${fields.map((field, index) => `${JSON.stringify(names[index])}:${field.json}`).join(',')}}`,
    })),
  };
};

/** Keys are texts or dates, which are JSON strings already; every other key is tested by example. */
const mapOf = (kind: Kind): Kind => ({
  type: `MAP(VARCHAR, ${kind.type})`,
  value: fc
    .uniqueArray(fc.tuple(text, orNull(kind.value)), { maxLength: 3, selector: ([key]) => key })
    .map((entries) => ({
      sql: `map_from_entries([${entries.map(([key, value]) => `row(${quoted(key)}, ${value.sql})`).join(', ')}]::STRUCT(k VARCHAR, v ${kind.type})[])`,
      json: `{${entries.map(([key, value]) => `${jsonString(key)}:${value.json}`).join(',')}}`,
    })),
});

const kindOf = (depth: number): fc.Arbitrary<Kind> => {
  const scalar = fc.constantFrom(...SCALARS);
  if (depth === 0) return scalar;
  const inner = kindOf(depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: inner.map(listOf) },
    { weight: 1, arbitrary: fc.array(inner, { minLength: 1, maxLength: 4 }).map(structOf) },
    { weight: 1, arbitrary: inner.map(mapOf) },
  );
};

/** A table of up to 5 columns of any nesting up to three levels, and as many rows as asked for. */
export const generatedColumns = (rows: number): fc.Arbitrary<readonly GeneratedColumn[]> =>
  fc.array(
    kindOf(3).chain((kind) =>
      fc
        .array(orNull(kind.value), { minLength: rows, maxLength: rows })
        .map((values): GeneratedColumn => ({ type: kind.type, values })),
    ),
    { minLength: 1, maxLength: 5 },
  );

/** SQL that selects generated columns, named `c0`, `c1`, ... */
export const selectGenerated = (columns: readonly GeneratedColumn[], rows: number): string =>
  Array.from({ length: rows }, (_, row) => {
    const cells = columns.map((column, index) => `(${column.values[row]?.sql})::${column.type} AS c${index}`);
    return `SELECT ${cells.join(', ')}`;
  }).join('\nUNION ALL ');
