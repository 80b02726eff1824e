import { randomBytes } from 'node:crypto';
import { migrateJobs } from '@sluice/jobs';
import { migrate } from '@sluice/store/schema';
import pg from 'pg';
import { startPostgres, type TestRole, type TestServer } from './start-postgres.ts';

/** Time limits for what tests prepare in the database. A machine that stalls is not a database that does not respond. */
export const FIXTURE_TIMEOUTS = { connectTimeoutMs: 30_000, queryTimeoutMs: 20_000 } as const;

const { connectTimeoutMs } = FIXTURE_TIMEOUTS;

export interface TestDatabase extends AsyncDisposable {
  /** URL of the role that owns the schema; not a superuser. */
  readonly ownerUrl: string;
  readonly superuserUrl: string;
  readonly apiUrl: string;
  readonly streamUrl: string;
  /** Role for a test that runs `migrate` itself. Another password would lock out the other test files. */
  readonly apiRole: TestRole;
  readonly streamRole: TestRole;
  /** Drops the database and its open connections. The same as `[Symbol.asyncDispose]`. */
  dispose(): Promise<void>;
}

const OWNER = 'sluice_owner';
const TEMPLATE = 'sluice_template';
/** An arbitrary advisory lock, held while the template is created: one worker migrates, the others wait. */
const TEMPLATE_LOCK = 5_310_077;

/** Creates a database for one test file, with the schema of `@sluice/store` and no rows, as a copy of a migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await startPostgres();
  return withSuperuser(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureTemplate(client, server);
    return createFrom(client, server, TEMPLATE);
  });
}

/** Creates a database without a schema, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = await startPostgres();
  return withSuperuser(server, (client) => createFrom(client, server, 'template1'));
}

/** Creates the schema and its roles on a test's own server. They are removed with the server. */
export async function migrateOwnServer(superuserUrl: string): Promise<TestDatabase> {
  const apiRole = { name: 'sluice_api', password: 'api-password' };
  const streamRole = { name: 'sluice_stream', password: 'stream-password' };
  await migrate({ ownerUrl: superuserUrl, apiRole, streamRole, connectTimeoutMs });
  await migrateJobs({ ownerUrl: superuserUrl, apiRole: apiRole.name, connectTimeoutMs });
  const dispose = async (): Promise<void> => undefined;
  return {
    ownerUrl: superuserUrl,
    superuserUrl,
    apiUrl: asRole(superuserUrl, apiRole),
    streamUrl: asRole(superuserUrl, streamRole),
    apiRole,
    streamRole,
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

const ensureTemplate = async (client: pg.Client, server: TestServer): Promise<void> => {
  const found = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE]);
  if (found.rowCount === 1) return;
  const unfinished = `${TEMPLATE}_new`;
  await client.query(`drop database if exists ${unfinished}`);
  await client.query(`create database ${unfinished} owner ${OWNER}`);
  const { apiRole, streamRole } = server;
  const ownerUrl = onDatabase(server.ownerUrl, unfinished);
  await migrate({ ownerUrl, apiRole, streamRole, connectTimeoutMs });
  await migrateJobs({ ownerUrl, apiRole: apiRole.name, connectTimeoutMs });
  await client.query(`alter database ${unfinished} rename to ${TEMPLATE}`);
};

const createFrom = async (client: pg.Client, server: TestServer, template: string): Promise<TestDatabase> => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await client.query(`create database ${name} template ${template} owner ${OWNER}`);
  const ownerUrl = onDatabase(server.ownerUrl, name);
  const dispose = () =>
    withSuperuser(server, async (dropper) => {
      await dropper.query(`drop database if exists ${name} with (force)`);
    });
  return {
    ownerUrl,
    superuserUrl: onDatabase(server.superuserUrl, name),
    apiUrl: asRole(ownerUrl, server.apiRole),
    streamUrl: asRole(ownerUrl, server.streamRole),
    apiRole: server.apiRole,
    streamRole: server.streamRole,
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
};

const withSuperuser = async <T>(server: TestServer, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: onDatabase(server.superuserUrl, 'postgres') });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const onDatabase = (url: string, database: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
};

const asRole = (url: string, role: TestRole): string => {
  const changed = new URL(url);
  changed.username = role.name;
  changed.password = role.password;
  return changed.href;
};
