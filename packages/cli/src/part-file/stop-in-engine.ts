import type { Client } from '@sluice/client';

/** Longest wait for the engine's confirmation, as the host promises it. */
const CONFIRM_MS = 2000;
const POLL_MS = 100;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns what became of a query after its client has left, in a sentence. */
async function outcomeOf(client: Client, queryId: string): Promise<string | undefined> {
  const { state, ended_ts: endedTs } = await client.stream.getQuery({
    params: { id: queryId },
    signal: AbortSignal.timeout(CONFIRM_MS),
  });
  if (endedTs === null) return undefined;
  return state === 'CANCELLED'
    ? `The engine has stopped query ${queryId}.`
    : `Query ${queryId} had already ended (${state}).`;
}

/**
 * Waits at most 2 s until a cancelled query has stopped, and returns a sentence that says so, or what to do.
 * @param queryId - undefined if the response had not begun, so that its id is not known
 */
export async function confirmStop(client: Client, queryId: string | undefined): Promise<string> {
  if (queryId === undefined) return 'The connection is closed, so the host stops the query.';
  const deadline = performance.now() + CONFIRM_MS;
  do {
    const outcome = await outcomeOf(client, queryId).catch(() => undefined);
    if (outcome !== undefined) return outcome;
    await wait(POLL_MS);
  } while (performance.now() < deadline);
  return `The engine has not yet confirmed it: look at query ${queryId} with \`sluice api GET /query/${queryId}\`.`;
}
