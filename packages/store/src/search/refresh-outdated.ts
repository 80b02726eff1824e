import type { Database } from '../database/database.ts';
import { refreshSearch } from './refresh-search.ts';

/** Entries that one statement looks at. */
const WINDOW = 5_000;
/** Facts whose rows are locked at once, shortly: a change of one of them waits meanwhile. */
const BATCH = 100;
/** Longest work of one call. */
const CALL_MS = 2_000;
/** While a release is rolled out, hosts of the previous version write entries too. */
const NEXT_PASS_MS = 3_600_000;

const FIRST = '00000000-0000-0000-0000-000000000000';

interface WindowRow {
  readonly tenant_id: string;
  readonly fact_id: string;
  readonly is_outdated: boolean;
}

const READ_WINDOW = `
  select tenant_id, fact_id, words_version = 0 as is_outdated from search_entries
  where (tenant_id, fact_id) > ($1::uuid, $2::uuid) order by tenant_id, fact_id limit ${WINDOW}`;

/** Skips facts that are being changed: their writer refreshes them, or the next pass does. */
const LOCK =
  'select fact_id from facts where tenant_id = $1 and fact_id = any($2) order by fact_id for update skip locked';

/**
 * Returns a function that refreshes entries without the lexemes of this version, in passes over all entries. Call it every few seconds: each call
 * continues where the last one ended, and after a pass nothing is read for an hour.
 */
export function createEntryUpgrade(database: Database, now: () => number = Date.now): () => Promise<void> {
  let after: readonly [tenantId: string, factId: string] = [FIRST, FIRST];
  let nextPassMs = 0;

  const refresh = async (tenantId: string, factIds: readonly string[]): Promise<void> => {
    await database.withTenant(tenantId, async (transaction) => {
      const locked = await transaction.query<{ fact_id: string }>(LOCK, [tenantId, factIds]);
      await refreshSearch(
        transaction,
        tenantId,
        locked.map(({ fact_id }) => fact_id),
      );
    });
  };

  return async () => {
    const endMs = now() + CALL_MS;
    while (now() >= nextPassMs && now() < endMs) {
      const rows = await database.acrossTenants((transaction) => transaction.query<WindowRow>(READ_WINDOW, [...after]));
      const outdated = rows.filter(({ is_outdated }) => is_outdated);
      const tenantId = outdated[0]?.tenant_id;
      const batch = outdated.filter((row) => row.tenant_id === tenantId).slice(0, BATCH);
      if (tenantId !== undefined)
        await refresh(
          tenantId,
          batch.map(({ fact_id }) => fact_id),
        );
      const last = batch.length < outdated.length ? batch.at(-1) : rows.at(-1);
      if (last !== undefined) after = [last.tenant_id, last.fact_id];
      if (batch.length === outdated.length && rows.length < WINDOW) {
        after = [FIRST, FIRST];
        nextPassMs = now() + NEXT_PASS_MS;
      }
    }
  };
}
