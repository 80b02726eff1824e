import pg from 'pg';
import { checkNotTooNew } from '../database/schema-state.ts';
import { storeProblem } from '../database/store-problem.ts';
import { schemaSteps } from '../migrations/index.ts';
import { isBeforeBaseline } from '../migrations/migration.ts';
import { adoptEarlierSchema } from './adopt-earlier-schema.ts';
import { LOCK_TIMEOUT_MS, retryOnLockTimeout } from './retry-on-lock-timeout.ts';
import { runSteps } from './run-steps.ts';
import { grantServingRoles, type ServingRole } from './serving-roles.ts';

interface MigrateSettings {
  /** `postgres://` URL of the role that owns the schema. It needs CREATEROLE to create the serving roles or set their passwords. */
  readonly ownerUrl: string;
  readonly apiRole: ServingRole;
  readonly streamRole: ServingRole;
  /** Default 2000. */
  readonly connectTimeoutMs?: number;
  /** Longest wait for a locked table, at each of twenty attempts. Default 500. */
  readonly lockTimeoutMs?: number;
}

/** Any number; the same for every process that migrates a database. */
const MIGRATION_LOCK = 7_205_811;
const appliedSteps = async (client: pg.Client): Promise<string[]> => {
  const found = await client.query(`select to_regclass('knex_migrations') is not null as found`);
  if (!found.rows[0]?.found) return [];
  const applied = await client.query<{ name: string }>('select name from knex_migrations order by id');
  return applied.rows.map(({ name }) => name);
};

const bringUpToDate = async (client: pg.Client, settings: MigrateSettings, lockTimeoutMs: number): Promise<void> => {
  const { ownerUrl, connectTimeoutMs = 2000 } = settings;
  const known = new Set(schemaSteps.map(({ name }) => name));
  const applied = await appliedSteps(client);
  checkNotTooNew(applied);
  await adoptEarlierSchema(client, applied);
  // Steps of other versions are not our concern, but knex would report them as missing files.
  const others = applied.filter((name) => !known.has(name));
  const steps = [...others.map((name) => ({ name, sql: '' })), ...schemaSteps];
  await runSteps({ ownerUrl, connectTimeoutMs, lockTimeoutMs, steps });
  // A later version has granted the rights of its hosts, and hosts of this version need no others.
  if (others.every(isBeforeBaseline)) await grantServingRoles(client, settings.apiRole, settings.streamRole);
  await client.query('select ensure_audit_partitions()');
};

/**
 * Updates the schema, creates or updates the two serving roles with exactly their rights, and creates the audit partitions of this month
 * and the next two. Hosts may serve meanwhile. Of several concurrent processes, one works and the others wait. A process that dies leaves
 * no partial step. Throws ProblemError with a message for the operator.
 */
export async function migrate(settings: MigrateSettings): Promise<void> {
  const { lockTimeoutMs = LOCK_TIMEOUT_MS } = settings;
  try {
    const client = new pg.Client({
      connectionString: settings.ownerUrl,
      connectionTimeoutMillis: settings.connectTimeoutMs ?? 2000,
      application_name: 'sluice-migrate',
      keepAlive: true,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      // Before the lock timeout is set: a process that waits for another migration waits until it has finished.
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await client.query(`set lock_timeout = ${Math.floor(lockTimeoutMs)}`);
      await retryOnLockTimeout(() => bringUpToDate(client, settings, lockTimeoutMs));
    } finally {
      await client.end().catch(() => undefined);
    }
  } catch (thrown) {
    throw storeProblem(thrown);
  }
}
