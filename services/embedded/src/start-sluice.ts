import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { Environment, SettingsOf } from '@sluice/config';
import { createResourceStack, type ResourceStack } from '@sluice/host-runtime';
import { migrateJobs } from '@sluice/jobs';
import { migrate } from '@sluice/store/schema';
import { ensureDemoAccounts } from './accounts.ts';
import type { embeddedSettings } from './config.ts';
import { ensureDemoData } from './demo/demo-data.ts';
import { seedDemo } from './demo/seed-demo.ts';
import { FilesCatalog } from './files/files-catalog.ts';
import { findDataFiles } from './files/find-data-files.ts';
import { summaryLines } from './files/report-files.ts';
import { watchFiles } from './files/watch-files.ts';
import { findFirstStatement } from './first-statement.ts';
import { claimHome, type Home } from './home/home.ts';
import { ensureSecretFile, randomPassword } from './home/home-secrets.ts';
import { postgresHome } from './home/postgres-home.ts';
import { ensureServerIdentity } from './home/server-identity.ts';
import { type Catalogs, HOST, startHosts } from './hosts.ts';
import { demoIdentityProvider } from './identity-provider/demo-identity-provider.ts';
import { issuerOn } from './identity-provider/identity-provider-options.ts';
import { startIdentityProvider } from './identity-provider/start-identity-provider.ts';
import { type PostgresServer, startPostgres } from './postgres/index.ts';
import { type Addresses, DEMO_SQL } from './ready-line.ts';
import { StartFailure, startFailure, systemCode } from './start-failure.ts';

interface WantedPort {
  /** Name of the setting for this port. */
  readonly setting: string;
  readonly port: number;
}

/** Fails early, before the slow work, when a port is in use. The ports are opened later, so that may still fail. */
async function ensureFreePorts(host: string, wanted: readonly WantedPort[]): Promise<void> {
  for (const [index, { setting, port }] of wanted.entries()) {
    const twin = wanted.slice(0, index).find((other) => other.port === port);
    if (twin !== undefined)
      throw new StartFailure(`${twin.setting} and ${setting} are both ${port}. Set different ports.`);
  }
  for (const port of wanted) await ensureFreePort(host, port);
}

const ensureFreePort = async (host: string, { setting, port }: WantedPort): Promise<void> => {
  try {
    await openAndClose(host, port);
  } catch (thrown) {
    if (systemCode(thrown) === 'EADDRINUSE') {
      throw new StartFailure(
        `Port ${port} is in use by another program. Stop that program, or choose another port with ${setting}.`,
        thrown,
      );
    }
    throw startFailure(`Port ${port} (${setting}) cannot be opened`, thrown);
  }
};

const openAndClose = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });

const MEBIBYTE = 1024 * 1024;

/** Fails a first start that would fill the disk half-way through. The folder or one of its parents must exist. */
async function ensureDiskSpace(folder: string, bytes: number): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= bytes) return;
  const [has, needs] = [Math.floor(free / MEBIBYTE), Math.ceil(bytes / MEBIBYTE)];
  throw new StartFailure(
    `The disk of ${folder} is full: it has ${has} MiB left, and the first start needs ${needs} MiB.`,
  );
}

const freeBytes = async (folder: string): Promise<number> => {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT' && dirname(folder) !== folder) return freeBytes(dirname(folder));
    throw thrown;
  }
};

interface StartOptions {
  readonly settings: SettingsOf<typeof embeddedSettings>;
  /** Environment for the settings of the hosts. */
  readonly environment: Environment;
  /** Receives progress messages. */
  readonly announce: (line: string) => void;
  /** Aborts the start. */
  readonly signal: AbortSignal;
}

interface RunningSluice {
  readonly addresses: Addresses;
  /** SQL that works on the tables of the engine. */
  readonly firstStatement: string;
  /** Resolves when a process that Sluice needs has ended unexpectedly. */
  readonly failed: Promise<StartFailure>;
  /** Stops everything in the reverse order of its start; running queries first. */
  stop(): Promise<void>;
}

/** Disk space for a first start, with reserve. */
const HOME_BYTES = 150 * 1024 * 1024;
const POSTGRES_BYTES = 250 * 1024 * 1024;

/**
 * Starts PostgreSQL with its schema, the demo's data and accounts, the identity provider and both hosts. On a failure everything that
 * was started is stopped, and a home that this start created is removed.
 * @throws StartFailure with a sentence for the user at the terminal; the signal's reason when it was aborted
 */
export async function startSluice(options: StartOptions): Promise<RunningSluice> {
  const home = await claimHome(options.settings.home);
  const resources = createResourceStack();
  try {
    const running = await startIn(home, options, resources);
    return { ...running, stop: () => Promise.resolve(resources[Symbol.asyncDispose]()).finally(() => home.release()) };
  } catch (thrown) {
    await Promise.resolve(resources[Symbol.asyncDispose]()).catch(() => undefined);
    await home.discard();
    options.signal.throwIfAborted();
    throw startFailure('Sluice could not start', thrown);
  }
}

const startIn = async (
  home: Home,
  options: StartOptions,
  resources: ResourceStack,
): Promise<Omit<RunningSluice, 'stop'>> => {
  const { settings, announce, signal } = options;
  await ensureFreePorts(HOST, [
    { setting: 'API_PORT', port: settings.apiPort },
    { setting: 'STREAM_PORT', port: settings.streamPort },
    { setting: 'IDP_PORT', port: settings.identityProviderPort },
  ]);
  if (settings.engineUrl !== undefined && settings.dataFolder !== undefined) {
    throw new StartFailure(
      'SLUICE_DATA_DIR is served by DuckDB, and ENGINE_URL names a Trino instead: set only one of them.',
    );
  }
  // Reports a wrong folder before the slow work.
  if (settings.dataFolder !== undefined) await findDataFiles(settings.dataFolder);
  if (!existsSync(home.path('demo'))) await ensureDiskSpace(home.folder, HOME_BYTES);
  const masterKey = await ensureSecretFile(home.path('master.key'), () => randomBytes(32).toString('base64'));
  const resultKey = await ensureSecretFile(home.path('result.key'), () => randomBytes(32).toString('base64'));
  const results = { folder: home.path('results'), key: resultKey };
  const tls = settings.streamTlsPort === 0 ? undefined : await ensureServerIdentity(home);
  const postgres = await startPostgresOf(home, announce);
  resources.add(postgres);
  signal.throwIfAborted();
  const databaseUrls = await migrateDatabase(postgres);
  signal.throwIfAborted();
  const catalogs = settings.engineUrl === undefined ? await ensureCatalogs(home, options, resources) : undefined;
  const hasDemoTables = catalogs !== undefined;
  const issuer = issuerOn(settings.identityProviderPort);
  await ensureDemoAccounts({ databaseUrl: databaseUrls.api, host: HOST, issuer });
  signal.throwIfAborted();
  announce('Starting the identity provider and the hosts ...');
  const ports = { api: settings.apiPort, provider: settings.identityProviderPort };
  const provider = resources.add(await startIdentityProvider(await demoIdentityProvider(ports)));
  const addresses = await startHosts(
    { ...options, masterKey, results, tls, issuer, databaseUrls, catalogs },
    resources,
  );
  signal.throwIfAborted();
  const statePath = home.path('demo-seeded.json');
  const copiesFolder = home.path('demo-tenants');
  await seedDemo({ addresses, hasTables: hasDemoTables, statePath, copiesFolder, announce, signal });
  const url = addresses.api;
  const schema = options.environment['ENGINE_SCHEMA'];
  const firstStatement = hasDemoTables ? DEMO_SQL : await findFirstStatement({ url, schema, announce, signal });
  const failed = Promise.race([
    postgres.ended.then((error) => new StartFailure(`The embedded PostgreSQL ended unexpectedly: ${error}`)),
    provider.ended.then((error) => new StartFailure(`The development identity provider ended unexpectedly: ${error}`)),
  ]);
  return { addresses, firstStatement, failed };
};

const startPostgresOf = async (home: Home, announce: (line: string) => void): Promise<PostgresServer> => {
  const place = await postgresHome(home, announce);
  if (place.place === 'in temporary state') home.adopt(place.folder);
  const isFirst = !existsSync(place.folder);
  if (isFirst) await ensureDiskSpace(place.folder, POSTGRES_BYTES);
  announce(isFirst ? `Setting up PostgreSQL in ${place.folder} ...` : 'Starting PostgreSQL ...');
  return startPostgres({ folder: place.folder, secrets: place.secrets, durability: 'full', announce });
};

/** Migrates the database. The serving roles get new passwords at every start, so that none has to be stored. */
const migrateDatabase = async (postgres: PostgresServer): Promise<{ api: string; stream: string }> => {
  const apiRole = { name: 'sluice_api', password: randomPassword() };
  const streamRole = { name: 'sluice_stream', password: randomPassword() };
  const { ownerUrl } = postgres;
  const migrateBoth = async (): Promise<void> => {
    await migrate({ ownerUrl, apiRole, streamRole });
    await migrateJobs({ ownerUrl, apiRole: apiRole.name });
  };
  await migrateBoth().catch((thrown: unknown) => {
    throw startFailure('The database could not be migrated', thrown);
  });
  return {
    api: postgres.urlOf({ role: apiRole.name, password: apiRole.password }),
    stream: postgres.urlOf({ role: streamRole.name, password: streamRole.password }),
  };
};

/** Time between two looks at SLUICE_DATA_DIR. A change is served after at most two of them and the time to read the changed files. */
const FILES_EVERY_MS = 2_000;

const ensureCatalogs = async (
  home: Home,
  { settings, announce, signal }: StartOptions,
  resources: ResourceStack,
): Promise<Catalogs> => {
  const folder = home.path('demo');
  const demo = await ensureDemoData({ folder, announce, signal });
  const { dataFolder, dataMerge: merge } = settings;
  if (dataFolder === undefined) return { demo };
  const files = { database: home.path('files.duckdb'), report: home.path('files.json') };
  const stop = new AbortController();
  const catalog = new FilesCatalog({
    dataFolder,
    merge,
    path: files.database,
    reportPath: files.report,
    signal: AbortSignal.any([signal, stop.signal]),
  });
  const first = await catalog.refresh({ waits: false });
  for (const line of summaryLines(first, dataFolder)) announce(line);
  resources.add(watchFiles({ catalog, everyMs: FILES_EVERY_MS, stop, onWarning: announce }));
  return { demo, files };
};
