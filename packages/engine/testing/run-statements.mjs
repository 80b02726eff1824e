/**
 * Process that runs statements on DuckDB, in which it may crash. Its argument is SQL that fills the database. It prints a JSON line for each
 * line of its input, a JSON string: the message of the error, or null.
 */
import { createInterface } from 'node:readline';
import { DuckDBInstance } from '@duckdb/node-api';

const open = async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`SET errors_as_json = true; ${process.argv[2]}`);
  return connection;
};

let connection = await open();
for await (const line of createInterface({ input: process.stdin })) {
  let message = null;
  try {
    await connection.runAndReadAll(JSON.parse(line));
  } catch (thrown) {
    message = thrown.message;
    // DuckDB rejects everything after an internal error.
    if (/"INTERNAL"|"FATAL"/.test(message)) connection = await open();
  }
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
