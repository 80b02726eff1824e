import { describe, expect, it } from '@jest/globals';
import type { MetadataObject } from '@sluice/contract';
import type { ImportBatch, MetadataImportStore } from '@sluice/store/catalog';
import type { TenantTransaction } from '@sluice/store/resources';
import { buildCaller } from '@sluice/testkit';
import { type FileInput, type NumberedObject, receiveImport } from './receive-import.ts';

type ReceivedFile = Parameters<TenantTransaction['imports']['enqueue']>[1];

const caller = buildCaller('ann', ['metadata:write']);
const objectOf = (index: number, change: object = {}): NumberedObject => ({
  line: index + 1,
  object: { type: 'TABLE', id: `shop.main.t${index}`, ...change } as MetadataObject,
});

/** A file whose objects arrive in groups; an error ends it. */
const fileOf = (groups: readonly (readonly NumberedObject[])[], thrown?: Error): FileInput => ({
  format: 'ndjson',
  objects: (async function* () {
    yield* groups;
    if (thrown !== undefined) throw thrown;
  })(),
  isDryRun: () => false,
});

function fixture({ isFull = false, auditFails }: { readonly isFull?: boolean; readonly auditFails?: Error } = {}) {
  const calls: string[] = [];
  const batches: ImportBatch[] = [];
  const received: ReceivedFile[] = [];
  const records: unknown[] = [];
  const opened: unknown[] = [];
  const metadataImports = {
    async open(input: unknown) {
      opened.push(input);
      return isFull ? undefined : { tenantId: 't', importId: 'i' };
    },
    async stage(_reference: unknown, staged: readonly ImportBatch[]) {
      calls.push(`stage ${staged.length}`);
      batches.push(...staged);
    },
    discard: async () => void calls.push('discard'),
  } as unknown as MetadataImportStore;
  const tx = {
    imports: {
      async enqueue(importId: string, file: ReceivedFile) {
        received.push(file);
        return { importId, tenantId: 't', attempt: 1 };
      },
    },
    async record(action: string, target: string, metadata: object) {
      if (auditFails !== undefined) throw auditFails;
      records.push({ action, target, metadata });
    },
  } as unknown as TenantTransaction;
  const context = {
    database: { change: <T>(_by: unknown, work: (tx: TenantTransaction) => Promise<T>) => work(tx) },
    metadataImports,
    enqueueImport: async ({ importId }: { readonly importId: string }) => void calls.push(`queue ${importId}`),
  };
  return {
    calls,
    batches,
    received,
    records,
    opened,
    start: (file: FileInput) => receiveImport(context, caller, file),
  };
}

const objectsIn = ({ objects }: ImportBatch): NumberedObject[] => JSON.parse(objects) as NumberedObject[];

describe('a file of metadata', () => {
  it('is stored in batches of at most fifty, in order, and then queued with a record', async () => {
    const { calls, batches, received, records, opened, start } = fixture();
    const all = Array.from({ length: 120 }, (_, index) => objectOf(index));
    await start(fileOf([all.slice(0, 7), [], all.slice(7)]));
    expect(batches.map(({ number }) => number)).toEqual([0, 1, 2]);
    expect(batches.map((batch) => objectsIn(batch).length)).toEqual([50, 50, 20]);
    expect(batches.flatMap(objectsIn)).toEqual(all);
    expect(received).toEqual([{ objects: 120, batches: 3, isTabular: true, isDryRun: false }]);
    expect(calls).toEqual(['stage 3', 'queue i']);
    const metadata = { format: 'ndjson', dry_run: false, total_count: 120 };
    expect(records).toMatchObject([{ action: 'START_METADATA_IMPORT', target: 'i', metadata }]);
    expect(opened).toMatchObject([
      { tenantId: 't', format: 'ndjson', sender: { id: 'ann', permissions: ['metadata:write'] } },
    ]);
  });

  it('with long objects has smaller batches, which are stored as they come', async () => {
    const { calls, batches, start } = fixture();
    const long = (index: number) => objectOf(index, { description: 'x'.repeat(400_000) });
    await start(fileOf([[0, 1, 2, 3, 4].map(long)]));
    expect(batches.map((batch) => objectsIn(batch).length)).toEqual([2, 2, 1]);
    expect(calls).toEqual(['stage 1', 'stage 1', 'stage 1', 'queue i']);
  });

  it('with one object larger than a batch has a batch of it alone', async () => {
    const { batches, start } = fixture();
    await start(fileOf([[objectOf(0), objectOf(1, { description: 'x'.repeat(1_100_000) }), objectOf(2)]]));
    expect(batches.map((batch) => objectsIn(batch).length)).toEqual([1, 1, 1]);
  });

  it.each([
    [{ add_tags: ['a'] }, false],
    [{ remove_domains: [] }, false],
    [{ add_tags: undefined, tags: ['a'] }, true],
    [{ fields: [{ name: 'a', remove_tags: ['b'] }] }, false],
    [{ domains: [''] }, false],
    [{ domains: [] }, true],
  ])('with %j can be reported as CSV: %s', async (change, isTabular) => {
    const { received, start } = fixture();
    await start(fileOf([[objectOf(0), objectOf(1, change), objectOf(2)]]));
    expect(received[0]?.isTabular).toBe(isTabular);
  });

  it('without objects is queued without a batch', async () => {
    const { received, calls, start } = fixture();
    await start(fileOf([]));
    expect([received[0]?.batches, calls]).toEqual([0, ['queue i']]);
  });

  it('is removed if it turns out to be invalid, or its import cannot be recorded', async () => {
    const invalid = fixture();
    await expect(invalid.start(fileOf([[objectOf(0)]], new Error('line 2')))).rejects.toThrow('line 2');
    expect(invalid.calls).toEqual(['discard']);
    const unrecorded = fixture({ auditFails: new Error('no audit') });
    await expect(unrecorded.start(fileOf([[objectOf(0)]]))).rejects.toThrow('no audit');
    expect(unrecorded.calls).toEqual(['stage 1', 'discard']);
  });

  it('is rejected, and not read, while the tenant has too many open imports', async () => {
    const { calls, start } = fixture({ isFull: true });
    const error = { code: 'too_many_requests', retryAfterSeconds: 10 };
    await expect(start(fileOf([[objectOf(0)]], new Error('read')))).rejects.toMatchObject(error);
    expect(calls).toEqual([]);
  });
});
