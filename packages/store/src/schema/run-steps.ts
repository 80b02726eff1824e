import knex, { type Knex } from 'knex';
import type { SchemaStep } from '../migrations/migration.ts';

interface StepsOptions {
  readonly ownerUrl: string;
  readonly connectTimeoutMs: number;
  readonly steps: readonly SchemaStep[];
  /** Longest wait of a statement for a lock. A request that needs the same table waits behind it for as long. */
  readonly lockTimeoutMs: number;
}

const sourceOf = (steps: readonly SchemaStep[]): Knex.MigrationSource<SchemaStep> => ({
  getMigrations: async () => [...steps],
  getMigrationName: (step) => step.name,
  getMigration: async (step) => ({
    // Unescaped, knex interprets a question mark as a parameter, in a regular expression too.
    up: (transaction) => transaction.raw(step.sql.replaceAll('?', '\\?')),
    // knex requires one. There is no way back: another step corrects a violation.
    down: () => Promise.reject(new Error('The schema only goes forward.')),
  }),
});

const silent = () => undefined;

/** A migration that is lost inside its transaction must not keep the locks of tables. It only waits for the server. */
const IDLE_TIMEOUT_MS = 30_000;

/** The pool waits a little longer than a connection may take, so that the error is that of the connection. */
const ACQUIRE_MARGIN_MS = 3000;

/** Runs the missing steps and writes their rows in knex_migrations, all in one transaction. */
export async function runSteps({ ownerUrl, connectTimeoutMs, steps, lockTimeoutMs }: StepsOptions): Promise<void> {
  const migrationSource = sourceOf(steps);
  // Copied because knex passes everything to the driver, although its types declare only some of it.
  const connection = {
    connectionString: ownerUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'sluice-migrate',
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
  };
  const migrator = knex({
    client: 'pg',
    connection,
    pool: { min: 0, max: 2 },
    acquireConnectionTimeout: connectTimeoutMs + ACQUIRE_MARGIN_MS,
    // Without these, it would print to the console what it also throws.
    log: { warn: silent, error: silent, deprecate: silent, debug: silent },
  });
  try {
    // knex's own lock survives a process that died while it migrated; ours ends with its connection.
    await migrator.migrate.forceFreeMigrationsLock({ migrationSource });
    await migrator.migrate.latest({ migrationSource });
  } finally {
    await migrator.destroy();
  }
}
