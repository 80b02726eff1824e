import type { TrinoType } from './cells/types.ts';

/** Trino's scalars that have the same values in DuckDB. Others are stored as their text. */
const OF_TRINO: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  tinyint: 'TINYINT',
  smallint: 'SMALLINT',
  integer: 'INTEGER',
  bigint: 'BIGINT',
  real: 'FLOAT',
  double: 'DOUBLE',
  varbinary: 'BLOB',
  uuid: 'UUID',
  date: 'DATE',
};

/** Returns SQL of DuckDB's type that a value of a kept result is read as when a Parquet file is written from it. */
export function fileTypeOfTrino({ name, base, parts, fieldNames: names }: TrinoType): string {
  const types = parts.map(fileTypeOfTrino);
  if (base === 'array') return `${types[0]}[]`;
  if (base === 'map') return `MAP(${types[0]}, ${types[1]})`;
  if (base === 'row') return structOf(names, types);
  if (base === 'decimal') return name.toUpperCase();
  if (base === 'time' && digitsOf(name) <= 6) return 'TIME';
  if (base === 'timestamp' && digitsOf(name) <= 6) return 'TIMESTAMP';
  if (base === 'timestamp' && digitsOf(name) <= 9) return 'TIMESTAMP_NS';
  return OF_TRINO[base] ?? 'VARCHAR';
}

const digitsOf = (name: string): number => Number(/\((\d+)\)/.exec(name)?.[1] ?? 3);

const structOf = (names: readonly string[], types: readonly string[]): string =>
  `STRUCT(${types.map((type, index) => `"${(names[index] ?? '').replaceAll('"', '""')}" ${type}`).join(', ')})`;
