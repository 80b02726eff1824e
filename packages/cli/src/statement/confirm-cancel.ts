import type { Client, Query, RowText } from '@sluice/client';
import { formatRows } from '../output/quantity.ts';

/** Longest wait for the engine's confirmation. */
const CONFIRM_MS = 2000;
const POLL_MS = 50;

const wait = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

/** Asks until the query has ended. */
async function endState(client: Client, id: string, signal: AbortSignal): Promise<string | undefined> {
  while (!signal.aborted) {
    const receipt = await client.stream.getQuery({ params: { id }, signal }).catch(() => undefined);
    if (receipt !== undefined && receipt.ended_ts !== null) return receipt.state;
    await wait(POLL_MS);
  }
  return undefined;
}

/**
 * Waits at most 2 s until a query that its client has left has ended, and returns a sentence that says how.
 * @param rows - rows that had arrived
 */
export async function confirmCancel(client: Client, query: Query<RowText>, rows: number): Promise<string> {
  const signal = AbortSignal.timeout(CONFIRM_MS);
  const id = await Promise.race([query.id.catch(() => undefined), wait(CONFIRM_MS)]);
  if (id === undefined) return 'Cancelled before the query began.';
  const state = await Promise.race([endState(client, id, signal), wait(CONFIRM_MS)]);
  if (state === 'CANCELLED') return `Cancelled in the engine after ${formatRows(rows)}.`;
  if (state !== undefined) return `Cancelled after ${formatRows(rows)}; the query had already ended (${state}).`;
  return [
    `Cancelled after ${formatRows(rows)}; the engine has not confirmed it within 2 s.`,
    `See \`sluice api GET /query/${id}\`.`,
  ].join(' ');
}
