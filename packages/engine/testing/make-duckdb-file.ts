import { DuckDBInstance } from '@duckdb/node-api';

/** Creates a database file with the result of the statements, and closes it. */
export async function makeDuckDbFile(path: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}
