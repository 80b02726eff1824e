import { existsSync, renameSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

/** A file to create from the table `bench_lineitem`. */
interface TableExport {
  readonly database: string;
  readonly file: string;
  readonly format: 'parquet' | 'csv';
  /** The first rows only. */
  readonly rows?: number;
}

/** Writes the table to a file, unless an earlier run did. */
export async function exportTable({ database, file, format, rows }: TableExport): Promise<void> {
  if (existsSync(file)) return;
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(`ATTACH '${database.replaceAll("'", "''")}' AS demo (READ_ONLY)`);
    const limit = rows === undefined ? '' : ` LIMIT ${rows}`;
    const select = `SELECT * FROM demo.vega.bench_lineitem${limit}`;
    await connection.run(`COPY (${select}) TO '${file.replaceAll("'", "''")}.part' (FORMAT ${format})`);
    renameSync(`${file}.part`, file);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
