import {
  auditOf,
  type Caller,
  type DatamapSearchRequest,
  type DatamapSearchResponse,
  ProblemError,
  recordsMetadataReads,
  SEARCH_RECORDS_MAX,
  type SearchSortKey,
} from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { DatamapStore } from '@sluice/store/datamaps';
import type { SearchSort } from '@sluice/store/search';
import { seesAllDatamaps } from './datamap-access.ts';

/**
 * Searches datamaps, tables and views. Fails if the search cannot be recorded. Throws `access_denied` without `datamap:read` for all but
 * the caller's own drafts.
 */
export type SearchDatamaps = (caller: Caller, request: DatamapSearchRequest) => Promise<DatamapSearchResponse>;

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

/** Undefined for an empty search. A search for punctuation alone has no results. */
const searchTextOf = (q: string | undefined): string | undefined =>
  q === undefined || q.trim() === '' ? undefined : q;

export const createSearchDatamaps =
  ({ datamaps, audit }: SearchDatamapsDependencies): SearchDatamaps =>
  async (caller, request) => {
    const { principal } = caller;
    if (!principal.permissions.has('datamap:read') && request.advance_options?.own_drafts !== true) {
      throw new ProblemError(
        'access_denied',
        'Without the permission datamap:read, you can search only your own_drafts.',
      );
    }
    const account = { tenantId: principal.tenant.id, accountId: principal.id };
    const searchText = searchTextOf(request.q);
    const type = request.advance_options?.type ?? 'DATAMAP';
    const sortKey = request.sort_key ?? (searchText === undefined ? 'updated_ts' : 'relevance');
    const { from, size } = request;
    const read = () =>
      request.advance_options?.own_drafts === true
        ? datamaps.ownDrafts(account, { name: searchText?.trim(), from, size })
        : datamaps.search(account, {
            type,
            account: seesAllDatamaps(principal) ? null : principal.id,
            searchText,
            sort: SORTS[sortKey],
            isDescending: request.sort_value !== 'asc',
            from,
            size,
            onCount: caller.leaveShare,
          });
    const record = auditOf(caller, { action: 'SEARCH_DATAMAPS', target: type, metadata: { ...request } });
    const isRecorded = recordsMetadataReads(principal.tenant);
    const [found] = await Promise.all([read(), isRecorded ? audit.append(record) : undefined]);
    return { total: found.total, max_supported_records: SEARCH_RECORDS_MAX, data: [...found.records] };
  };
