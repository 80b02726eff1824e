import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';

interface MarketplaceDownload {
  readonly tenantId: string;
  readonly queryId: string;
  readonly itemId: string;
  readonly version: number;
}

/** File of an item that was sent whole. */
interface CompleteDownload {
  readonly tenantId: string;
  readonly itemId: string;
  readonly format: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Queries that are downloads of items. The rows are needed while the queries run; later, the audit records contain the same. */
export interface MarketplaceDownloads {
  /** Stores a download before its query starts, so that code that stops queries can recognize it. */
  begin(download: MarketplaceDownload): Promise<void>;
  count(tenantId: string, itemId: string): Promise<void>;
  /** Stores the size of a complete file, in place of that of an earlier one. */
  noteComplete(download: CompleteDownload): Promise<void>;
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

const NOTE_COMPLETE = prepared(
  'note_complete_download',
  `
  insert into marketplace_counts as n (tenant_id, item_id, last_completed, last_rows, last_bytes, last_format)
  select tenant_id, item_id, clock_timestamp(), $3, $4, $5 from marketplace_items where tenant_id = $1 and item_id = $2
  on conflict (tenant_id, item_id) do update
    set last_completed = excluded.last_completed, last_rows = excluded.last_rows, last_bytes = excluded.last_bytes,
      last_format = excluded.last_format`,
);

export const createMarketplaceDownloads = (database: Database): MarketplaceDownloads => ({
  async begin({ tenantId, queryId, itemId, version }) {
    await database.run({ tenantId }, INSERT, [tenantId, queryId, itemId, version]);
  },
  async count(tenantId, itemId) {
    await database.run({ tenantId }, COUNT, [tenantId, itemId]);
  },
  async noteComplete({ tenantId, itemId, rows, bytes, format }) {
    await database.run({ tenantId }, NOTE_COMPLETE, [tenantId, itemId, rows, bytes, format]);
  },
  deleteOld: (retentionMs) =>
    changeInBatches(database, {
      change: 'delete from marketplace_downloads',
      table: 'marketplace_downloads',
      where: IS_OLD,
      values: [retentionMs],
    }),
});
