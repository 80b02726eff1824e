import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tenant } from '@sluice/contract';
import type { RunningHost } from '@sluice/host-runtime';
import { createLogger, type Logger } from '@sluice/observability';
import { type StreamHost, startStreamHost } from '@sluice/stream-host';
import {
  type AccountBuilders,
  type BuiltUser,
  createAccountBuilders,
  createDatabaseProxy,
  createTestDatabase,
  type DatabaseProxy,
  SuperuserRows,
  type TestDatabase,
} from '@sluice/testkit';
import { type Settings, streamEnvironment } from './host-environment.ts';
import { createTestLog, dropTestDatabase, startTestApi } from './start-test-api.ts';
import { createTables, TESTED_ENGINE, type TestedEngine } from './tested-engine.ts';

export interface TestHosts extends AsyncDisposable {
  readonly api: RunningHost;
  readonly stream: StreamHost;
  /** URL of the stream host. */
  readonly url: string;
  readonly testDatabase: TestDatabase;
  /** Proxy between the stream host and PostgreSQL. */
  readonly proxy: DatabaseProxy;
  readonly build: AccountBuilders;
  /** The default tenant. */
  readonly acme: Tenant;
  readonly globex: Tenant;
  /** An analyst of acme. */
  readonly ann: BuiltUser;
  /** Folder of the DuckDB database and of files of the test. */
  readonly folder: string;
  /** Environment of the stream host, to start a second one. */
  readonly environment: Readonly<Record<string, string>>;
  /** Environment of the API host, to start a second one. */
  readonly apiEnvironment: Readonly<Record<string, string>>;
  /** All log lines of the stream host. */
  readonly logLines: string[];
  /** Runs a statement as superuser, without row-level security. */
  rows<R extends object>(text: string, values?: unknown[]): Promise<R[]>;
}

export const OPERATOR_TOKEN = 'the-operator-token-of-the-tests-of-both-hosts';

/**
 * Workers start when they are needed, unless a file sets WORKERS_WARM: one takes 0.22 s of processor time, and most files run one query
 * at a time.
 */
const NO_WARM_WORKERS = { WORKERS_WARM: '0', WORKERS_WARM_PER_TENANT: '0' };

interface StartHostsOptions {
  /** Default: the engine of the test run. */
  readonly engine?: TestedEngine | undefined;
  /** Default: a new database. */
  readonly database?: TestDatabase;
  /** Whether the API host has the engine too, so that its tables are in the catalog. */
  readonly isHarvested?: boolean;
  /** Further settings of the API host. */
  readonly apiSettings?: Settings;
  /** Log of the API host. Default: none. */
  readonly apiLog?: Logger;
}

/** Starts both hosts with a database, an engine with a few tables, and the tenants acme and globex. The settings are those of the stream host. */
export async function startHosts(
  settings: Settings = {},
  { engine = TESTED_ENGINE, database, isHarvested = false, apiSettings = {}, apiLog }: StartHostsOptions = {},
): Promise<TestHosts> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-stream-'));
  const tables = await createTables(engine, folder);
  const testDatabase = database ?? (await createTestDatabase());
  const proxy = await createDatabaseProxy(testDatabase.streamUrl);
  const nameKey = { AUDIT_NAME_KEY: randomBytes(32).toString('base64') };
  const silent = createLogger({ service: 'test', level: 'silent' });
  const { host: api, environment: apiEnvironment } = await startTestApi(
    testDatabase,
    {
      ...nameKey,
      OPERATOR_TOKEN,
      SSO_PRIVATE_HOSTS: '127.0.0.1:*',
      ...(isHarvested ? tables.settings : {}),
      ...(settings['HOST_SILENCE'] === undefined ? {} : { HOST_SILENCE: settings['HOST_SILENCE'] }), // the same on all hosts
      ...apiSettings,
    },
    { log: apiLog ?? silent },
  );
  const environment = streamEnvironment(proxy.url, api.url, {
    ...nameKey,
    ...tables.settings,
    WORKERS_MAX: '6',
    ...(settings['WORKERS_WARM'] === undefined ? NO_WARM_WORKERS : {}),
    ...settings,
  });
  const { log, lines: logLines } = createTestLog();
  const stream = await startStreamHost({ environment, overrides: { log } });
  const superuser = new SuperuserRows(testDatabase.superuserUrl);
  const build = createAccountBuilders(testDatabase.apiUrl);
  const acme = await build.tenant({ name: 'acme' });
  const globex = await build.tenant({ name: 'globex' });
  const ann = await build.user(acme);
  return {
    api,
    stream,
    url: stream.url,
    testDatabase,
    proxy,
    build,
    acme,
    globex,
    ann,
    folder,
    environment,
    apiEnvironment,
    logLines,
    rows: (text, values) => superuser.rows(text, values),
    async [Symbol.asyncDispose]() {
      proxy.restore();
      await stream[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
      await build[Symbol.asyncDispose]();
      await superuser[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      await tables[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
      await dropTestDatabase(testDatabase);
    },
  };
}
