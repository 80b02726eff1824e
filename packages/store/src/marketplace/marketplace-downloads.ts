import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';

interface MarketplaceDownload {
  readonly tenantId: string;
  readonly queryId: string;
  readonly itemId: string;
  readonly version: number;
}

/** Queries that are downloads of items. The rows are needed while the queries run; later, the audit records contain the same. */
export interface MarketplaceDownloads {
  /** Stores a download before its query starts, so that code that stops queries can recognize it. */
  begin(download: MarketplaceDownload): Promise<void>;
  count(tenantId: string, itemId: string): Promise<void>;
  /** Removes downloads that started longer ago than `retentionMs` and no longer run. The counts of an item stay. */
  deleteOld(retentionMs: number): Promise<void>;
}

const IS_OLD = `
  started < now() - make_interval(secs => $1::float8 / 1000) and not exists (
    select 1 from queries q
    where q.tenant_id = marketplace_downloads.tenant_id and q.query_id = marketplace_downloads.query_id and q.ended is null
  )`;

const INSERT = prepared(
  'begin_marketplace_download',
  'insert into marketplace_downloads (tenant_id, query_id, item_id, version) values ($1, $2, $3, $4)',
);

/** Does not count downloads of an item that was removed meanwhile. */
const COUNT = prepared(
  'count_marketplace_download',
  `
  insert into marketplace_counts as n (tenant_id, item_id, downloads, last_downloaded)
  select tenant_id, item_id, 1, now() from marketplace_items where tenant_id = $1 and item_id = $2
  on conflict (tenant_id, item_id) do update set downloads = n.downloads + 1, last_downloaded = now()`,
);

export const createMarketplaceDownloads = (database: Database): MarketplaceDownloads => ({
  async begin({ tenantId, queryId, itemId, version }) {
    await database.run({ tenantId }, INSERT, [tenantId, queryId, itemId, version]);
  },
  async count(tenantId, itemId) {
    await database.run({ tenantId }, COUNT, [tenantId, itemId]);
  },
  deleteOld: (retentionMs) =>
    changeInBatches(database, {
      change: 'delete from marketplace_downloads',
      table: 'marketplace_downloads',
      where: IS_OLD,
      values: [retentionMs],
    }),
});
