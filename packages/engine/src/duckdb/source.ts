import type { DuckDBPreparedStatement, DuckDBResult, DuckDBType } from '@duckdb/node-api';
import type { Column } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import { uniqueColumns } from '@sluice/encoders';
import { withoutPaths } from './errors.ts';
import { hideFileNames } from './hide-file-names.ts';
import { trinoTypeName } from './types.ts';

export interface Shape {
  readonly columns: readonly Column[];
  readonly types: readonly DuckDBType[];
}

/** SQL that can be used in FROM. */
export interface Source {
  readonly sql: string;
  readonly shape: Shape;
  /** Binds the values of its parameters to a statement around it. */
  bind(prepared: DuckDBPreparedStatement): void;
}

/** Alias of the column at this index around the caller's query: names may be duplicates or odd, positions are not. */
export const columnAlias = (index: number): string => `c${index}`;

/** Our statement around a source. */
export interface WrappedSource {
  readonly sql: string;
  /** Bytes before the caller's SQL. */
  readonly offsetBytes: number;
}

/**
 * Returns the columns of a prepared statement or of a result. Throws `not_supported` for a type that the client of DuckDB does not know,
 * such as the state of an aggregate.
 */
export function shapeOf(described: DuckDBPreparedStatement | DuckDBResult): Shape {
  const names = Array.from({ length: described.columnCount }, (_, index) => described.columnName(index));
  const types = names.map((name, index) => typeOf(described, name, index));
  return {
    types,
    columns: uniqueColumns(types.map((type, index) => ({ name: names[index] ?? '', type: trinoTypeName(type) }))),
  };
}

function typeOf(described: DuckDBPreparedStatement | DuckDBResult, name: string, index: number): DuckDBType {
  try {
    return described.columnType(index);
  } catch (cause) {
    if (!String(cause).includes('Unexpected type id')) throw cause;
    throw new ProblemError(
      'not_supported',
      `The column ${name} has a type that results cannot contain, such as the state of an aggregate (EXPORT_STATE). Select a value of another type.`,
      { cause },
    );
  }
}

/**
 * Selects expressions over a source's columns, which have aliases by position, because names may be duplicates. With `rowsMax` it
 * selects one row more, to find out whether there are more. The line feed ends a comment on the last line.
 */
export function wrapSource(source: Source, selected: string, rowsMax: number | undefined): WrappedSource {
  const aliases = source.shape.columns.map((_, index) => columnAlias(index)).join(', ');
  const before = rowsMax === undefined ? `SELECT ${selected} FROM (\n` : `SELECT ${selected} FROM (SELECT * FROM (\n`;
  const after = rowsMax === undefined ? `\n) AS result(${aliases})` : `\n) LIMIT ${rowsMax + 1}) AS result(${aliases})`;
  return { sql: `${before}${source.sql}${after}`, offsetBytes: Buffer.byteLength(before) };
}

/**
 * EXPLAIN cannot be wrapped. Its few lines of text are read first and then selected as values of a statement that can be wrapped. The
 * parameters of the explained statement are bound.
 */
export async function explainSource(
  prepared: DuckDBPreparedStatement,
  hiddenPaths: readonly string[],
): Promise<Source> {
  const result = await prepared.run();
  const shape = shapeOf(result);
  const rows = await result.getRows();
  const visible = (value: unknown): string => withoutPaths(hideFileNames(String(value)), hiddenPaths);
  const lists = shape.columns.map((_, index) => rows.map((row) => visible(row[index])));
  return {
    sql: `SELECT ${lists.map((_, index) => `unnest($${index + 1}::VARCHAR[])`).join(', ')}`,
    shape,
    bind: (outer) => {
      for (const [index, values] of lists.entries()) outer.bindList(index + 1, values);
    },
  };
}
