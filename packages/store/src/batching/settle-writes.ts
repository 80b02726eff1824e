import { ProblemError } from '@sluice/contract';

/** Write with the callbacks of its caller. */
export interface PendingWrite<W, A> {
  readonly write: W;
  readonly resolve: (result: A) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Sends a batch and settles each write on its own. When the server rejects the batch, nothing is committed, so the writes are sent one by
 * one and only the bad one fails. After an outage it is unknown whether the batch was committed, so no write is sent again: each fails as
 * it would have failed alone, and its caller may check.
 *
 * `writeAll` commits the writes together and returns the results in order.
 */
export async function settleWrites<W, A>(
  batch: readonly PendingWrite<W, A>[],
  writeAll: (writes: readonly W[]) => Promise<readonly A[]>,
): Promise<void> {
  try {
    const results = await writeAll(batch.map(({ write }) => write));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as A);
  } catch (thrown) {
    if (batch.length > 1 && !isOutage(thrown)) {
      await Promise.all(batch.map((member) => settleWrites([member], writeAll)));
    } else {
      for (const { reject } of batch) reject(thrown);
    }
  }
}

const isOutage = (thrown: unknown): boolean => thrown instanceof ProblemError && thrown.code === 'service_unavailable';
