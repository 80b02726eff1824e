import type { Client } from '@sluice/client';

/** Number behind the last row of any result: the host then sends the end of a stream, and no rows. */
const AFTER_ALL_ROWS = 999_999_999;

/**
 * Waits for the end of a query whose result will be kept, so that the host continues it without its first page. Resolves with the time until
 * which the result is kept, in epoch milliseconds.
 * @throws ResponseError `not_found` if it is not kept, ConnectionError
 */
export async function awaitKeptResult(client: Client, queryId: string, signal: AbortSignal): Promise<number> {
  const params = { id: queryId };
  const events = await client.stream.resumeEvents({ params, query: { after: AFTER_ALL_ROWS }, signal });
  const reader = events.body?.getReader();
  while (reader !== undefined && !(await reader.read()).done);
  return (await client.stream.getResult({ params, signal })).expires_ts;
}
