import type { SendRequest } from '../http/send-request.ts';

const QUERY_ID = /^[\w-]{1,64}$/;

/** Returns whether text has the form of the id of a query, which is a segment of a path. */
export const isQueryId = (text: string): boolean => QUERY_ID.test(text);

/** Returns the id of the query of a response; undefined if it has none, or one that is not a segment of a path. */
export function queryIdOf({ headers }: Response): string | undefined {
  const id = headers.get('x-query-id');
  return id !== null && isQueryId(id) ? id : undefined;
}

/** Longest wait for the host to confirm a cancellation. The closed connection stops the query anyway. */
const CANCEL_TIMEOUT_MS = 1300;

/** Cancels a query by its id, because a proxy may keep its connection to the host after ours is closed. Never rejects. */
export async function cancelOnServer(send: SendRequest, queryId: string): Promise<void> {
  const response = await send({
    operation: 'cancelQuery',
    host: 'stream',
    method: 'DELETE',
    path: `/query/${encodeURIComponent(queryId)}`,
    isAuthenticated: true,
    repeatability: 'safe',
    signal: AbortSignal.timeout(CANCEL_TIMEOUT_MS),
  }).catch(() => undefined);
  await response?.body?.cancel().catch(() => undefined);
}
