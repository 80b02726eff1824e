import type { DatamapRecord, FactType } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';
import { checkPageBytes, type RecordSize } from '../search/limit-page-bytes.ts';
import { createSearchStore, type FactSearch } from '../search/search-store.ts';
import { type DatamapRow, datamapRecordOf, type TableRow, tableRecordOf } from './datamap-mapper.ts';
import { FIND_OWN_DRAFTS, HIT_RECORDS } from './datamap-statements.ts';

interface DatamapPage {
  readonly total: number;
  readonly records: readonly DatamapRecord[];
}

export interface OwnDraftsQuery {
  /** Part of the name, in any case. Undefined: all. */
  readonly name: string | undefined;
  readonly from: number;
  readonly size: number;
}

/** Row of a page. Without an id, it has only the total. */
type DraftRow = DatamapRow & RecordSize & { readonly fact_id: string | null; readonly total: string };

/** Account that searches. */
interface Searcher {
  readonly tenantId: string;
  readonly accountId: string;
}

/** Searches of datamaps, tables and views. */
export interface DatamapStore {
  search(account: Searcher, search: Omit<FactSearch, 'tenantId'>): Promise<DatamapPage>;
  /** Returns the datamaps that the account owns and has not published, last changed first. */
  ownDrafts(account: Searcher, page: OwnDraftsQuery): Promise<DatamapPage>;
  /** Returns whether the account owns a datamap. */
  ownsAny(account: Searcher): Promise<boolean>;
  /** Updates the kept counts of searches. Call it every few seconds. */
  updateCounts(): Promise<void>;
  /** Continues to refresh search entries that hosts of an earlier version have written. Call it every few seconds. */
  refreshOutdated(): Promise<void>;
}

const OWNS_ANY = prepared('owns_datamap', 'select 1 from datamaps where tenant_id = $1 and owner_id = $2 limit 1');

/** `counting` runs counts that take longer than a search may. Without it, searches wait for each other's counts. */
export function createDatamapStore(database: Database, counting = database): DatamapStore {
  const searches = createSearchStore({ database, counting }, HIT_RECORDS);
  return {
    async search({ tenantId, accountId }, search) {
      const { type } = search;
      const page = await searches.search<DatamapRow & TableRow>({ ...search, tenantId }, [accountId, tenantId]);
      const recordOf = (row: DatamapRow & TableRow, score: number) =>
        (isDatamap(type) ? datamapRecordOf : tableRecordOf)(row, { accountId, score });
      return { total: page.total, records: page.hits.map((hit) => recordOf(hit, hit.score)) };
    },
    async ownDrafts({ tenantId, accountId }, { name, from, size }) {
      const rows = await database.withTenant(tenantId, (transaction) =>
        transaction.query<DraftRow>(FIND_OWN_DRAFTS, [tenantId, accountId, from, size, name ?? null]),
      );
      checkPageBytes(rows);
      return {
        total: Number(rows[0]?.total ?? 0),
        records: rows.filter((row) => row.fact_id !== null).map((row) => datamapRecordOf(row, { accountId, score: 0 })),
      };
    },
    ownsAny: async ({ tenantId, accountId }) =>
      (await database.run({ tenantId }, OWNS_ANY, [tenantId, accountId])).length > 0,
    updateCounts: () => searches.updateCounts(),
    refreshOutdated: () => searches.refreshOutdated(),
  };
}

const isDatamap = (type: FactType): boolean => type === 'DATAMAP';
