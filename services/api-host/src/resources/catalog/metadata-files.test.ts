import { describe, expect, it } from '@jest/globals';
import type { Caller, Permission } from '@sluice/contract';
import type { MetadataImport, MetadataImportStore } from '@sluice/store/catalog';
import type { TenantTransaction } from '@sluice/store/resources';
import { buildCaller } from '@sluice/testkit';
import { cancelImport, findImport, reportImport } from './metadata-files.ts';

const ann = buildCaller('ann');
const IMPORT = {
  importId: 'i',
  tenantId: 't',
  state: 'FINISHED',
  sender: { id: 'ann' },
  ended: 9,
  isTabular: true,
  objects: 3,
  batches: 2,
  processed: 3,
} as unknown as MetadataImport;
const object = (id: string, line: number) => ({ line, object: { type: 'TABLE', id } });
const result = (id: string, success: boolean) => ({ type: 'TABLE', id, fact_id: 'f', success });

/** Two batches, of which the second has results only if it was reached. */
function fixture(change: Partial<MetadataImport> = {}, isReached = true) {
  const found = { ...IMPORT, ...change } as MetadataImport;
  const records: unknown[] = [];
  let hasSkipped = false;
  const batches = [
    {
      objects: JSON.stringify([object('a', 1), object('b', 2)]),
      results: JSON.stringify([result('a', true), result('b', false)]),
    },
    { objects: JSON.stringify([object('c', 4)]), results: isReached ? JSON.stringify([result('c', true)]) : null },
  ];
  const tx = {
    imports: {
      find: async (importId: string) => (importId === 'i' ? found : undefined),
      cancel: async () => (found.ended === null ? { ...found, state: 'CANCELLED' } : undefined),
    },
    record: async (action: string, target: string, metadata: object) => void records.push({ action, target, metadata }),
    skipRecord() {
      hasSkipped = true;
    },
  } as unknown as TenantTransaction;
  const metadataImports = {
    batch: async (_reference: unknown, number: number) => batches[number],
  } as unknown as MetadataImportStore;
  const database = { read: <T>(_by: unknown, work: (tx: TenantTransaction) => Promise<T>) => work(tx) };
  const readReport = async (input: object = {}) => {
    const pages = await reportImport({ database, metadataImports }, ann, { importId: 'i', ...input });
    const read = [];
    for await (const page of pages) read.push(...page);
    return read.map(({ line, result: { id, success, error_message } }) => [line, id, success, error_message]);
  };
  return {
    records,
    hasSkipped: () => hasSkipped,
    find: (caller: Caller, importId: string) => findImport(tx, caller, importId),
    cancel: (importId: string) => cancelImport(tx, ann, importId),
    readReport,
  };
}

describe('an import', () => {
  it.each([
    ['ann', [], true],
    ['bob', [], false],
    ['bob', ['metadata:write'], true],
  ] as const)('of ann is found by %s with %j: %s', async (id, permissions: readonly Permission[], isFound) => {
    const found = fixture().find(buildCaller(id, permissions), 'i');
    if (isFound) expect((await found).importId).toBe('i');
    else await expect(found).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is cancelled with a record of how far it was', async () => {
    const { cancel, records } = fixture({ ended: null, processed: 2 });
    expect(await cancel('i')).toMatchObject({ wasOpen: true, found: { state: 'CANCELLED' } });
    const metadata = { processed_count: 2, total_count: 3 };
    expect(records).toMatchObject([{ action: 'CANCEL_METADATA_IMPORT', target: 'i', metadata }]);
  });

  it('that has ended is not cancelled, and that is not recorded', async () => {
    const { cancel, records, hasSkipped } = fixture();
    expect(await cancel('i')).toMatchObject({ wasOpen: false, found: { state: 'FINISHED' } });
    expect([records, hasSkipped()]).toEqual([[], true]);
    await expect(cancel('other')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the report of an import', () => {
  it('has every object with its line and result, in the order of the file, and is recorded', async () => {
    const { readReport, records } = fixture();
    expect(await readReport()).toMatchObject([
      [1, 'a', true],
      [2, 'b', false],
      [4, 'c', true],
    ]);
    expect(records).toMatchObject([{ action: 'READ_METADATA_IMPORT', metadata: { format: 'json', failed: false } }]);
  });

  it.each([
    ['CANCELLED', 'Not applied: the import was cancelled.'],
    ['FAILED', 'Not applied: the import failed before this object.'],
  ] as const)('of one that is %s says why objects were not applied', async (state, message) => {
    const { readReport } = fixture({ state }, false);
    expect((await readReport({ failed: true })).map(([line, id, , text]) => [line, id, text])).toEqual([
      [2, 'b', undefined],
      [4, 'c', message],
    ]);
  });

  it.each([
    [{ ended: null }, {}, 'conflict'],
    [{ isTabular: false }, { format: 'csv' }, 'invalid_request'],
  ])('of %j as %j is rejected and not recorded', async (change, input, code) => {
    const { readReport, records } = fixture(change as Partial<MetadataImport>);
    await expect(readReport(input)).rejects.toMatchObject({ code });
    expect(records).toEqual([]);
  });
});
