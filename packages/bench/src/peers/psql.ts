import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { startPostgres } from '@sluice/embedded/postgres';
import { cpuSecondsOf } from '../process-tree.ts';
import { exportTable } from './export-table.ts';
import type { OpenPeer, PeerRead } from './peer.ts';
import { lastLineOf } from './python-package.ts';

/** Passwords of a server on loopback with generated rows only. */
const SECRETS = { superuserPassword: 'bench', ownerPassword: 'bench' };
/** Not in the home folder of the bench: when root runs this, the server has another user, who may not read it. */
const SERVER_FOLDER = join(tmpdir(), 'sluice-bench-peers');
const CREATE = `CREATE UNLOGGED TABLE bench_lineitem (
  l_orderkey bigint, l_partkey bigint, l_suppkey bigint, l_linenumber integer, l_quantity decimal(15,2), l_extendedprice decimal(15,2),
  l_discount decimal(15,2), l_tax decimal(15,2), l_returnflag text, l_linestatus text, l_shipdate date, l_commitdate date,
  l_receiptdate date, l_shipinstruct text, l_shipmode text, l_comment text)`;
const EXPORT = 'COPY bench_lineitem TO STDOUT (FORMAT csv, HEADER)';

/** PostgreSQL with its command line client, which writes to /dev/null. */
export const openPsql: OpenPeer = async ({ folder, database, rows }) => {
  const version = await versionOfPsql();
  const csv = join(folder, 'lineitem.csv');
  await exportTable({ database, file: csv, format: 'csv' });
  const server = await startPostgres({
    folder: SERVER_FOLDER,
    secrets: SECRETS,
    durability: 'full',
    announce: () => undefined,
  });
  try {
    await load(server.superuserUrl, csv, rows);
  } catch (thrown) {
    await server[Symbol.asyncDispose]();
    throw thrown;
  }
  return {
    name: 'psql',
    version,
    transport: 'PostgreSQL’s protocol',
    caveat:
      'a database and its client: permissions, but no HTTP and no audit record of a read; a lost connection is noticed',
    rows,
    formats: ['csv'],
    read: () => measure(server.superuserUrl),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

async function versionOfPsql(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('psql', ['--version']);
    return /\d+(?:\.\d+)*/.exec(stdout)?.[0] ?? stdout.trim();
  } catch (thrown) {
    throw new Error(`psql is not installed (Debian: apt-get install postgresql-client): ${lastLineOf(thrown)}`);
  }
}

async function load(url: string, csv: string, rows: number): Promise<void> {
  const { stdout } = await psql(url, "SELECT to_regclass('bench_lineitem') IS NOT NULL");
  if (stdout.trim() === 't') {
    const counted = await psql(url, 'SELECT count(*) FROM bench_lineitem');
    if (Number(counted.stdout) === rows) return;
    await psql(url, 'DROP TABLE bench_lineitem');
  }
  await psql(url, CREATE);
  const args = ['-X', '-q', url, '-c', 'COPY bench_lineitem FROM STDIN (FORMAT csv, HEADER)'];
  const child = spawn('psql', args, { stdio: ['pipe', 'ignore', 'inherit'] });
  const closed = once(child, 'close');
  await pipeline(createReadStream(csv), child.stdin);
  await closed;
  await psql(url, 'VACUUM ANALYZE bench_lineitem');
}

const psql = (url: string, sql: string): Promise<{ readonly stdout: string }> =>
  promisify(execFile)('psql', ['-X', '-q', '-A', '-t', url, '-c', sql]);

/** Includes the start of the client, a few milliseconds, since that is how it is used. Processor time is that of client and server. */
async function measure(url: string): Promise<PeerRead> {
  const before = cpuSecondsOf(process.pid) - ownCpuSeconds();
  const start = performance.now();
  const child = spawn('psql', ['-X', '-q', url, '-c', EXPORT], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`psql ended with ${code}`);
  const ms = performance.now() - start;
  return { ms, cpuSeconds: cpuSecondsOf(process.pid) - ownCpuSeconds() - before, bytes: 0 };
}

/** Processor time of this process alone. */
function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
