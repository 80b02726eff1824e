import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';

/** Queries that are downloads of items. The rows are needed while the queries run; later, the audit records contain the same. */
export interface MarketplaceDownloads {
  /** Removes downloads that started longer ago than `retentionMs` and no longer run. The counts of an item stay. */
  deleteOld(retentionMs: number): Promise<void>;
}

const IS_OLD = `
  started < now() - make_interval(secs => $1::float8 / 1000) and not exists (
    select 1 from queries q
    where q.tenant_id = marketplace_downloads.tenant_id and q.query_id = marketplace_downloads.query_id and q.ended is null
  )`;

export const createMarketplaceDownloads = (database: Database): MarketplaceDownloads => ({
  deleteOld: (retentionMs) =>
    changeInBatches(database, {
      change: 'delete from marketplace_downloads',
      table: 'marketplace_downloads',
      where: IS_OLD,
      values: [retentionMs],
    }),
});
