import { describe, expect, it } from '@jest/globals';
import type { AuditRecord, MetadataExportQuery, Permission } from '@sluice/contract';
import { EXPORT_PAGE, type ExportedFact } from '@sluice/store/catalog';
import { buildCaller } from '@sluice/testkit';
import { createExportMetadata } from './export-metadata.ts';

const table = (name: string, change: Partial<ExportedFact> = {}): ExportedFact => ({
  factId: `fact of ${name}`,
  type: 'TABLE',
  name: { catalog: 'shop', schema: 'main', name },
  displayName: null,
  description: null,
  tags: [],
  owner: null,
  domains: [],
  domainNames: [],
  fields: [],
  ...change,
});
const datamap = (factId: string): ExportedFact => ({ ...table('x'), factId, type: 'DATAMAP', name: null });
const field = (name: string) => ({ name, description: 'd', tags: [] });

function fixture(tables: readonly ExportedFact[], datamaps: readonly ExportedFact[] = []) {
  const records: AuditRecord[] = [];
  const asked: { readonly visibleTo?: string | undefined; readonly after: ExportedFact | undefined }[] = [];
  const pageOf = (facts: readonly ExportedFact[], after: ExportedFact | undefined) => {
    const from = after === undefined ? 0 : facts.indexOf(after) + 1;
    return facts.slice(from, from + EXPORT_PAGE);
  };
  const exportMetadata = createExportMetadata({
    metadataExport: {
      tables: async (query) => pageOf(tables, query.after),
      datamaps: async (query) => {
        asked.push(query);
        return pageOf(datamaps, query.after);
      },
    },
    audit: { append: async (record) => void records.push(record) },
  });
  const read = async (query: MetadataExportQuery = {}, permissions: readonly Permission[] = []) => {
    const objects = [];
    for await (const page of await exportMetadata(buildCaller('ann', permissions), query)) objects.push(...page);
    return objects;
  };
  return { records, asked, read };
}

describe('an export of metadata', () => {
  it('has tables, then datamaps, without the values that they lack', async () => {
    const { read, records } = fixture([table('a', { description: 'text', tags: ['t'] })], [datamap('m')]);
    expect(await read()).toEqual([
      { type: 'TABLE', id: 'shop.main.a', description: 'text', tags: ['t'] },
      { type: 'DATAMAP', id: 'm' },
    ]);
    expect(records).toMatchObject([
      { action: 'EXPORT_METADATA', target: '', metadata: { format: 'json', all: false } },
    ]);
  });

  it('has tables without metadata only if all are asked for', async () => {
    const { read } = fixture([table('a'), table('b', { fields: [field('f')] })]);
    expect((await read()).map(({ id }) => id)).toEqual(['shop.main.b']);
    expect((await read({ all: true })).map(({ id }) => id)).toEqual(['shop.main.a', 'shop.main.b']);
  });

  it.each([
    [{ type: 'DATAMAP' }, ['m1']],
    [{ type: 'TABLE' }, ['shop.main.a', 'shop.main.b']],
    [{ prefix: 'shop.main.b' }, ['shop.main.b']],
    [{ prefix: 'm' }, ['m1']],
  ] as const)('with %j has %j', async (query, ids) => {
    const tables = ['a', 'b'].map((name) => table(name, { tags: ['t'] }));
    expect((await fixture(tables, [datamap('m1')]).read(query)).map(({ id }) => id)).toEqual(ids);
  });

  it('continues a table of more than 2,000 fields in a second object', async () => {
    const fields = Array.from({ length: 2_001 }, (_, index) => field(`f${index}`));
    const [first, second] = await fixture([table('a', { tags: ['t'], fields })]).read();
    expect([first?.fields?.length, second?.fields?.length]).toEqual([2_000, 1]);
    expect(second).toEqual({ type: 'TABLE', id: 'shop.main.a', fields: [{ name: 'f2000', description: 'd' }] });
  });

  it('reads pages until one is not full', async () => {
    const datamaps = Array.from({ length: EXPORT_PAGE + 1 }, (_, index) => datamap(`m${index}`));
    const { read, asked } = fixture([], datamaps);
    expect((await read()).length).toBe(EXPORT_PAGE + 1);
    expect(asked.map(({ after }) => after?.factId)).toEqual([undefined, `m${EXPORT_PAGE - 1}`]);
  });

  it.each([
    [[], 'ann'],
    [['metadata:write'], undefined],
    [['admin'], undefined],
  ] as const)('of a caller with %j has drafts of %s', async (permissions, visibleTo) => {
    const { read, asked } = fixture([]);
    await read({}, permissions);
    expect(asked[0]?.visibleTo).toBe(visibleTo);
  });
});
