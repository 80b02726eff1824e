import { describe, expect, it } from '@jest/globals';
import type { AuditRecord, MetadataObject } from '@sluice/contract';
import type { ImportBatch, MetadataImportStore } from '@sluice/store/catalog';
import { buildCaller } from '@sluice/testkit';
import {
  createEnqueueMetadataImport,
  createStartMetadataImport,
  type FileInput,
  type NumberedObject,
} from './start-metadata-import.ts';

type ReceivedFile = Parameters<MetadataImportStore['enqueue']>[1];

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
  const records: AuditRecord[] = [];
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
    async enqueue(_reference: unknown, file: ReceivedFile, record: AuditRecord) {
      if (auditFails !== undefined) throw auditFails;
      received.push(file);
      records.push(record);
      return { importId: 'i', tenantId: 't', attempt: 1 };
    },
    discard: async () => void calls.push('discard'),
  } as unknown as MetadataImportStore;
  const start = createStartMetadataImport({
    metadataImports,
    enqueue: async ({ importId }) => void calls.push(`queue ${importId}`),
  });
  return { calls, batches, received, records, opened, start: (file: FileInput) => start(caller, file) };
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

describe('the job of an import', () => {
  it('is another one for each attempt, and a queue that is down does not fail the import', async () => {
    const added: unknown[] = [];
    const enqueue = createEnqueueMetadataImport({ jobs: { add: async (job) => void added.push(job) } });
    await enqueue({ tenantId: 't', importId: 'i', attempt: 2 });
    expect(added).toEqual([{ name: 'metadata-import', id: 'i-2', data: { tenantId: 't', importId: 'i' } }]);
    const down = createEnqueueMetadataImport({ jobs: { add: () => Promise.reject(new Error('down')) } });
    await expect(down({ tenantId: 't', importId: 'i', attempt: 1 })).resolves.toBeUndefined();
  });
});
