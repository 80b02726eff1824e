/**
 * Process that reads the files of SLUICE_DATA_DIR and changes their views in the database that its argument names. A file may end it:
 * the parent process then knows which. It prints the line `ready`, then one JSON line for each line of its input, a ReaderTask. `null` is
 * the last line: the database is saved. Any other end of the input means that the parent process has gone.
 */
import { createInterface } from 'node:readline';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { quoteName } from '../sql-text.ts';
import { readFile } from './read-file.ts';
import type { CreatedView, ReaderTask } from './reader-process.ts';

const options = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' };

// Ctrl-C in a terminal reaches this process too, but the parent process decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => process.exit(1));
process.stdout.on('error', () => process.exit(1));

async function work(connection: DuckDBConnection, task: ReaderTask): Promise<unknown> {
  switch (task.kind) {
    case 'read':
      return readFile(connection, task.file, task);
    case 'drop':
      await connection.run(`DROP VIEW ${quoteName(task.schema)}.${quoteName(task.name)}`);
      return null;
    case 'create':
      return createView(connection, task);
  }
}

/** Creates a view. Returns why it cannot be created: each of its files may be readable, and all of them together not. */
async function createView(
  connection: DuckDBConnection,
  { schema, name, sql, joined }: CreatedView,
): Promise<string | null> {
  try {
    if (joined !== undefined && !(await hasColumns(connection, joined))) return OTHER_NAMES;
    await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`);
    await connection.run(`CREATE VIEW ${quoteName(schema)}.${quoteName(name)} AS ${sql}`);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown);
  }
}

const OTHER_NAMES = 'some columns have other names then. Write the names of columns alike in all files.';

/** DuckDB changes names that are empty, or equal except in case, and would hide the values of one file. */
async function hasColumns(
  connection: DuckDBConnection,
  { from, columns }: NonNullable<CreatedView['joined']>,
): Promise<boolean> {
  const described = (await connection.runAndReadAll(`DESCRIBE FROM ${from}`)).getRows();
  const keyOf = (names: readonly unknown[]): string =>
    JSON.stringify([...new Set(names.map((name) => String(name).toLowerCase()))].sort());
  return keyOf(described.map(([name]) => name)) === keyOf(columns);
}

try {
  const instance = await DuckDBInstance.create(process.argv[2], options);
  const connection = await instance.connect();
  const lines = createInterface({ input: process.stdin });
  process.stdout.write('ready\n');
  for await (const line of lines) {
    const task = JSON.parse(line) as ReaderTask | null;
    if (task === null) break;
    process.stdout.write(`${JSON.stringify(await work(connection, task))}\n`);
  }
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
  process.exit(0);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown)}\n`, () =>
    process.exit(1),
  );
}
