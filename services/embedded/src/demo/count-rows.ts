import { readFile } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quotePath } from '../sql-text.ts';
import type { DemoTable } from './demo-table.ts';

/** Counts the rows of a file without DuckDB's CSV and JSON readers, so that rows which those skip are noticed. */
export async function countRows(connection: DuckDBConnection, table: DemoTable): Promise<number> {
  switch (table.format) {
    case 'parquet':
      return countParquet(connection, table.file);
    case 'json':
      return (JSON.parse(await readFile(table.file, 'utf8')) as unknown[]).length;
    case 'geojson':
      return (JSON.parse(await readFile(table.file, 'utf8')) as { features: unknown[] }).features.length;
    case 'csv':
    case 'tsv':
      return countRecords(await readFile(table.file, 'utf8')) - 1;
  }
}

const countParquet = async (connection: DuckDBConnection, file: string): Promise<number> => {
  const result = await connection.runAndReadAll(`SELECT sum(num_rows) FROM parquet_file_metadata(${quotePath(file)})`);
  return Number(result.getRowsJson()[0]?.[0]);
};

/** Counts the records of an RFC 4180 text including its header: line ends outside quotes, without empty lines. */
export function countRecords(text: string): number {
  let records = 0;
  let quoted = false;
  let filled = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (quoted || (character !== '\n' && character !== '\r')) filled = true;
    else if (filled) {
      records += 1;
      filled = false;
    }
  }
  return filled ? records + 1 : records;
}
