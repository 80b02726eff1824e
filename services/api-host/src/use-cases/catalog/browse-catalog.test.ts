import { describe, expect, it } from '@jest/globals';
import { createPageTokens, createValueSeal } from '@sluice/auth';
import type { AuditRecord } from '@sluice/contract';
import type { BrowseStore, NamePage } from '@sluice/store/catalog';
import { buildCaller } from '@sluice/testkit';
import { createFindTable, createListCatalogs, createListSchemas, createListTables } from './browse-catalog.ts';

const ann = buildCaller('ann');
const NAMES = ['alpha', 'beta', 'bravo', 'gamma'];

/** One catalog `shop` with the schema `main`; every list has the same names. */
function fixture(auditFails?: Error) {
  const records: AuditRecord[] = [];
  const listNames = async ({ prefix = '', after = '', size }: NamePage) => {
    const rest = NAMES.filter((name) => name.startsWith(prefix) && name > after);
    return {
      entries: rest.slice(0, size).map((name) => ({ name })),
      next: rest.length > size ? rest[size - 1] : undefined,
    };
  };
  const browse = {
    listCatalogs: (_tenantId: string, page: NamePage) => listNames(page),
    listSchemas: async (_tenantId: string, catalog: string, page: NamePage) =>
      catalog === 'shop' ? listNames(page) : undefined,
    listTables: async (_tenantId: string, parent: { readonly schema: string }, page: NamePage) =>
      parent.schema === 'main' ? listNames(page) : undefined,
    findTable: async (_tenantId: string, { table }: { readonly table: string }) =>
      table === 'my.items' ? { table: { columns: [] }, version: 3 } : undefined,
  } as unknown as BrowseStore;
  const audit = {
    append: async (record: AuditRecord) => {
      if (auditFails !== undefined) throw auditFails;
      records.push(record);
    },
  };
  const pageTokens = createPageTokens(() => createValueSeal({ current: Buffer.alloc(32, 7) }));
  const dependencies = { browse, audit, pageTokens };
  const catalog = {
    listCatalogs: createListCatalogs(dependencies),
    listSchemas: createListSchemas(dependencies),
    listTables: createListTables(dependencies),
    findTable: createFindTable(dependencies),
  };
  return { records, catalog };
}

describe('a list of the catalog', () => {
  it('continues with its prefix where the last page ended, and every page is recorded', async () => {
    const { records, catalog } = fixture();
    const parent = { catalog: 'shop', schema: 'main' };
    const first = await catalog.listTables(ann, { ...parent, prefix: 'b', size: 1 });
    const second = await catalog.listTables(ann, { ...parent, page_token: first.next_page_token, size: 5 });
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['beta', 'bravo']);
    expect(second).not.toHaveProperty('next_page_token');
    expect(records).toMatchObject([
      { action: 'READ_CATALOG', target: 'main', metadata: { ...parent, prefix: 'b', size: 1 } },
      { action: 'READ_CATALOG', target: 'main', metadata: { ...parent, prefix: 'b', size: 5 } },
    ]);
  });

  it('rejects a token of another list, caller or prefix', async () => {
    const { catalog } = fixture();
    const { next_page_token } = await catalog.listSchemas(ann, { catalog: 'shop', prefix: 'b', size: 1 });
    const query = { page_token: next_page_token };
    const invalid = { code: 'invalid_page_token' };
    await expect(catalog.listCatalogs(ann, query)).rejects.toMatchObject(invalid);
    await expect(catalog.listSchemas(ann, { catalog: 'other', ...query })).rejects.toMatchObject(invalid);
    await expect(catalog.listSchemas(buildCaller('bob'), { catalog: 'shop', ...query })).rejects.toMatchObject(invalid);
    await expect(catalog.listSchemas(ann, { catalog: 'shop', ...query, prefix: 'a' })).rejects.toMatchObject(invalid);
    expect((await catalog.listSchemas(ann, { catalog: 'shop', ...query, prefix: 'b' })).data).toEqual([
      { name: 'bravo' },
    ]);
  });

  it('of an unknown parent is not_found and not recorded', async () => {
    const { records, catalog } = fixture();
    const missing = { code: 'not_found' };
    await expect(catalog.listSchemas(ann, { catalog: 'Shop' })).rejects.toMatchObject(missing);
    await expect(catalog.listTables(ann, { catalog: 'shop', schema: 'x' })).rejects.toMatchObject(missing);
    expect(records).toEqual([]);
  });
});

describe('a table', () => {
  it('has an id that quotes its name, and is recorded under it', async () => {
    const { records, catalog } = fixture();
    const name = { catalog: 'shop', schema: 'main', table: 'my.items' };
    expect(await catalog.findTable(ann, name)).toEqual({
      table: { id: 'shop.main."my.items"', columns: [] },
      version: 3,
    });
    expect(records).toMatchObject([{ target: 'shop.main."my.items"', metadata: name }]);
    await expect(catalog.findTable(ann, { ...name, table: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not returned if its read cannot be recorded', async () => {
    const { catalog } = fixture(new Error('no audit'));
    await expect(catalog.findTable(ann, { catalog: 'shop', schema: 'main', table: 'my.items' })).rejects.toThrow(
      'no audit',
    );
    await expect(catalog.listCatalogs(ann, {})).rejects.toThrow('no audit');
  });
});
