import { ProblemError } from '@sluice/contract';
import type pg from 'pg';
import { baselineStep } from '../migrations/0040-baseline.ts';
import { isBeforeBaseline } from '../migrations/migration.ts';

/** Number of the steps before the baseline, and the last of them. */
const EARLIER_STEPS = 42;
const LAST_EARLIER_STEP = '0039-single-statements';

/**
 * Finishes what hosts before the baseline did in the background, and removes what only they used: the folding of search words that were
 * only in lower case, counts of failed logins, and copies of statements. Hosts of the previous version that still serve read none of it. A
 * copy that differs from its audit record stays, and verification of the log reports it.
 */
const ADOPT = `
  do $body$
  begin
    -- Waits for a host that folds entries.
    perform from search_folding for update;
    while fold_search_entries() = 'more' loop end loop;
  end $body$;
  drop trigger search_entries_fold on search_entries;
  drop function fold_search_words(), fold_search_entries();
  drop table search_folding, login_throttles;

  -- While there is one, hosts of the previous version store copies.
  delete from hosts where not finds_statements;
  update queries q set sql = '',
      statement_bytes = octet_length(q.sql) + coalesce(octet_length((r.metadata -> 'parameters')::text), 0)
    from audit_log r
    where q.statement_bytes is null and r.tenant_id = q.tenant_id and r.occurred = q.started and r.id = q.audit_id
      and r.metadata ->> 'sql' = q.sql;
  update query_history set parameters = null where parameters is not null;

  insert into knex_migrations (name, batch, migration_time)
    select '${baselineStep.name}', max(batch) + 1, now() from knex_migrations;
`;

/**
 * Makes a database with all steps before the baseline equal to one that the baseline created, in one transaction, and records the baseline
 * as applied. Does nothing for a database without such steps, or if it is already adopted. Throws ProblemError if steps are missing.
 */
export async function adoptEarlierSchema(client: pg.Client, applied: readonly string[]): Promise<void> {
  const earlier = applied.filter(isBeforeBaseline);
  if (earlier.length === 0 || applied.includes(baselineStep.name)) return;
  if (earlier.length !== EARLIER_STEPS || !earlier.includes(LAST_EARLIER_STEP)) {
    throw new ProblemError(
      'service_unavailable',
      `The database schema is older than this version of Sluice can upgrade: its last step is ${earlier.at(-1)}, not ${LAST_EARLIER_STEP}. Start with an empty database (with \`npm start\`, an empty SLUICE_HOME), or run the migrate command of the last version before 0.2.0 first.`,
    );
  }
  // Without parameters, so that the server runs all statements in one transaction.
  await client.query(ADOPT);
}
