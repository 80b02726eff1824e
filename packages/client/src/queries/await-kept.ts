import type { SendRequest } from '../http/send-request.ts';
import { expandPath } from '../operations/expand-path.ts';
import { readChunks } from './read-blocks.ts';

interface AwaitContext {
  readonly send: SendRequest;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** Position behind the rows of every result: the stream has only its first and its last event. */
const BEHIND_ALL_ROWS = 999_999_999;

/**
 * Waits until a query has ended whose result is or will be kept. Hosts go on with a query that has lost its client while this waits.
 * @throws ResponseError `not_found` if the result is not kept, ConnectionError, IncompleteResultError, or the reason of the signal
 */
export async function awaitKept(
  { send, timeoutMs, idleTimeoutMs }: AwaitContext,
  queryId: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const response = await send({
    operation: 'resumeEvents',
    host: 'stream',
    method: 'GET',
    path: expandPath('/query/{id}/events', { id: queryId }, { after: BEHIND_ALL_ROWS }),
    headers: { accept: 'text/event-stream' },
    isAuthenticated: true,
    repeatability: 'safe',
    signal,
    timeoutMs: Math.max(timeoutMs, idleTimeoutMs),
    isStream: true,
  });
  const ids = { queryId, requestId: response.headers.get('x-request-id') ?? undefined };
  for await (const _chunk of readChunks(response.body ?? new Blob([]).stream(), { idleTimeoutMs, signal, ids }));
}
