import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName } from '../sql-text.ts';

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Date formats of the package's files, besides ISO 8601. */
const DATE_FORMATS = `['%Y/%m/%d %H:%M', '%b %d %Y', '%m/%d/%Y']`;

interface Conversion {
  /** SQL condition that is true for every string that converts without loss. */
  readonly fits: (column: string) => string;
  readonly convert: (column: string) => string;
}

const asTime = (type: 'DATE' | 'TIMESTAMP'): Conversion => ({
  fits: (column) => `try_strptime(${column}, ${DATE_FORMATS}) IS NOT NULL`,
  convert: (column) => `CAST(strptime(${column}, ${DATE_FORMATS}) AS ${type})`,
});

/** Conversions of text columns by declared type. A number with a leading zero is a code (a ZIP code) and stays text. */
const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  date: asTime('DATE'),
  datetime: asTime('TIMESTAMP'),
  integer: {
    fits: (column) => `regexp_full_match(${column}, '-?(0|[1-9][0-9]{0,17})')`,
    convert: (column) => `CAST(${column} AS BIGINT)`,
  },
};

/**
 * Returns the select list that converts the columns of a freshly read table. The types that DuckDB detects are kept, except that
 * JSON (a column that mixes numbers and text) becomes text, HUGEINT (detected for any negative integer in JSON) becomes BIGINT, and
 * text becomes its declared type when every value converts without loss.
 */
export async function selectWithTypes(
  connection: DuckDBConnection,
  table: string,
  declaredTypes: ReadonlyMap<string, string>,
): Promise<string> {
  const parts: string[] = [];
  for (const column of await columnsOf(connection, table)) {
    const name = quoteName(column.name);
    const expression = await expressionOf(connection, {
      table,
      column,
      declared: declaredTypes.get(column.name) ?? '',
    });
    parts.push(expression === name ? name : `${expression} AS ${name}`);
  }
  return parts.join(', ');
}

const columnsOf = async (connection: DuckDBConnection, table: string): Promise<Column[]> => {
  const result = await connection.runAndReadAll(`DESCRIBE ${table}`);
  return result.getRowsJson().map((row) => ({ name: String(row[0]), type: String(row[1]) }));
};

interface Candidate {
  readonly table: string;
  readonly column: Column;
  readonly declared: string;
}

const expressionOf = async (connection: DuckDBConnection, candidate: Candidate): Promise<string> => {
  const name = quoteName(candidate.column.name);
  if (candidate.column.type === 'JSON') return `${name} ->> '$'`;
  if (candidate.column.type === 'HUGEINT') return `CAST(${name} AS BIGINT)`;
  const conversion = candidate.column.type === 'VARCHAR' ? CONVERSIONS[candidate.declared] : undefined;
  if (conversion === undefined) return name;
  const misfits = `SELECT count(*) FROM ${candidate.table} WHERE ${name} IS NOT NULL AND NOT ${conversion.fits(name)}`;
  const result = await connection.runAndReadAll(misfits);
  return Number(result.getRowsJson()[0]?.[0]) === 0 ? conversion.convert(name) : name;
};
