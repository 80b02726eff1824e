import { ProblemError } from '@sluice/contract';
import { DEFAULT_SCHEMA, runMigrations } from 'bullmq';
import pg from 'pg';

/** Where BullMQ keeps its tables: a pool that is handed to it knows no other. */
export const JOBS_SCHEMA = DEFAULT_SCHEMA;

/** Any number that nothing else in the database locks; the lock ends with the connection. */
const MIGRATION_LOCK = 7_205_816;

export interface MigrateJobsOptions {
  /** `postgres://` of the role that owns the schema. */
  readonly ownerUrl: string;
  /** Name of the API host's role, the only one that may touch jobs; it must be there. */
  readonly apiRole: string;
  /** Default 2000. */
  readonly connectTimeoutMs?: number;
}

/**
 * Brings BullMQ's own tables up to date, in a schema of their own, and gives the API host's role the rows, not the tables. Of
 * several processes at once one works and the others wait. Throws `service_unavailable` with a sentence for the operator.
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
    // BullMQ has a lock of its own for its tables, but two GRANTs at once fail with `tuple concurrently updated`.
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
      'The tables of jobs could not be brought up to date. The owner role needs CREATE on the database.',
      { cause },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
