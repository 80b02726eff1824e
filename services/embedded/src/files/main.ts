/**
 * Process that reads the files of SLUICE_DATA_DIR and creates their views in the database that its argument names. A file may end it:
 * the parent process then knows which. It prints the line `ready`, then one JSON line for each line of its input, a NamedFile. `null` is
 * the last line: the database is saved. Any other end of the input means that the parent process has gone.
 */
import { createInterface } from 'node:readline';
import { DuckDBInstance } from '@duckdb/node-api';
import { createView } from './create-view.ts';
import type { NamedFile } from './name-views.ts';

const options = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' };

// Ctrl-C in a terminal reaches this process too, but the parent process decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => process.exit(1));
process.stdout.on('error', () => process.exit(1));

try {
  const instance = await DuckDBInstance.create(process.argv[2], options);
  const connection = await instance.connect();
  const lines = createInterface({ input: process.stdin });
  process.stdout.write('ready\n');
  for await (const line of lines) {
    const file = JSON.parse(line) as NamedFile | null;
    if (file === null) break;
    process.stdout.write(`${JSON.stringify((await createView(connection, file)) ?? null)}\n`);
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
