import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import type { MetadataImport, MetadataImportStore } from '@sluice/store/catalog';
import type { TenantTransaction } from '@sluice/store/resources';
import { buildCaller } from '@sluice/testkit';
import { createRunMetadataImport } from './run-metadata-import.ts';

const { tenant } = buildCaller('ann').principal;
const IMPORT = {
  importId: 'i',
  tenantId: 't',
  attempt: 1,
  stalled: 1,
  nextBatch: 0,
  batches: 2,
  isDryRun: false,
  sender: { kind: 'user', id: 'ann', name: 'ann@example.com', permissions: ['metadata:write'], address: '192.0.2.1' },
} as unknown as MetadataImport;
const ACCOUNT = {
  kind: 'user',
  id: 'ann',
  name: 'ann@example.com',
  roles: [],
  disabled: false,
  permissions: ['metadata:write'],
};

interface Given {
  readonly found?: Partial<MetadataImport> | undefined;
  readonly account?: Partial<typeof ACCOUNT> | undefined;
  readonly batchFails?: Error;
  /** Batch whose transaction finds that the import was cancelled. */
  readonly cancelledAt?: number;
  readonly onBatch?: () => void;
}

function fixture(given: Given = {}) {
  const calls: string[] = [];
  const metadataImports = {
    claim: async () => ('found' in given && given.found === undefined ? undefined : { ...IMPORT, ...given.found }),
    batch: async (_found: unknown, number: number) => ({
      number,
      objects: JSON.stringify([{ line: number + 1, object: { type: 'TABLE', id: `shop.main.t${number}` } }]),
    }),
    release: async () => void calls.push('release'),
    finish: async (_lease: unknown, error?: { readonly code: string }) =>
      void calls.push(error === undefined ? 'finish' : `fail ${error.code}`),
  } as unknown as MetadataImportStore;
  const tx = {
    imports: {
      async lockBatch({ number }: { readonly number: number }) {
        calls.push(`apply ${number}`);
        given.onBatch?.();
        if (given.batchFails !== undefined) throw given.batchFails;
        return number !== given.cancelledAt;
      },
      completeBatch: async () => undefined,
    },
    facts: { lock: async () => new Map(), write: async () => undefined, findOwners: async () => new Map() },
    factChanges: { add: async () => undefined },
    domains: { keep: async () => new Map() },
    record: async () => undefined,
    skipRecord: () => undefined,
  } as unknown as TenantTransaction;
  const run = createRunMetadataImport({
    tenants: { findById: async () => tenant },
    authStatus: {
      ofUser: async () => ({ tenant, account: { ...ACCOUNT, ...given.account } }) as never,
      ofClient: async () => undefined,
    },
    metadataImports,
    database: { change: (_by, work) => work(tx) },
    leaseMs: 1_000,
  });
  const abort = new AbortController();
  return { calls, abort, run: () => run({ tenantId: 't', importId: 'i' }, abort.signal) };
}

describe('an import of metadata', () => {
  it('applies its batches in order from the one where an earlier attempt ended, and finishes', async () => {
    const { calls, run } = fixture({ found: { nextBatch: 1, batches: 3 } });
    await run();
    expect(calls).toEqual(['apply 1', 'apply 2', 'finish']);
  });

  it('that another host has claimed is left to it', async () => {
    const { calls, run } = fixture({ found: undefined });
    await run();
    expect(calls).toEqual([]);
  });

  it('that is cancelled ends after the batch in progress, and is not finished', async () => {
    const { calls, run } = fixture({ cancelledAt: 0 });
    await run();
    expect(calls).toEqual(['apply 0']);
  });

  it('of a host that stops is released for another one', async () => {
    const stopping = new Error('stopping');
    const made = fixture({ onBatch: () => made.abort.abort(stopping) });
    await expect(made.run()).rejects.toBe(stopping);
    expect(made.calls).toEqual(['apply 0', 'release']);
  });

  it.each([
    ['disabled', { disabled: true }],
    ['replaced by another account of the same name', { id: 'other' }],
  ])('ends when its sender was %s', async (_, account) => {
    const { calls, run } = fixture({ account });
    await expect(run()).rejects.toMatchObject({ code: 'access_denied' });
    expect(calls).toEqual(['fail ACCESS_DENIED']);
  });

  it('that stalled too often fails without another try', async () => {
    const { calls, run } = fixture({ found: { stalled: 21 } });
    await expect(run()).rejects.toMatchObject({ code: 'internal' });
    expect(calls).toEqual(['fail INTERNAL']);
  });

  it.each(['service_unavailable', 'audit_unavailable'] as const)(
    'whose database is down (%s) waits for the end of its lease',
    async (code) => {
      const { calls, run } = fixture({ batchFails: new ProblemError(code, 'down') });
      await expect(run()).rejects.toMatchObject({ code });
      expect(calls).toEqual(['apply 0']);
    },
  );
});
