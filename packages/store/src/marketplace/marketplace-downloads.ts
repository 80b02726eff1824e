import type { Database } from '../database/database.ts';

/** Queries that are downloads of items. The rows are needed while the queries run; later, the audit records contain the same. */
export interface MarketplaceDownloads {
  /** Removes downloads that started longer ago than `retentionMs` and no longer run. The counts of an item stay. */
  deleteOld(retentionMs: number): Promise<void>;
}

/** Rows that one call removes; more would keep a transaction open for long. */
const REMOVED_MAX = 10_000;

const DELETE_OLD = `
  delete from marketplace_downloads d using (
    select m.tenant_id, m.query_id from marketplace_downloads m
    where m.started < now() - make_interval(secs => $1::float8 / 1000)
      and not exists (
        select 1 from queries q where q.tenant_id = m.tenant_id and q.query_id = m.query_id and q.ended is null
      )
    limit ${REMOVED_MAX}
  ) old
  where d.tenant_id = old.tenant_id and d.query_id = old.query_id
  returning 1`;

export function createMarketplaceDownloads(database: Database): MarketplaceDownloads {
  return {
    async deleteOld(retentionMs) {
      for (let removed = REMOVED_MAX; removed === REMOVED_MAX; ) {
        const rows = await database.acrossTenants((transaction) => transaction.query(DELETE_OLD, [retentionMs]));
        removed = rows.length;
      }
    },
  };
}
