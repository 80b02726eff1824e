import { settleWrites } from './settle-writes.ts';
import { WriteQueue } from './write-queue.ts';

/** Functions that commit a batch and measure a write. */
interface BatchWritesDependencies<W, A> {
  /** Commits these writes of one tenant together and returns the results in order. Throws `service_unavailable` only after an outage. */
  readonly writeAll: (tenantId: string, writes: readonly W[]) => Promise<readonly A[]>;
  /** Returns the number of characters in a write. */
  readonly charactersOf: (write: W) => number;
}

/**
 * Commits concurrent writes of one tenant together. A write is sent immediately when none of its tenant is in flight. Otherwise it waits until
 * that one ends and is sent with all other waiting writes, so no write is delayed to fill a batch. Each write resolves after its own
 * commit.
 */
export function batchWrites<W, A>(writes: BatchWritesDependencies<W, A>): (tenantId: string, write: W) => Promise<A> {
  const queues = new Map<string, WriteQueue<W, A>>();

  const open = (tenantId: string): WriteQueue<W, A> => {
    const queue = new WriteQueue<W, A>({
      charactersOf: writes.charactersOf,
      send: (batch) => settleWrites(batch, (members) => writes.writeAll(tenantId, members)),
      onIdle: () => void queues.delete(tenantId),
    });
    queues.set(tenantId, queue);
    return queue;
  };

  return (tenantId, write) => (queues.get(tenantId) ?? open(tenantId)).add(write);
}
