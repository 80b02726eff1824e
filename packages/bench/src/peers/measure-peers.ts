import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BENCH_HOME } from '../bench-home.ts';
import { measureCopy, measureHttp } from '../measure.ts';
import { type BenchContext, TABLES } from '../scenarios/scenario.ts';
import { median } from '../statistics.ts';
import { openChdb } from './chdb.ts';
import { exportTable } from './export-table.ts';
import type { OpenPeer, Peer, PeerRead, PeerSources } from './peer.ts';
import type { PeerResult } from './peer-result.ts';
import { openPsql } from './psql.ts';
import { installPythonPackage } from './python-package.ts';
import { openRoapi } from './roapi.ts';
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
const openDatasette: OpenPeer = async ({ folder, database }) => {
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

const PEERS: Readonly<Record<string, OpenPeer>> = {
  chDB: openChdb,
  roapi: openRoapi,
  psql: openPsql,
  datasette: openDatasette,
};
const FORMATS = ['csv', 'json'] as const;

/** Measures Sluice, the engine and each peer that can be installed, all once per round. */
export async function measurePeers(context: BenchContext): Promise<readonly PeerResult[]> {
  const { sql, rows } = TABLES.lineitem;
  const folder = resolve(BENCH_HOME, 'peers');
  mkdirSync(folder, { recursive: true });
  const sources = { folder, database: context.database, parquet: join(folder, 'lineitem.parquet'), rows };
  await exportTable({ database: sources.database, file: sources.parquet, format: 'parquet' });
  await using peers = await openPeers(sources, context.print);
  const all = [sluiceItself(context, sql, rows), engineItself(context, sql, rows), ...peers.open];
  const reads = new Map<string, PeerRead[]>();
  for (let round = 0; round <= context.rounds; round += 1) {
    for (const format of FORMATS) {
      for (const peer of all) {
        if (!peer.formats.includes(format)) continue;
        const read = await peer.read(format);
        if (round === 0) continue; // warm-up
        const key = `${peer.name} ${format}`;
        reads.set(key, [...(reads.get(key) ?? []), read]);
      }
    }
    context.print(round === 0 ? '  warm' : `  round ${round} of ${context.rounds}`);
  }
  return all.map((peer) => ({ peer, figures: figuresOf(peer, reads) }));
}

function figuresOf(peer: Peer, reads: ReadonlyMap<string, readonly PeerRead[]>): PeerResult['figures'] {
  const found = FORMATS.flatMap((format) => {
    const measured = reads.get(`${peer.name} ${format}`);
    if (measured === undefined) return [];
    const rowsPerSecond = peer.rows / (median(measured.map(({ ms }) => ms)) / 1000);
    const cpuSeconds = (median(measured.map((read) => read.cpuSeconds)) / peer.rows) * 1e6;
    return [[format, { rowsPerSecond, cpuSeconds }] as const];
  });
  return Object.fromEntries(found);
}

interface OpenPeers extends AsyncDisposable {
  readonly open: readonly Peer[];
}

async function openPeers(sources: PeerSources, print: (line: string) => void): Promise<OpenPeers> {
  const open: Peer[] = [];
  for (const [name, openPeer] of Object.entries(PEERS)) {
    try {
      print(`  installing and starting ${name}`);
      open.push(await openPeer(sources));
    } catch (thrown) {
      print(`  ${name} is not measured: ${(thrown as Error).message}`);
    }
  }
  return {
    open,
    async [Symbol.asyncDispose]() {
      for (const peer of open) await peer[Symbol.asyncDispose]();
    },
  };
}

const nothingToStop = async (): Promise<void> => undefined;

const PATHS = { csv: '/query/download/csv', json: '/query' } as const;

const sluiceItself = ({ sluice }: BenchContext, sql: string, rows: number): Peer => ({
  name: 'Sluice',
  version: '',
  transport: 'HTTP',
  caveat: 'login, read-only guard, isolated worker and two durable audit records included; JSON rows are events (SSE)',
  rows,
  formats: FORMATS,
  read: (format) => measureHttp(sluice, PATHS[format], sql),
  [Symbol.asyncDispose]: nothingToStop,
});

const engineItself = ({ database }: BenchContext, sql: string, rows: number): Peer => ({
  name: 'DuckDB COPY',
  version: '',
  transport: 'in process',
  caveat: 'the engine alone, on one thread, to /dev/null: the yardstick of the targets',
  rows,
  formats: FORMATS,
  read: (format) => measureCopy(database, sql, format),
  [Symbol.asyncDispose]: nothingToStop,
});
