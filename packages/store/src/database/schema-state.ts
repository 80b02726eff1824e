import { ProblemError } from '@sluice/contract';
import { schemaSteps } from '../migrations/index.ts';
import { isContracting } from '../migrations/migration.ts';
import type { Row } from './transaction.ts';

/** Runs one statement; a connection, pool or transaction. */
export type RunStatement = (text: string) => Promise<readonly Row[]>;

const notServed = (sentence: string): ProblemError => new ProblemError('service_unavailable', sentence);

/** `undefined_table`, `insufficient_privilege`: nobody migrated here, or a version did that kept no state for hosts to read. */
const UNMIGRATED_STATES = new Set(['42P01', '42501']);

/** Throws unless this version can serve the schema whose steps these are: none missing, and none taken that took away. */
export function checkSteps(applied: readonly string[]): void {
  const missing = schemaSteps.filter(({ name }) => !applied.includes(name));
  if (missing[0] !== undefined) {
    throw notServed(
      `The database schema is older than this version of Sluice: ${missing[0].name} is missing. Run the migrate command of this version.`,
    );
  }
  checkNotTooNew(applied);
}

/** Steps that a later version added may stay: hosts of both versions serve side by side while one replaces the other. */
export function checkNotTooNew(applied: readonly string[]): void {
  const known = new Set(schemaSteps.map(({ name }) => name));
  const contracting = applied.find((name) => !known.has(name) && isContracting(name));
  if (contracting === undefined) return;
  throw notServed(
    `The database schema is newer than this version of Sluice can serve: it has ${contracting}. Run a newer version.`,
  );
}

/** Throws one sentence for the operator when the schema is another version's or the role is above row-level security. */
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
      'The role of DATABASE_URL is above row-level security: it owns the tables, is a superuser or has BYPASSRLS. Use the serving role.',
    );
  }
}
