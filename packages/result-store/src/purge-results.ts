import type { ResultIdentity } from './form/index.ts';
import type { ResultStore } from './stores/result-store.ts';

/** Records of the database about the results of the store. */
export interface ResultRecords {
  /** Removes the keys of expired results, and of those that a lost host was writing. */
  removeDue(): Promise<void>;
  /** Lists results without a key, whose bytes may still be in the store. */
  listRemoved(countMax: number): Promise<readonly ResultIdentity[]>;
  /** Deletes the record of a result whose bytes are gone. */
  forget(identity: ResultIdentity): Promise<void>;
  /** Returns those of the given results that no record names. */
  findUnknown(identities: readonly ResultIdentity[]): Promise<readonly ResultIdentity[]>;
}

const PAGE_SIZE = 500;

/**
 * Removes expired results and what lost hosts have left. It may run on several hosts at once, and be interrupted anywhere. Tries to remove
 * each result, and then throws the first error, so that one that cannot be removed does not keep the others.
 * @param onRemoved - called for each result whose bytes are gone
 */
export async function purgeResults(records: ResultRecords, store: ResultStore, onRemoved?: () => void): Promise<void> {
  await records.removeDue();
  const failures: unknown[] = [];
  let failed = 0;
  for (;;) {
    const removed = await records.listRemoved(failed + PAGE_SIZE);
    const rest = removed.slice(failed);
    for (const identity of rest) {
      try {
        await store.remove(identity);
        await records.forget(identity);
        onRemoved?.();
      } catch (thrown) {
        failures.push(thrown);
        failed += 1;
      }
    }
    if (rest.length < PAGE_SIZE) break;
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Removes everything from the store that no record names: results of tenants that are gone, and of records that a restored database does not
 * have. A record is written before the first byte of its result, so nothing that is being written is removed.
 * @param onRemoved - called for each result that was removed
 */
export async function sweepResults(records: ResultRecords, store: ResultStore, onRemoved?: () => void): Promise<void> {
  let page: ResultIdentity[] = [];
  const sweepPage = async (): Promise<void> => {
    for (const identity of await records.findUnknown(page)) {
      await store.remove(identity);
      onRemoved?.();
    }
    page = [];
  };
  for await (const { identity } of store.list()) {
    page.push(identity);
    if (page.length === PAGE_SIZE) await sweepPage();
  }
  if (page.length > 0) await sweepPage();
}
