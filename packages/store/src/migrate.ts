import knex, { type Knex } from 'knex';
import pg from 'pg';
import { schemaSteps } from './migrations/index.ts';
import type { SchemaStep } from './migrations/migration.ts';
import { grantServingRoles, type ServingRole } from './serving-roles.ts';
import { storeProblem } from './store-problem.ts';

export interface MigrateSettings {
  /** `postgres://` of the role that owns the schema; it needs CREATEROLE. */
  readonly ownerUrl: string;
  readonly apiRole: ServingRole;
  readonly streamRole: ServingRole;
  /** Default 2000. */
  readonly connectTimeoutMs?: number;
}

/** Any number; the same for every process that migrates a database. */
const MIGRATION_LOCK = 7_205_811;

const stepSource: Knex.MigrationSource<SchemaStep> = {
  getMigrations: async () => [...schemaSteps],
  getMigrationName: (step) => step.name,
  getMigration: async (step) => ({
    // Unescaped, knex takes a question mark for a parameter, in a regular expression too.
    up: (transaction) => transaction.raw(step.sql.replaceAll('?', '\\?')),
    // knex insists on one. There is no way back: a mistake is mended by another step.
    down: () => Promise.reject(new Error('The schema only goes forward.')),
  }),
};

const runSteps = async (settings: MigrateSettings): Promise<void> => {
  const migrator = knex({
    client: 'pg',
    connection: { connectionString: settings.ownerUrl, connectionTimeoutMillis: settings.connectTimeoutMs ?? 2000 },
    pool: { min: 0, max: 2 },
    acquireConnectionTimeout: 5000,
  });
  try {
    // A process that died while it migrated leaves knex's own lock for ever; ours goes with its connection.
    await migrator.migrate.forceFreeMigrationsLock({ migrationSource: stepSource });
    await migrator.migrate.latest({ migrationSource: stepSource });
  } finally {
    await migrator.destroy();
  }
};

/**
 * Brings the schema up to date, creates or updates the two serving roles with exactly their rights, and makes the audit
 * partitions of this month and the next two. Safe to run at every start, and by several processes at once.
 */
export async function migrate(settings: MigrateSettings): Promise<void> {
  const client = new pg.Client({
    connectionString: settings.ownerUrl,
    connectionTimeoutMillis: settings.connectTimeoutMs ?? 2000,
    application_name: 'sluice-migrate',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await runSteps(settings);
    await grantServingRoles(client, settings.apiRole, settings.streamRole);
    await client.query('select ensure_audit_partitions()');
  } catch (thrown) {
    throw storeProblem(thrown);
  } finally {
    await client.end().catch(() => undefined);
  }
}
