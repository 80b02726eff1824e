import { ProblemError } from '@sluice/contract';
import { schemaSteps } from '../migrations/index.ts';
import { isBeforeBaseline, isContracting } from '../migrations/migration.ts';
import type { Row } from './transaction.ts';

/** Runs one statement on a connection, pool or transaction. */
type RunStatement = (text: string) => Promise<readonly Row[]>;

const notServed = (sentence: string): ProblemError => new ProblemError('service_unavailable', sentence);

/** `undefined_table`, `insufficient_privilege`: the database was never migrated, or by a version without a state that hosts can read. */
const UNMIGRATED_STATES = new Set(['42P01', '42501']);

/** Throws unless this version can serve the schema with these steps: no step is missing, and no unknown step removed anything. */
function checkSteps(applied: readonly string[]): void {
  const missing = schemaSteps.filter(({ name }) => !applied.includes(name));
  if (missing[0] !== undefined) {
    throw notServed(
      `The database schema is older than this version of Sluice: ${missing[0].name} is missing. Run the migrate command of this version.`,
    );
  }
  checkNotTooNew(applied);
}

/** Additions of a later version are accepted: during an upgrade, hosts of both versions serve side by side. */
export function checkNotTooNew(applied: readonly string[]): void {
  const known = new Set(schemaSteps.map(({ name }) => name));
  const later = applied.filter((name) => !known.has(name) && !isBeforeBaseline(name));
  const contracting = later.find(isContracting);
  if (contracting === undefined) return;
  throw notServed(
    `The database schema is newer than this version of Sluice can serve: it has ${contracting}. Run a newer version.`,
  );
}

/** Throws an error for the operator when another version owns the schema or the role bypasses row-level security. */
export async function checkSchema(runStatement: RunStatement): Promise<void> {
  const [state] = await runStatement(
    `select array(select name::text from knex_migrations order by id) as steps, row_security_active('queries') as bound`,
  ).catch((thrown: unknown) => {
    const code: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;
    if (typeof code !== 'string' || !UNMIGRATED_STATES.has(code)) throw thrown;
    return [{ steps: [], bound: true }];
  });
  checkSteps((state?.['steps'] ?? []) as string[]);
  if (state?.['bound'] !== true) {
    throw notServed(
      'The role of DATABASE_URL bypasses row-level security: it owns the tables, is a superuser or has BYPASSRLS. Use the serving role.',
    );
  }
}
