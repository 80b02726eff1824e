import {
  auditOf,
  type Caller,
  type DatamapSearchRequest,
  type DatamapSearchResponse,
  SEARCH_RECORDS_MAX,
  type SearchSortKey,
} from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { DatamapCounters, DatamapStore, StoredDatamap } from '@sluice/store/datamaps';
import type { SearchSort } from '@sluice/store/search';
import { datamapActor, seesAllDatamaps, visibleDatamap } from './datamap-access.ts';

/** Returns a datamap and counts the view. Throws `not_found` for a missing and a hidden one; fails if the read cannot be recorded. */
type FindDatamap = (caller: Caller, id: string) => Promise<StoredDatamap>;
/** Searches datamaps, tables and views. Fails if the search cannot be recorded. */
type SearchDatamaps = (caller: Caller, request: DatamapSearchRequest) => Promise<DatamapSearchResponse>;

interface FindDatamapDependencies {
  readonly datamaps: Pick<DatamapStore, 'find'>;
  readonly counters: Pick<DatamapCounters, 'countView'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

interface SearchDatamapsDependencies {
  readonly datamaps: Pick<DatamapStore, 'search' | 'ownDrafts'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

const SORTS: Readonly<Record<SearchSortKey, SearchSort>> = {
  relevance: 'relevance',
  updated_ts: 'updated',
  'curated_info.query_count': 'query_count',
  'table_name.lowercase': 'sort_name',
};

/** Adds this view and those that this host has not written yet to the counts of the store. */
const viewed = ({ record, ...stored }: StoredDatamap, noted: { own: number; all: number }): StoredDatamap => ({
  ...stored,
  record: {
    ...record,
    view_count: record.view_count + noted.all,
    user_activity: {
      ...record.user_activity,
      viewed: record.user_activity.viewed + noted.own,
      last_viewed_timestamp: Date.now(),
    },
  },
});

/** Undefined for an empty search. A search for punctuation alone has no results. */
const searchTextOf = (q: string | undefined): string | undefined =>
  q === undefined || q.trim() === '' ? undefined : q;

export const createFindDatamap =
  ({ datamaps, counters, audit }: FindDatamapDependencies): FindDatamap =>
  async (caller, id) => {
    const { principal } = caller;
    const found = visibleDatamap(await datamaps.find(datamapActor(principal), id), principal);
    const { id: datamapId, datamap } = found.record;
    await audit.append(
      auditOf(caller, { action: 'READ_DATAMAP', target: datamap.name, metadata: { datamap_id: datamapId } }),
    );
    const view = { tenantId: principal.tenant.id, factId: datamapId, accountId: principal.id };
    return viewed(found, counters.countView(view));
  };

export const createSearchDatamaps =
  ({ datamaps, audit }: SearchDatamapsDependencies): SearchDatamaps =>
  async (caller, request) => {
    const { principal } = caller;
    const searchText = searchTextOf(request.q);
    const type = request.advance_options?.type ?? 'DATAMAP';
    const sortKey = request.sort_key ?? (searchText === undefined ? 'updated_ts' : 'relevance');
    const { from, size } = request;
    const read = () =>
      request.advance_options?.own_drafts === true
        ? datamaps.ownDrafts(datamapActor(principal), { name: searchText?.trim(), from, size })
        : datamaps.search(datamapActor(principal), {
            type,
            account: seesAllDatamaps(principal) ? null : principal.id,
            searchText,
            sort: SORTS[sortKey],
            isDescending: request.sort_value !== 'asc',
            from,
            size,
            onCount: caller.leaveShare,
          });
    const [found] = await Promise.all([
      read(),
      audit.append(auditOf(caller, { action: 'SEARCH_DATAMAPS', target: type, metadata: { ...request } })),
    ]);
    return { total: found.total, max_supported_records: SEARCH_RECORDS_MAX, data: [...found.records] };
  };
