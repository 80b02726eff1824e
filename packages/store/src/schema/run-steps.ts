import knex, { type Knex } from 'knex';
import type { SchemaStep } from '../migrations/migration.ts';

export interface StepsOptions {
  readonly ownerUrl: string;
  readonly connectTimeoutMs: number;
  readonly steps: readonly SchemaStep[];
  /** Longest wait of a statement for a lock: whoever asks for a table after us waits behind us as long. */
  readonly lockTimeoutMs: number;
}

const sourceOf = (steps: readonly SchemaStep[]): Knex.MigrationSource<SchemaStep> => ({
  getMigrations: async () => [...steps],
  getMigrationName: (step) => step.name,
  getMigration: async (step) => ({
    // Unescaped, knex takes a question mark for a parameter, in a regular expression too.
    up: (transaction) => transaction.raw(step.sql.replaceAll('?', '\\?')),
    // knex insists on one. There is no way back: a mistake is mended by another step.
    down: () => Promise.reject(new Error('The schema only goes forward.')),
  }),
});

const silent = () => undefined;

/** Takes the steps that are due and writes their rows in knex_migrations, all in one transaction. */
export async function runSteps({ ownerUrl, connectTimeoutMs, steps, lockTimeoutMs }: StepsOptions): Promise<void> {
  const migrationSource = sourceOf(steps);
  // Not in place: knex hands everything to the driver, though its types know only some of it.
  const connection = {
    connectionString: ownerUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'sluice-migrate',
    lock_timeout: lockTimeoutMs,
  };
  const migrator = knex({
    client: 'pg',
    connection,
    pool: { min: 0, max: 2 },
    acquireConnectionTimeout: 5000,
    // It would print to the console what is thrown besides.
    log: { warn: silent, error: silent, deprecate: silent, debug: silent },
  });
  try {
    // A process that died while it migrated leaves knex's own lock for ever; ours goes with its connection.
    await migrator.migrate.forceFreeMigrationsLock({ migrationSource });
    await migrator.migrate.latest({ migrationSource });
  } finally {
    await migrator.destroy();
  }
}
