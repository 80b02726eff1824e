import { open } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { NamedFile } from './name-views.ts';

/** Columns of a served file. The time that DuckDB takes to plan any statement on a file grows with the square of their number. */
export const COLUMNS_MAX = 10_000;

/** Part of a CSV file that is searched for the end of its header. */
const HEADER_BYTES_MAX = 1024 * 1024;
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Returns whether the header of a CSV file has more delimiters than a file may have columns. DuckDB would take minutes to read it. */
export async function hasWideHeader(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES_MAX), 0, HEADER_BYTES_MAX, 0);
  const [header = ''] = buffer.toString('latin1', 0, bytesRead).split(/[\r\n]/, 1);
  return DELIMITERS.some((delimiter) => header.split(delimiter).length > COLUMNS_MAX);
}

/** Returns whether a view of the database has more columns than a file may have. */
export async function isWide(connection: DuckDBConnection, { schema, view }: NamedFile): Promise<boolean> {
  const reader = await connection.runAndReadAll(
    'SELECT count(*) > $max FROM duckdb_columns() WHERE database_name = current_database() AND schema_name = $schema AND table_name = $view',
    { max: COLUMNS_MAX, schema, view },
  );
  return reader.getRows()[0]?.[0] === true;
}
