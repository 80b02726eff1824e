import { execFile } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exportTable } from './export-table.ts';
import type { OpenPeer } from './peer.ts';
import { installPythonPackage } from './python-package.ts';
import { freePorts, startServer } from './server-process.ts';

const VERSION = '0.65.5';
const MAKE_SQLITE = fileURLToPath(new URL('../../python/make_sqlite.py', import.meta.url));
/** A million would take a minute a round. */
const ROWS = 100_000;
const COLUMN_TYPES = [
  ...['INTEGER', 'INTEGER', 'INTEGER', 'INTEGER', 'NUMERIC', 'NUMERIC', 'NUMERIC', 'NUMERIC'],
  ...['TEXT', 'TEXT', 'TEXT', 'TEXT', 'TEXT', 'TEXT', 'TEXT', 'TEXT'],
].join(',');

/** SQLite behind HTTP, with its CSV export as a stream. */
export const openDatasette: OpenPeer = async ({ folder, database }) => {
  const commands = await installPythonPackage(folder, 'datasette', VERSION);
  const csv = join(folder, 'lineitem-sample.csv');
  const sqlite = join(folder, 'bench.db');
  await exportTable({ database, file: csv, format: 'csv', rows: ROWS });
  if (!existsSync(sqlite)) {
    rmSync(`${sqlite}.part`, { force: true });
    const args = [MAKE_SQLITE, csv, `${sqlite}.part`, 'bench_lineitem', COLUMN_TYPES];
    await promisify(execFile)(join(commands, 'python'), args);
    renameSync(`${sqlite}.part`, sqlite);
  }
  const [port = 0] = await freePorts(1);
  const settings = ['--setting', 'max_csv_mb', '0', '--setting', 'sql_time_limit_ms', '600000'];
  const args = ['serve', '--immutable', sqlite, '--host', '127.0.0.1', '--port', String(port), ...settings];
  const server = await startServer(join(commands, 'datasette'), args, port);
  return {
    name: 'datasette',
    version: VERSION,
    transport: 'HTTP',
    caveat: `a publishing tool on SQLite, measured with ${ROWS.toLocaleString('en')} rows; JSON only in pages of 1,000; decimals are doubles`,
    rows: ROWS,
    formats: ['csv'],
    read: () =>
      server.measure('/bench/bench_lineitem.csv?_stream=on&_size=max', { method: 'GET', headers: {}, body: '' }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
