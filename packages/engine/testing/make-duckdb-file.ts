import { DuckDBInstance } from '@duckdb/node-api';

/** A database file with what the statements make in it, closed again. */
export async function makeDuckDbFile(path: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}
