import { createPostgresBackend, type PostgresConnectionOptions } from 'bullmq';
import pg from 'pg';
import type { JobBackend } from './bullmq-endpoint.ts';
import { openBullMqQueue } from './bullmq-queue.ts';
import type { JobQueue, JobQueueOptions } from './job-queue.ts';
import { JOBS_SCHEMA } from './migrate-jobs.ts';

interface PostgresJobsOptions extends JobQueueOptions {
  /** URL of the API host's role. It must connect to PostgreSQL directly: LISTEN does not work through a transaction pooler. */
  readonly url: string;
}

/** One connection for LISTEN, the others for queries. */
const CONNECTIONS_MAX = 4;
const TIMEOUT_MS = 3_000;

/** Opens jobs in PostgreSQL, in the tables of `migrateJobs`. Returns immediately, even while PostgreSQL is unavailable. */
export const openPostgresJobs = ({ url, ...options }: PostgresJobsOptions): JobQueue =>
  openBullMqQueue(() => connect(url), options);

function connect(url: string): JobBackend<PostgresConnectionOptions> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    application_name: 'sluice-jobs',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
    idle_in_transaction_session_timeout: TIMEOUT_MS,
    keepAlive: true,
    // BullMQ's statements name its tables without their schema.
    options: `-c search_path=${JOBS_SCHEMA}`,
  });
  // Without listeners a lost connection, idle or busy, would end the process. BullMQ's own listeners report the error.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const connection = pool as unknown as PostgresConnectionOptions;
  return {
    adding: connection,
    working: connection,
    factory: createPostgresBackend,
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
