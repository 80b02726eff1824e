import fc from 'fast-check';
import { DUCKDB } from './duckdb-dialect.ts';
import { type GeneratedValue, type Kind, quotedJson, type SqlDialect, TEXT } from './sql-dialect.ts';

/** A type, and its values in SQL and in JSON, written without any of the code under test. */
export interface GeneratedColumn {
  readonly type: string;
  /** One per row. */
  readonly values: readonly GeneratedValue[];
}

const orNull = (value: fc.Arbitrary<GeneratedValue>): fc.Arbitrary<GeneratedValue> =>
  fc.oneof({ weight: 1, arbitrary: fc.constant({ sql: 'NULL', json: 'null' }) }, { weight: 6, arbitrary: value });

const listOf = (kind: Kind, { list }: SqlDialect): Kind => {
  const type = list.typeOf(kind.type);
  return {
    type,
    value: fc.array(orNull(kind.value), { maxLength: 3 }).map((items) => ({
      sql: list.valueOf(
        items.map((item) => item.sql),
        type,
      ),
      json: `[${items.map((item) => item.json).join(',')}]`,
    })),
  };
};

/** Names that SQL must quote, or that JavaScript's objects already have or put first. */
const NAMES = ['a', '__proto__', 'x y', 'q"', '10', 'toJSON'];

const rowOf = (kinds: readonly Kind[], { row }: SqlDialect): Kind => {
  const type = row.typeOf(
    kinds.map((kind, index) => `"${(NAMES[index] ?? '').replaceAll('"', '""')}" ${kind.type}`).join(', '),
  );
  return {
    type,
    value: fc.tuple(...kinds.map((kind) => orNull(kind.value))).map((fields) => ({
      sql: row.valueOf(
        fields.map((field) => field.sql),
        type,
      ),
      json: `{${fields.map((field, index) => `${JSON.stringify(NAMES[index])}:${field.json}`).join(',')}}`,
    })),
  };
};

/** Keys are strings, which are already JSON strings; every other key is tested by example. */
const mapOf = (kind: Kind, { map, textOf }: SqlDialect): Kind => {
  const type = map.typeOf(kind.type);
  return {
    type,
    value: fc
      .uniqueArray(fc.tuple(TEXT, orNull(kind.value)), { maxLength: 3, selector: ([key]) => key })
      .map((entries) => ({
        sql: map.valueOf(
          entries.map(([key, value]) => [textOf(key), value.sql] as const),
          type,
        ),
        json: `{${entries.map(([key, value]) => `${quotedJson(key)}:${value.json}`).join(',')}}`,
      })),
  };
};

const kindOf = (depth: number, dialect: SqlDialect): fc.Arbitrary<Kind> => {
  const scalar = fc.constantFrom(...dialect.scalars);
  if (depth === 0) return scalar;
  const inner = kindOf(depth - 1, dialect);
  return fc.oneof(
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: inner.map((kind) => listOf(kind, dialect)) },
    {
      weight: 1,
      arbitrary: fc.array(inner, { minLength: 1, maxLength: 4 }).map((kinds) => rowOf(kinds, dialect)),
    },
    { weight: 1, arbitrary: inner.map((kind) => mapOf(kind, dialect)) },
  );
};

/** A table of up to 5 columns, nested up to three levels, with this many rows. */
export const generatedColumns = (rows: number, dialect = DUCKDB): fc.Arbitrary<readonly GeneratedColumn[]> =>
  fc.array(
    kindOf(3, dialect).chain((kind) =>
      fc
        .array(orNull(kind.value), { minLength: rows, maxLength: rows })
        .map((values): GeneratedColumn => ({ type: kind.type, values })),
    ),
    { minLength: 1, maxLength: 5 },
  );

/** SQL that selects generated columns, named `c0`, `c1`, ... */
export const selectGenerated = (columns: readonly GeneratedColumn[], rows: number, dialect = DUCKDB): string =>
  dialect.select(
    Array.from({ length: rows }, (_, row) =>
      columns.map(({ type, values }) => dialect.cast(values[row]?.sql ?? 'NULL', type)),
    ),
  );
