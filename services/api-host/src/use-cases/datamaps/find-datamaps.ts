import {
  auditOf,
  type Caller,
  type DatamapActivityRequest,
  type DatamapRecord,
  type DatamapSearchRequest,
  type DatamapSearchResponse,
  SEARCH_RECORDS_MAX,
  type SearchSortKey,
} from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { DatamapCounters, DatamapStore, StoredDatamap } from '@sluice/store/datamaps';
import type { SearchSort } from '@sluice/store/search';
import { datamapActor, seesAllDatamaps, visibleDatamap } from './datamap-access.ts';

export interface FindDatamapsDependencies {
  readonly datamaps: Pick<DatamapStore, 'find' | 'search' | 'setActivity'>;
  readonly counters: Pick<DatamapCounters, 'countView'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

const SORTS: Readonly<Record<SearchSortKey, SearchSort>> = {
  relevance: 'relevance',
  updated_ts: 'updated',
  'curated_info.query_count': 'query_count',
  'table_name.lowercase': 'sort_name',
};

/** The store has not counted this view yet, nor others that wait to be written, but this host knows of them. */
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

/** Nothing to look for is no question; signs alone are one, to which there is no answer. */
const questionOf = (q: string | undefined): string | undefined => (q === undefined || q.trim() === '' ? undefined : q);

/** No record, no answer. Throws `not_found` alike for what is missing and what is hidden. */
export function createFindDatamaps({ datamaps, counters, audit }: FindDatamapsDependencies) {
  return {
    async one(caller: Caller, id: string): Promise<StoredDatamap> {
      const { principal } = caller;
      const found = visibleDatamap(await datamaps.find(datamapActor(principal), id), principal);
      const { id: datamapId, datamap } = found.record;
      await audit.append(
        auditOf(caller, { action: 'READ_DATAMAP', target: datamap.name, metadata: { datamap_id: datamapId } }),
      );
      const view = { tenantId: principal.tenant.id, factId: datamapId, accountId: principal.id };
      return viewed(found, counters.countView(view));
    },

    async search(caller: Caller, wish: DatamapSearchRequest): Promise<DatamapSearchResponse> {
      const { principal } = caller;
      const question = questionOf(wish.q);
      const type = wish.advance_options?.type ?? 'DATAMAP';
      const sortKey = wish.sort_key ?? (question === undefined ? 'updated_ts' : 'relevance');
      const [found] = await Promise.all([
        datamaps.search(datamapActor(principal), {
          type,
          account: seesAllDatamaps(principal) ? null : principal.id,
          searchText: question,
          sort: SORTS[sortKey],
          isDescending: wish.sort_value !== 'asc',
          from: wish.from,
          size: wish.size,
        }),
        audit.append(auditOf(caller, { action: 'SEARCH_DATAMAPS', target: type, metadata: { ...wish } })),
      ]);
      return { total: found.total, max_supported_records: SEARCH_RECORDS_MAX, data: [...found.records] };
    },

    setActivity(caller: Caller, id: string, activity: DatamapActivityRequest): Promise<StoredDatamap> {
      const { principal } = caller;
      const decide = (found: StoredDatamap | undefined): void => void visibleDatamap(found, principal);
      const target = { id, activity: present(activity), decide };
      return datamaps.setActivity(datamapActor(principal), target, (before, after) =>
        auditOf(caller, {
          action: 'SET_DATAMAP_ACTIVITY',
          target: after?.record.datamap.name ?? '',
          metadata: { datamap_id: id, before: activityOf(before?.record), after: activityOf(after?.record) },
        }),
      );
    },
  };
}

type Activity = Pick<DatamapRecord['user_activity'], 'is_favourite' | 'rating' | 'vote'>;

const activityOf = (record: DatamapRecord | undefined): Activity | null => {
  if (record === undefined) return null;
  const { is_favourite, rating, vote } = record.user_activity;
  return { is_favourite, rating, vote };
};

/** An absent key is no key at all here: it leaves what there is. */
const present = ({ is_favourite, rating, vote }: DatamapActivityRequest): Partial<Activity> => ({
  ...(is_favourite === undefined ? {} : { is_favourite }),
  ...(rating === undefined ? {} : { rating }),
  ...(vote === undefined ? {} : { vote }),
});
