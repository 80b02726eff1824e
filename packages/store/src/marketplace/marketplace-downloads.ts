import type { Database } from '../database/database.ts';

/** Which queries were downloads of items. It is needed while they run; afterwards their audit records tell of them. */
export interface MarketplaceDownloads {
  /** Forgets those that began so long ago, but for such as still run. What is counted of an item stays. */
  forgetOld(retentionMs: number): Promise<void>;
}

/** Removed at once; more would keep a transaction open for long. */
const REMOVED_MAX = 10_000;

const FORGET = `
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
    async forgetOld(retentionMs) {
      for (let removed = REMOVED_MAX; removed === REMOVED_MAX; ) {
        const rows = await database.acrossTenants((transaction) => transaction.query(FORGET, [retentionMs]));
        removed = rows.length;
      }
    },
  };
}
