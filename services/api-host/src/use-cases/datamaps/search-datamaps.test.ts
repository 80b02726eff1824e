import { describe, expect, it } from '@jest/globals';
import type { AuditRecord, DatamapSearchRequest, Permission } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { createSearchDatamaps } from './search-datamaps.ts';

function fixture() {
  const records: AuditRecord[] = [];
  const searches: Record<string, unknown>[] = [];
  const dependencies = {
    datamaps: {
      search: async (_actor: unknown, search: object) => {
        searches.push({ ...search });
        return { total: 0, records: [] };
      },
    },
    audit: { append: async (record: AuditRecord) => void records.push(record) },
  };
  const search = createSearchDatamaps(dependencies as never);
  return {
    records,
    searches,
    search: (request: Partial<DatamapSearchRequest>, permissions: readonly Permission[] = ['datamap:read']) =>
      search(buildCaller('ann', permissions), { from: 0, size: 10, ...request } as DatamapSearchRequest),
  };
}

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
    await search({}, ['datamap:read', 'admin']);
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
