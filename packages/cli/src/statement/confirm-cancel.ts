import type { Client } from '@sluice/client';

/** Longest wait for the engine's confirmation. Every command ends within 2 s of the first signal, and has to say how. */
const CONFIRM_MS = 1500;

/** Beginning of the sentence for a query that has ended by the cancellation. */
export const CANCELLED_IN_ENGINE = 'Cancelled in the engine';

/**
 * Waits at most 1.5 s until a query that its client has left has ended, and returns a sentence that says how.
 * @param queryId - id of the query, when it is known; undefined if the response had not begun
 * @param done - what had arrived, such as "after 5 rows"; may be empty
 */
export async function confirmCancel(
  client: Client,
  queryId: Promise<string | undefined> | string | undefined,
  done: string,
): Promise<string> {
  const after = done === '' ? '' : ` ${done}`;
  const signal = AbortSignal.timeout(CONFIRM_MS);
  const timeout = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), CONFIRM_MS));
  const id = await Promise.race([queryId, timeout]);
  if (id === undefined) return 'Cancelled. The connection is closed, so the host stops the query.';
  const ended = client.awaitReceipt(id, { signal, onFailure: () => true }).then(
    (receipt) => receipt.state,
    () => undefined,
  );
  const state = await Promise.race([ended, timeout]);
  if (state === 'CANCELLED') return `${CANCELLED_IN_ENGINE}${after}.`;
  if (state !== undefined) return `Cancelled${after}; the query had already ended (${state}).`;
  return `Cancelled${after}; the engine has not confirmed it yet. See \`sluice api GET /query/${id}\`.`;
}
