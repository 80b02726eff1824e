import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ResultIdentity } from './form/index.ts';
import { purgeResults, type ResultRecords, sweepResults } from './purge-results.ts';
import { FolderResultStore } from './stores/folder-store.ts';
import { type ResultStore, ResultStoreError } from './stores/result-store.ts';

let folder: string;
let store: FolderResultStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-purge-'));
  store = new FolderResultStore(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const keyOf = ({ tenantId, queryId }: ResultIdentity): string => `${tenantId}/${queryId}`;

/** Records in memory: kept ones, and removed ones. */
class MemoryRecords implements ResultRecords {
  readonly kept = new Map<string, ResultIdentity>();
  readonly removed = new Map<string, ResultIdentity>();

  async removeDue(): Promise<void> {}

  async listRemoved(countMax: number): Promise<readonly ResultIdentity[]> {
    return [...this.removed.values()].slice(0, countMax);
  }

  async forget(identity: ResultIdentity): Promise<void> {
    this.removed.delete(keyOf(identity));
  }

  async findUnknown(identities: readonly ResultIdentity[]): Promise<readonly ResultIdentity[]> {
    return identities.filter((identity) => !this.kept.has(keyOf(identity)) && !this.removed.has(keyOf(identity)));
  }
}

async function put(tenantId = randomUUID()): Promise<ResultIdentity> {
  const identity = { tenantId, queryId: randomUUID() };
  const upload = await store.create(identity);
  await upload.write(Buffer.from('sealed'));
  await upload.commit();
  return identity;
}

async function files(): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe('purgeResults', () => {
  it('removes the bytes of removed results and then their records, of any number', async () => {
    const records = new MemoryRecords();
    const kept = await put();
    records.kept.set(keyOf(kept), kept);
    for (let count = 0; count < 1_100; count += 1) {
      const identity = count < 20 ? await put() : { tenantId: randomUUID(), queryId: randomUUID() };
      records.removed.set(keyOf(identity), identity);
    }
    await purgeResults(records, store);
    expect(records.removed.size).toBe(0);
    expect(await files()).toEqual([kept.queryId]);
  });

  it('removes all others when one cannot be removed, and tries that one again', async () => {
    const records = new MemoryRecords();
    const identities = [await put(), await put(), await put()];
    for (const identity of identities) records.removed.set(keyOf(identity), identity);
    let isBroken = true;
    const failing: ResultStore = {
      create: (identity) => store.create(identity),
      open: (identity, length) => store.open(identity, length),
      remove: async (identity) => {
        if (isBroken && identity === identities[1]) throw new ResultStoreError('The store is read-only.');
        await store.remove(identity);
      },
      removeTenant: (tenantId) => store.removeTenant(tenantId),
      list: () => store.list(),
      [Symbol.asyncDispose]: async () => undefined,
    };
    await expect(purgeResults(records, failing)).rejects.toThrow('read-only');
    expect([...records.removed.values()]).toEqual([identities[1]]);
    isBroken = false;
    await purgeResults(records, failing);
    expect(await files()).toEqual([]);
  });
});

describe('sweepResults', () => {
  it('removes what no record names, complete or not, and nothing else', async () => {
    const records = new MemoryRecords();
    const [kept, removed] = [await put(), await put()];
    records.kept.set(keyOf(kept), kept);
    records.removed.set(keyOf(removed), removed);
    const writing = { tenantId: randomUUID(), queryId: randomUUID() };
    records.kept.set(keyOf(writing), writing);
    const upload = await store.create(writing);
    await put();
    const abandoned = await store.create({ tenantId: randomUUID(), queryId: randomUUID() });
    await sweepResults(records, store);
    expect([...(await files())].sort()).toEqual([kept.queryId, removed.queryId, `${writing.queryId}.part`].sort());
    await upload.abort();
    await abandoned.abort();
  });
});
