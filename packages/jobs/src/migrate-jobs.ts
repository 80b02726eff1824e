import { ProblemError } from '@sluice/contract';
import { DEFAULT_SCHEMA, runMigrations } from 'bullmq';
import pg from 'pg';

/** Schema of BullMQ's tables. A pool that is passed to BullMQ must use it. */
export const JOBS_SCHEMA = DEFAULT_SCHEMA;

/** Arbitrary key of an advisory lock that nothing else in the database uses. The lock ends with the connection. */
const MIGRATION_LOCK = 7_205_816;

interface MigrateJobsOptions {
  /** `postgres://` URL of the role that owns the schema. */
  readonly ownerUrl: string;
  /** Name of the API host's role, the only one with access to jobs. The role must exist. */
  readonly apiRole: string;
  /** Default 2000. */
  readonly connectTimeoutMs?: number;
}

/**
 * Migrates BullMQ's tables, in a separate schema, and grants the API host's role access to their rows. Concurrent calls wait for
 * one another. Throws `service_unavailable` with a sentence for the operator.
 */
export async function migrateJobs({ ownerUrl, apiRole, connectTimeoutMs = 2_000 }: MigrateJobsOptions): Promise<void> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'sluice-migrate',
    keepAlive: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // BullMQ locks its own migration, but two concurrent GRANTs fail with `tuple concurrently updated`.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await runMigrations(client);
    const role = client.escapeIdentifier(apiRole);
    await client.query(`
      grant usage on schema ${JOBS_SCHEMA} to ${role};
      grant select, insert, update, delete on all tables in schema ${JOBS_SCHEMA} to ${role};
      grant usage on all sequences in schema ${JOBS_SCHEMA} to ${role};
      grant execute on all functions in schema ${JOBS_SCHEMA} to ${role}`);
  } catch (cause) {
    throw new ProblemError(
      'service_unavailable',
      'The job tables could not be migrated. The owner role needs the CREATE privilege on the database.',
      { cause },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
