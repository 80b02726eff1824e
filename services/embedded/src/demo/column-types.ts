import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName } from '../sql-text.ts';

interface Column {
  readonly name: string;
  readonly type: string;
}

/** The spellings of dates that the package's files use where they do not use ISO 8601. */
const DATE_FORMATS = `['%Y/%m/%d %H:%M', '%b %d %Y', '%m/%d/%Y']`;

interface Conversion {
  /** True for every text that the conversion keeps whole. */
  readonly fits: (column: string) => string;
  readonly convert: (column: string) => string;
}

const asTime = (type: 'DATE' | 'TIMESTAMP'): Conversion => ({
  fits: (column) => `try_strptime(${column}, ${DATE_FORMATS}) IS NOT NULL`,
  convert: (column) => `CAST(strptime(${column}, ${DATE_FORMATS}) AS ${type})`,
});

/** Text that its publisher calls something else. A number with a leading zero is a code (a ZIP code) and stays text. */
const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  date: asTime('DATE'),
  datetime: asTime('TIMESTAMP'),
  integer: {
    fits: (column) => `regexp_full_match(${column}, '-?(0|[1-9][0-9]{0,17})')`,
    convert: (column) => `CAST(${column} AS BIGINT)`,
  },
};

/**
 * The select list that gives a freshly read table its sensible types. DuckDB's detection is kept but for: JSON (a column
 * that mixes numbers and text) becomes text, HUGEINT (detected for any negative integer in JSON) becomes BIGINT, and text
 * takes its declared type when every single value fits.
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
  const answer = await connection.runAndReadAll(`DESCRIBE ${table}`);
  return answer.getRowsJson().map((row) => ({ name: String(row[0]), type: String(row[1]) }));
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
  const answer = await connection.runAndReadAll(misfits);
  return Number(answer.getRowsJson()[0]?.[0]) === 0 ? conversion.convert(name) : name;
};
