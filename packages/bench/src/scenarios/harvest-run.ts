import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startApiHost } from '@sluice/api-host';
import { type PostgresServer, startPostgres } from '@sluice/embedded/postgres';
import { migrateJobs } from '@sluice/jobs';
import type { HarvestRun } from '@sluice/store/catalog';
import { createDatabase } from '@sluice/store/database';
import { createTenantStore } from '@sluice/store/identity';
import { type Actor, createResourceDatabase, type ResourceDatabase } from '@sluice/store/resources';
import { migrate } from '@sluice/store/schema';
import { commandOf, memoryOf, processTree } from '../process-tree.ts';

interface HarvestFixture extends AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly apiUrl: string;
  /** A DuckDB file of generated tables. */
  readonly catalogPath: string;
}

const SECRETS = { superuserPassword: 'bench', ownerPassword: 'bench' };
const ROLES = {
  apiRole: { name: 'sluice_api', password: 'bench' },
  streamRole: { name: 'sluice_stream', password: 'bench' },
};
const MAKE_CATALOG = fileURLToPath(new URL('../make-catalog-main.js', import.meta.url));

/** Creates a PostgreSQL and a DuckDB file with this many tables of this many columns. Both are removed when it is disposed of. */
async function openHarvestFixture(tables: number, columns: number): Promise<HarvestFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-harvest-'));
  await chmod(folder, 0o755); // when root runs this, the server has another user, who needs access
  const catalogPath = join(folder, 'wide.duckdb');
  // A separate process: memory that this process once used would hide the memory of the harvest.
  await promisify(execFile)(process.execPath, [MAKE_CATALOG, catalogPath, String(tables), String(columns)]);
  const postgres = await startPostgres({
    folder: join(folder, 'postgres'),
    secrets: SECRETS,
    durability: 'none',
    announce: () => undefined,
  });
  await migrate({ ownerUrl: postgres.ownerUrl, ...ROLES });
  await migrateJobs({ ownerUrl: postgres.ownerUrl, apiRole: ROLES.apiRole.name });
  return {
    postgres,
    apiUrl: postgres.urlOf({ role: ROLES.apiRole.name, password: ROLES.apiRole.password }),
    catalogPath,
    async [Symbol.asyncDispose]() {
      await postgres[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface CatalogSize {
  readonly tables: number;
  /** Columns of each table. */
  readonly columns: number;
}

/** Measurements of one harvest. */
export interface WatchedHarvest {
  readonly run: HarvestRun;
  /** Maximum growth of this process, which is the host. */
  readonly hostGrowthBytes: number;
  readonly workerPeakBytes: number;
  readonly seconds: number;
  /** Processor time of host, worker and PostgreSQL. */
  readonly cpuSeconds: number;
}

export interface HarvestedCatalog {
  /** The first harvest, which writes every row. */
  readonly first: WatchedHarvest;
  /** A repeated harvest without changes. */
  readonly again: WatchedHarvest;
  /** Memory that DuckDB itself needs to open the same file and list its columns. */
  readonly plainPeakBytes: number;
}

const PLAIN_CATALOG = fileURLToPath(new URL('../baseline-catalog-main.js', import.meta.url));
const SAMPLE_MS = 250;
/** Interval of garbage collections: a harvest does not need unreachable memory, which V8 would otherwise keep. */
const COLLECT_MS = 1_000;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Harvests a generated catalog twice through a complete API host in this process, with a separate PostgreSQL. */
export async function harvestTwice(size: CatalogSize, print: (line: string) => void): Promise<HarvestedCatalog> {
  print(`Creating a catalog of ${size.tables} tables and ${size.tables * size.columns} columns ...`);
  await using fixture = await openHarvestFixture(size.tables, size.columns);
  const plainPeakBytes = await plainPeakOf(fixture.catalogPath);
  await using database = createDatabase({ url: fixture.apiUrl });
  const resources = createResourceDatabase(database);
  await using _host = await startApiHost({ environment: environmentOf(fixture) });
  await wait(2_000); // until code is loaded and connections are open
  const { id } = await createTenantStore(database).create({ name: 'bench' });
  const first = await watch(() => harvest(resources, id));
  print(`  first: ${wordsOf(first)}`);
  const again = await watch(() => harvest(resources, id));
  print(`  again: ${wordsOf(again)}`);
  return { first, again, plainPeakBytes };
}

const environmentOf = (fixture: HarvestFixture): Record<string, string> => ({
  LISTEN_HOST: '127.0.0.1',
  API_PORT: '0',
  LOG_LEVEL: 'warn',
  DATABASE_URL: fixture.apiUrl,
  SLUICE_MASTER_KEY: randomBytes(32).toString('base64'),
  ISSUER_TEMPLATE: 'https://{tenant}.bench',
  // Address space, not memory. DuckDB keeps the whole catalog of a file in each worker that opens it.
  WORKER_MEMORY: '16GiB',
  DUCKDB_CATALOGS: `wide=${fixture.catalogPath}`,
});

async function plainPeakOf(catalogPath: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [PLAIN_CATALOG, catalogPath]);
  return (JSON.parse(stdout) as { peakBytes: number }).peakBytes;
}

const MIB = 1024 * 1024;

const wordsOf = ({ run, hostGrowthBytes, workerPeakBytes, seconds, cpuSeconds }: WatchedHarvest): string =>
  `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processor time, ${run.tablesChanged} of ${run.tablesSeen} tables written, host +${(hostGrowthBytes / MIB).toFixed(0)} MiB, ` +
  `worker ${(workerPeakBytes / MIB).toFixed(0)} MiB`;

/** Measures a harvest. The time is the one that its run records. */
async function watch(work: () => Promise<HarvestRun>): Promise<WatchedHarvest> {
  collectGarbage();
  const before = memoryOf(process.pid).residentBytes;
  const spentBefore = spentByPid();
  const peaks = { host: before, worker: 0 };
  const sampler = setInterval(() => {
    peaks.host = Math.max(peaks.host, memoryOf(process.pid).residentBytes);
    for (const { pid } of processTree(process.pid)) {
      if (commandOf(pid).includes('worker-main')) peaks.worker = Math.max(peaks.worker, residentBytesOf(pid));
    }
  }, SAMPLE_MS);
  const collector = setInterval(collectGarbage, COLLECT_MS);
  try {
    const run = await work();
    if (run.state !== 'FINISHED') throw new Error(`The harvest failed: ${run.error?.message}`);
    const seconds = ((run.ended?.getTime() ?? 0) - (run.started?.getTime() ?? 0)) / 1000;
    const cpuSeconds = [...spentByPid()].reduce((sum, [pid, spent]) => sum + spent - (spentBefore.get(pid) ?? 0), 0);
    return { run, hostGrowthBytes: peaks.host - before, workerPeakBytes: peaks.worker, seconds, cpuSeconds };
  } finally {
    clearInterval(sampler);
    clearInterval(collector);
  }
}

const spentByPid = (): Map<number, number> =>
  new Map(processTree(process.pid).map(({ pid, cpuSeconds }) => [pid, cpuSeconds]));

/** Returns the resident memory of a process, or 0 when it has ended. */
function residentBytesOf(pid: number): number {
  try {
    return memoryOf(pid).residentBytes;
  } catch {
    return 0;
  }
}

/** Requests a harvest and waits for its end. An open run is used instead of a new one. */
async function harvest(resources: ResourceDatabase, tenantId: string): Promise<HarvestRun> {
  const bench: Actor = { tenantId, name: 'bench', auditOf: (act) => ({ tenantId, user: 'bench', ...act }) };
  const { runId } = await resources.change(bench, async (tx) => {
    const requested = await tx.harvests.findOrCreate(tx.by);
    await tx.record('START_HARVEST', requested.runId);
    return requested;
  });
  for (;;) {
    const runs = await resources.read(bench, (tx) => tx.harvests.list(20));
    const run = runs.find((each) => each.runId === runId);
    if (run?.ended != null) return run;
    await wait(SAMPLE_MS);
  }
}
