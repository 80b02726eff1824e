import { ProblemError } from '@sluice/contract';

/** A write and whoever waits for its commit. */
export interface PendingWrite<W, A> {
  readonly write: W;
  readonly resolve: (answer: A) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Sends a batch and tells each member what became of its own write. When the server refuses the batch, nothing of it is committed,
 * so its members are sent one by one and only the guilty one fails. After an outage nobody knows whether it is, so none is sent
 * again: each is told what it would have been told alone, and those who can ask do.
 *
 * `writeAll` commits the writes together and answers them in their order.
 */
export async function settleWrites<W, A>(
  batch: readonly PendingWrite<W, A>[],
  writeAll: (writes: readonly W[]) => Promise<readonly A[]>,
): Promise<void> {
  try {
    const answers = await writeAll(batch.map(({ write }) => write));
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as A);
  } catch (thrown) {
    if (batch.length > 1 && !isOutage(thrown)) {
      await Promise.all(batch.map((member) => settleWrites([member], writeAll)));
    } else {
      for (const { reject } of batch) reject(thrown);
    }
  }
}

const isOutage = (thrown: unknown): boolean => thrown instanceof ProblemError && thrown.code === 'service_unavailable';
