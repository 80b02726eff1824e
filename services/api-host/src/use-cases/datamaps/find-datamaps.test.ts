import { describe, expect, it } from '@jest/globals';
import type { AuditRecord, DatamapSearchRequest, Permission } from '@sluice/contract';
import type { StoredDatamap } from '@sluice/store/datamaps';
import { buildCaller } from '@sluice/testkit';
import { createFindDatamap, createSearchDatamaps } from './find-datamaps.ts';

const STORED = {
  version: 1,
  record: {
    id: 'map',
    datamap: { name: 'Sales', state: 'PUBLISHED' },
    view_count: 10,
    user_activity: { viewed: 2, last_viewed_timestamp: null },
  },
} as unknown as StoredDatamap;

function fixture() {
  const records: AuditRecord[] = [];
  const searches: Record<string, unknown>[] = [];
  const views: unknown[] = [];
  const dependencies = {
    datamaps: {
      find: async (_actor: unknown, id: string) => (id === 'map' ? STORED : undefined),
      search: async (_actor: unknown, search: object) => {
        searches.push({ ...search });
        return { total: 0, records: [] };
      },
    },
    counters: {
      countView: (view: unknown) => {
        views.push(view);
        return { own: 1, all: 3 };
      },
    },
    audit: { append: async (record: AuditRecord) => void records.push(record) },
  };
  const search = createSearchDatamaps(dependencies as never);
  return {
    records,
    searches,
    views,
    find: createFindDatamap(dependencies as never),
    search: (request: Partial<DatamapSearchRequest>, permissions: readonly Permission[] = ['datamap:read']) =>
      search(buildCaller('ann', permissions), { from: 0, size: 10, ...request } as DatamapSearchRequest),
  };
}

describe('a datamap', () => {
  it('is read with a record, and shows the view at once', async () => {
    const { find, records, views } = fixture();
    const before = Date.now();
    const { record } = await find(buildCaller('ann', ['datamap:read']), 'map');
    expect([record.view_count, record.user_activity.viewed]).toEqual([13, 3]);
    expect(record.user_activity.last_viewed_timestamp).toBeGreaterThanOrEqual(before);
    expect(views).toEqual([{ tenantId: 't', factId: 'map', accountId: 'ann' }]);
    expect(records).toMatchObject([{ action: 'READ_DATAMAP', target: 'Sales', metadata: { datamap_id: 'map' } }]);
  });

  it('that does not exist counts no view', async () => {
    const { find, records, views } = fixture();
    await expect(find(buildCaller('ann', ['datamap:read']), 'other')).rejects.toMatchObject({ code: 'not_found' });
    expect([records, views]).toEqual([[], []]);
  });
});

describe('a search', () => {
  it.each([
    [{}, { searchText: undefined, sort: 'updated', isDescending: true }],
    [{ q: '  ' }, { searchText: undefined, sort: 'updated' }],
    [{ q: '!' }, { searchText: '!', sort: 'relevance' }],
    [
      { q: 'a', sort_key: 'table_name.lowercase', sort_value: 'asc' },
      { sort: 'sort_name', isDescending: false },
    ],
    [{ advance_options: { type: 'TABLE' } }, { type: 'TABLE' }],
  ])('with %j asks the store for %j', async (request, asked) => {
    const { search, searches } = fixture();
    await search(request as Partial<DatamapSearchRequest>);
    expect(searches).toMatchObject([asked]);
  });

  it('finds drafts of others for callers who may see all only', async () => {
    const { search, searches } = fixture();
    await search({});
    await search({}, ['admin']);
    expect(searches.map(({ account }) => account)).toEqual(['ann', null]);
  });

  it('is recorded with what was asked', async () => {
    const { search, records } = fixture();
    await search({ q: 'a', size: 5 });
    expect(records).toMatchObject([
      { action: 'SEARCH_DATAMAPS', target: 'DATAMAP', metadata: { q: 'a', from: 0, size: 5 } },
    ]);
  });
});
