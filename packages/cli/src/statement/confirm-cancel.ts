import type { Client } from '@sluice/client';

/** Longest wait for the engine's confirmation, as the host promises it. */
const CONFIRM_MS = 2000;

const wait = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

/**
 * Waits at most 2 s until a query that its client has left has ended, and returns a sentence that says how.
 * @param queryId - id of the query, when it is known; undefined if the response had not begun
 * @param done - what had arrived, such as "after 5 rows"; may be empty
 */
export async function confirmCancel(
  client: Client,
  queryId: Promise<string | undefined> | string | undefined,
  done: string,
): Promise<string> {
  const after = done === '' ? '' : ` ${done}`;
  const id = await Promise.race([queryId, wait(CONFIRM_MS)]);
  if (id === undefined) return 'Cancelled. The connection is closed, so the host stops the query.';
  const signal = AbortSignal.timeout(CONFIRM_MS);
  const ended = client.awaitReceipt(id, { signal, onFailure: () => true }).then(
    (receipt) => receipt.state,
    () => undefined,
  );
  const state = await Promise.race([ended, wait(CONFIRM_MS)]);
  if (state === 'CANCELLED') return `Cancelled in the engine${after}.`;
  if (state !== undefined) return `Cancelled${after}; the query had already ended (${state}).`;
  return `Cancelled${after}; the engine has not confirmed it within 2 s. See \`sluice api GET /query/${id}\`.`;
}
