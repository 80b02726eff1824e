import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLargeCatalog, LARGE_CATALOG_TABLES, type LargeCatalog } from '../../testing/large-catalog.ts';
import { rowsRead } from '../../testing/rows-read.ts';
import { idBounds, tableBounds } from './export-bounds.ts';
import {
  createMetadataExportStore,
  EXPORTED_DATAMAPS,
  EXPORTED_TABLES,
  type ExportedFact,
} from './metadata-export-store.ts';

/** Rows that the export of an object reads: itself, its fact and its column, and rows at the edges of index pages. */
const ROWS_PER_TABLE = 3;
const EDGES = 6;

let large: LargeCatalog;
beforeAll(async () => {
  large = await createLargeCatalog();
  await large.fill([
    `insert into facts (tenant_id, fact_id, type)
      select $1, (lpad(to_hex(n), 8, '0') || '-0000-4000-8000-000000000000')::uuid, 'DATAMAP' from generate_series(1, 2000) n`,
    `insert into datamaps (tenant_id, fact_id, name, display_name, state, owner_kind, owner_id, owner_name, config, created_by)
      select $1, fact_id, fact_id::text, 'one', 'PUBLISHED', 'user', gen_random_uuid(), 'a', '{}', 'a'
      from facts where tenant_id = $1 and type = 'DATAMAP'`,
  ]);
});
afterAll(async () => await large?.[Symbol.asyncDispose]());

describe('createMetadataExportStore', () => {
  it.each([
    [['big', 's1'], 't00399', 5],
    [['big', 's2'], 't000001', 1],
    [['big', 's1'], 'x', 0],
    [['big'], 's3', 0],
    [[], 'empty', 0],
    [['big', 's1'], 't%', 0],
    [['big', 's1'], 't______', 0],
  ])('reads only the tables of %j that begin with %s', async (parents, beginning, tables) => {
    const { first, end } = tableBounds({ parents, beginning }, undefined);
    const read = await rowsRead(large.database, EXPORTED_TABLES, [large.tenantId, ...first, ...end, true]);
    expect(read).toBeLessThanOrEqual(ROWS_PER_TABLE * tables + EDGES);
    const store = createMetadataExportStore(large.database);
    const query = { tenantId: large.tenantId, after: undefined, withAllFields: true, within: { parents, beginning } };
    expect(await store.tables(query)).toHaveLength(tables);
  });

  it.each([
    ['0000001', 16],
    ['000000ff', 1],
    ['ffff', 0],
  ])('reads only the datamaps whose ids begin with %s', async (idPrefix, datamaps) => {
    const { first, last } = idBounds(idPrefix) ?? { first: '', last: '' };
    const values = ['00000000-0000-0000-0000-000000000000', first, last, null, true];
    const read = await rowsRead(large.database, EXPORTED_DATAMAPS, [large.tenantId, ...values]);
    expect(read).toBeLessThanOrEqual(ROWS_PER_TABLE * datamaps + EDGES);
    const store = createMetadataExportStore(large.database);
    const query = { tenantId: large.tenantId, after: undefined, withAllFields: true, idPrefix, visibleTo: undefined };
    expect(await store.datamaps(query)).toHaveLength(datamaps);
    expect(await store.datamaps({ ...query, idPrefix: 'big' })).toEqual([]);
  });

  it('returns every table once over all pages', async () => {
    const store = createMetadataExportStore(large.database);
    const names: (string | undefined)[] = [];
    let after: ExportedFact | undefined;
    do {
      const within = { parents: ['big'], beginning: 's' };
      const page = await store.tables({ tenantId: large.tenantId, after, withAllFields: false, within });
      names.push(...page.map(({ name }) => name?.name));
      after = page.at(-1);
    } while (after !== undefined);
    expect([names.length, new Set(names).size]).toEqual([LARGE_CATALOG_TABLES, LARGE_CATALOG_TABLES]);
  });
});
