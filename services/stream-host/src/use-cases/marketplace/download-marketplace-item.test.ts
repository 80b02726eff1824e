import { describe, expect, it } from '@jest/globals';
import { parameterDeclarations } from '@sluice/contract';
import type { StoredItem } from '@sluice/store/marketplace';
import type { TenantTransaction } from '@sluice/store/resources';
import { buildCaller } from '@sluice/testkit';
import type { QueryInput } from '../queries/query-input.ts';
import { createDownloadMarketplaceItem } from './download-marketplace-item.ts';

const ann = buildCaller('ann');
const transfer = { signal: new AbortController().signal, reader: {} } as unknown as Pick<
  QueryInput,
  'signal' | 'reader'
>;

const query = (name: string, change: object = {}) => ({
  name,
  datamapId: `map of ${name}`,
  isPublished: true,
  sql: `SELECT '${name}'`,
  parameters: [],
  columns: [],
  ...change,
});
const itemOf = (change: Partial<StoredItem> = {}) =>
  ({
    id: 'item',
    title: 'Item',
    owner: { kind: 'user', id: 'owner', name: 'owner@example.com' },
    version: 3,
    license: null,
    termsOfUse: null,
    isGranted: true,
    queries: [query('one')],
    ...change,
  }) as StoredItem;

function fixture(item: StoredItem | undefined) {
  const calls: string[] = [];
  const started: QueryInput[] = [];
  const begun: unknown[] = [];
  const download = createDownloadMarketplaceItem({
    database: {
      read: (_by, work) =>
        work({ items: { find: async (id: string) => (id === item?.id ? item : undefined) } } as TenantTransaction),
    },
    marketplaceDownloads: {
      begin: async (input) => {
        calls.push('begin');
        begun.push(input);
      },
      count: async (_tenantId, id) => void calls.push(`count ${id}`),
      noteComplete: async (noted) => void calls.push(`noted ${JSON.stringify(noted)}`),
    },
    datamapCounters: { countQuery: ({ factId }) => void calls.push(`count ${factId}`) },
    startQuery: async (_caller, input) => {
      calls.push('start');
      started.push(input);
      return {} as never;
    },
    overflowBytesMax: 1,
  });
  const prepare = (input: object = {}) =>
    download(ann, { id: 'item', format: 'csv', parameters: [], ...input } as Parameters<typeof download>[1]);
  return { calls, started, begun, prepare };
}

describe('a download of an item', () => {
  it('runs and records nothing until it is started', async () => {
    const { calls, started, begun, prepare } = fixture(itemOf());
    const { file, start, count } = await prepare();
    expect([file, calls]).toEqual([{ mediaType: 'text/csv', filename: 'item', extension: 'csv' }, []]);
    await start({ ...transfer, queryId: 'q' });
    await count?.();
    expect(calls).toEqual(['begin', 'start', 'count map of one', 'count item']);
    expect(begun).toEqual([{ tenantId: 't', queryId: 'q', itemId: 'item', version: 3 }]);
    expect(started).toMatchObject([
      {
        queryId: 'q',
        action: 'DOWNLOAD_MARKETPLACE',
        target: 'item',
        sql: "SELECT 'one'",
        metadata: {
          item_id: 'item',
          version: 3,
          format: 'csv',
          queries: [{ name: 'one', datamap_id: 'map of one', sql: "SELECT 'one'" }],
        },
      },
    ]);
    expect(started[0]).not.toHaveProperty('bundle');
  });

  it('notes the size of a file that was sent whole', async () => {
    const { calls, started, prepare } = fixture(itemOf());
    await (await prepare({ format: 'xl' })).start(transfer);
    started[0]?.onFinished?.({ rows: 2, bytes: 30 });
    expect(calls.at(-1)).toBe('noted {"tenantId":"t","itemId":"item","format":"xl","rows":2,"bytes":30}');
  });

  it('has one id for its count and its query, also without a ticket', async () => {
    const { started, begun, prepare } = fixture(itemOf());
    await (await prepare()).start(transfer);
    expect(started[0]?.queryId).toMatch(/^[0-9a-f-]{36}$/);
    expect(begun).toMatchObject([{ queryId: started[0]?.queryId }]);
  });

  it('with several queries is an archive, whose compression is recorded if it was asked for', async () => {
    const { started, prepare } = fixture(itemOf({ queries: [query('one'), query('two')] as never }));
    const { file, start } = await prepare({ compression: 'store' });
    expect(file).toEqual({ mediaType: 'application/zip', filename: 'item', extension: 'zip' });
    await start(transfer);
    expect(started[0]?.sql).toBe("SELECT 'one'\n;\nSELECT 'two'");
    expect(started[0]?.bundle?.statements.map(({ name, about }) => [name, about])).toEqual([
      ['one', 'map of one'],
      ['two', 'map of two'],
    ]);
    expect(started[0]?.metadata).toMatchObject({ compression: 'store' });
  });

  it('as a workbook is one file, of one query and of several', async () => {
    for (const queries of [[query('one')], [query('one'), query('two')]]) {
      const { prepare, started } = fixture(itemOf({ queries: queries as never }));
      const { file, start } = await prepare({ format: 'xl' });
      await start(transfer);
      expect([file.extension, started[0]?.bundle?.statements.length]).toEqual(['xlsx', queries.length]);
    }
  });

  it('gives each query the values that it declares', async () => {
    const parameters = parameterDeclarations.parse([{ name: 'year', type: 'integer' }]);
    const queries = [query('one', { parameters }), query('two')] as never;
    const { prepare, started } = fixture(itemOf({ queries }));
    await (await prepare({ parameters: undefined, strings: { year: ['2026'] } })).start(transfer);
    expect(started[0]?.parameters?.map(({ name }) => name)).toEqual(['year']);
    expect(started[0]?.bundle?.statements.map((statement) => statement.parameters?.length)).toEqual([1, 0]);
    await expect(prepare({ parameters: undefined, strings: { year: ['x'] } })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it.each([
    ['that does not exist', undefined, 'not_found'],
    ['without a grant', itemOf({ isGranted: false }), 'access_denied'],
    [
      'of a datamap that is not published',
      itemOf({ queries: [query('one', { isPublished: false })] as never }),
      'conflict',
    ],
  ])('%s is rejected before anything runs', async (_, item, code) => {
    const { calls, prepare } = fixture(item);
    await expect(prepare()).rejects.toMatchObject({ code });
    expect(calls).toEqual([]);
  });
});
