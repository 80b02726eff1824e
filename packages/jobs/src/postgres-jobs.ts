import { createPostgresBackend, type PostgresConnectionOptions } from 'bullmq';
import pg from 'pg';
import type { JobBackend } from './bullmq-endpoint.ts';
import { openBullMqQueue } from './bullmq-queue.ts';
import type { JobQueue, JobQueueOptions } from './job-queue.ts';
import { JOBS_SCHEMA } from './migrate-jobs.ts';

export interface PostgresJobsOptions extends JobQueueOptions {
  /** Of the API host's role. It must reach PostgreSQL itself: LISTEN does not pass a pooler of transactions. */
  readonly url: string;
}

/** One listens, the others ask. */
const CONNECTIONS_MAX = 4;
const TIMEOUT_MS = 3_000;

/** Jobs in PostgreSQL, in the tables that `migrateJobs` made. Opens at once, whether PostgreSQL answers or not. */
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
  // Without listeners a lost connection would end the process, an idle one's or a busy one's; BullMQ has its own, which tell of it.
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
