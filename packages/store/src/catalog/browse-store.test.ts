import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLargeCatalog, LARGE_CATALOG_TABLES, type LargeCatalog } from '../../testing/large-catalog.ts';
import { rowsRead } from '../../testing/rows-read.ts';
import type { PreparedStatement } from '../database/transaction.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { FIND_TABLE, LIST_CATALOGS, LIST_SCHEMAS, LIST_TABLES } from './browse-statements.ts';
import { createBrowseStore } from './browse-store.ts';

/** Rows that a page of one entry may read: itself, the next one, and rows at the edges of index pages. */
const ROWS_MAX = 6;

let large: LargeCatalog;
beforeAll(async () => {
  large = await createLargeCatalog();
});
afterAll(async () => await large?.[Symbol.asyncDispose]());

describe('createBrowseStore', () => {
  it.each<[string, PreparedStatement, unknown[]]>([
    ['the first table of a schema', LIST_TABLES, ['', '', 1, 'big', 's2']],
    ['a table in the middle of a schema', LIST_TABLES, ['t002000', '', 1, 'big', 's2']],
    ['a table by the prefix of its name', LIST_TABLES, ['', 't00399', 1, 'big', 's1']],
    ['no table by a prefix that none has', LIST_TABLES, ['', 'x', 1000, 'big', 's1']],
    ['the schemas of a catalog', LIST_SCHEMAS, ['', '', 3, 'big']],
    ['the catalogs', LIST_CATALOGS, ['', '', 3]],
    ['a table with its columns', FIND_TABLE, ['big', 's2', 't000001']],
  ])('finds %s without reading other tables', async (_what, statement, values) => {
    expect(await rowsRead(large.database, statement, [large.tenantId, ...values])).toBeLessThanOrEqual(ROWS_MAX);
  });

  it('returns counts, pages and tables of the tenant only', async () => {
    const { database, tenantId } = large;
    const browse = createBrowseStore(database);
    expect(await browse.listCatalogs(tenantId, { size: 1 })).toEqual({
      entries: [
        expect.objectContaining({
          name: 'big',
          schema_count: 2,
          table_count: LARGE_CATALOG_TABLES,
          harvested_ts: null,
        }),
      ],
      next: 'big',
    });
    expect(await browse.listSchemas(tenantId, 'empty', { size: 5 })).toEqual({ entries: [], next: undefined });
    expect(await browse.listSchemas(tenantId, 'none', { size: 5 })).toBeUndefined();
    const page = await browse.listTables(tenantId, { catalog: 'big', schema: 's1' }, { after: 't003996', size: 1 });
    expect(page).toMatchObject({ entries: [{ name: 't003998', type: 'TABLE', tags: [] }], next: 't003998' });
    expect(await browse.listTables(tenantId, { catalog: 'big', schema: 's3' }, { size: 1 })).toBeUndefined();
    const other = await createTenantStore(database).create({ name: 'other' });
    expect(await browse.listCatalogs(other.id, { size: 5 })).toEqual({ entries: [], next: undefined });
    expect(await browse.findTable(other.id, { catalog: 'big', schema: 's2', table: 't000001' })).toBeUndefined();
  });
});
