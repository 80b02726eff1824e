import type { ApiOperationTypes } from '../contract-types.ts';
import { ConnectionError, IncompleteResultError, ResponseError } from '../errors.ts';
import { wait } from '../http/retry.ts';
import type { ApiOperations, CallOptions } from '../operations/operations.ts';
import { malformed, readBlocks } from '../queries/read-blocks.ts';

/** A sealed record. */
export interface FollowedRecord {
  readonly sequence: number;
  /** The record as one line of JSON, with every digit of its numbers: a line of an export. */
  readonly text: string;
}

/** Filters of records, as `audit.search` and `audit.export` take them. */
export type AuditFilters = NonNullable<NonNullable<ApiOperationTypes['exportAuditLogs']['body']>['advance_options']>;

export interface FollowAuditOptions extends Pick<CallOptions, 'signal'> {
  /** Sequence of the last known record; 0 begins with the first. Default: begins with the next record that is sealed. */
  readonly after?: number | undefined;
  /** Records to yield. Default: all. */
  readonly filters?: AuditFilters | undefined;
  /** Longest silence in milliseconds before the stream is opened again. Default: 60,000. Hosts send a heartbeat every 15 s. */
  readonly idleTimeoutMs?: number | undefined;
  /** Called when the stream has ended, before it is opened again after the last record. Undefined: the host has ended it. */
  readonly onReconnect?: (error: unknown) => void;
  /** Called with the sequence that the stream has reached where it yields no record: at its begin, and behind records that do not match. */
  readonly onPosition?: ((sequence: number) => void) | undefined;
}

const IDLE_TIMEOUT_MS = 60_000;
const RECONNECT_MS_MIN = 250;
const RECONNECT_MS_MAX = 10_000;

/** An event. Without data, it only says where the stream is (HTML standard, section 9.2.6). */
interface StreamEvent {
  readonly id: number;
  readonly data: string | undefined;
}

// Strings in records may contain U+2028, which `.` does not match.
const EVENT = /^id: (\d{1,15})(?:\ndata: ([^\n]*))?$/;

function* readEvents(block: string): Generator<StreamEvent> {
  for (const text of block.split('\n\n')) {
    if (text === '' || text.startsWith(':')) continue;
    const found = EVENT.exec(text);
    if (found === null) throw malformed('The stream has an event that is not a record', {});
    yield { id: Number(found[1]), data: found[2] };
  }
}

/** Returns whether another attempt may succeed: the connection or the host failed, not the request. */
function isTransient(error: unknown): boolean {
  if (error instanceof IncompleteResultError) return error.reason !== 'malformed';
  if (error instanceof ConnectionError) return true;
  return error instanceof ResponseError && (error.status === 429 || (error.status ?? 0) >= 500);
}

interface Follower {
  /** Last sequence that is known; undefined before the host has said where the stream begins. */
  position: number | undefined;
  /** Time to wait before the next connection. */
  delayMs: number;
  hasConnected: boolean;
}

/** Returns whether another connection can continue. Without a position it would begin later, and the records between would be missing. */
const mayContinue = ({ hasConnected, position }: Follower): boolean => hasConnected && position !== undefined;

/** Returns filters as the query string has them: lists with commas between their members. */
function filterQuery({ actions, exclude_actions: excluded, ...filters }: AuditFilters) {
  return {
    ...filters,
    ...(actions === undefined ? {} : { actions: actions.join(',') }),
    ...(excluded === undefined ? {} : { exclude_actions: excluded.join(',') }),
  };
}

interface StreamOptions extends Pick<FollowAuditOptions, 'onPosition'> {
  readonly filters: AuditFilters;
  readonly signal: AbortSignal;
  readonly idleTimeoutMs: number;
}

/** Yields the new records of one connection. */
async function* readStream(
  api: Pick<ApiOperations, 'streamAuditLogs'>,
  follower: Follower,
  { filters, signal, idleTimeoutMs, onPosition }: StreamOptions,
): AsyncGenerator<FollowedRecord, void, undefined> {
  const position = follower.position === undefined ? {} : { after: follower.position };
  const query = { ...filterQuery(filters), ...position };
  const response = await api.streamAuditLogs({ query, signal });
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    await response.body?.cancel();
    const message =
      "The server's answer is not valid: it is not a stream of records. Check the URL and the proxies on the way.";
    throw new ResponseError('unexpected_response', message, { status: response.status });
  }
  follower.hasConnected = true;
  const ids = { requestId: response.headers.get('x-request-id') ?? undefined };
  const body = response.body ?? new Blob([]).stream();
  for await (const block of readBlocks(body, { idleTimeoutMs, signal, ids })) {
    for (const { id, data } of readEvents(block)) {
      // Hosts of earlier releases begin with a record.
      follower.position ??= data === undefined ? id : id - 1;
      if (data === undefined) {
        // The stream begins here, or the host has passed over records that do not match.
        follower.position = Math.max(follower.position, id);
        onPosition?.(follower.position);
      }
      if (data === undefined || id <= follower.position) continue;
      follower.position = id;
      follower.delayMs = RECONNECT_MS_MIN;
      yield { sequence: id, text: data };
    }
  }
}

/**
 * Yields the records of the audit log as they are sealed, each once and in order. When the stream ends, is cut or is silent, it is opened
 * again after the last record. Every connection is itself recorded. Ends only by the signal, by leaving the loop, or by an error.
 * @throws ResponseError if a request is rejected, such as 401 and 403; ConnectionError or IncompleteResultError if the first one fails
 * before the host has said where the stream begins
 */
export async function* followAudit(
  api: Pick<ApiOperations, 'streamAuditLogs'>,
  {
    after,
    filters = {},
    signal = new AbortController().signal,
    idleTimeoutMs = IDLE_TIMEOUT_MS,
    onReconnect,
    onPosition,
  }: FollowAuditOptions = {},
): AsyncGenerator<FollowedRecord, void, undefined> {
  const follower: Follower = { position: after, delayMs: RECONNECT_MS_MIN, hasConnected: false };
  for (;;) {
    let failure: unknown;
    try {
      yield* readStream(api, follower, { filters, signal, idleTimeoutMs, onPosition });
    } catch (error) {
      signal.throwIfAborted();
      if (!mayContinue(follower) || !isTransient(error)) throw error;
      failure = error;
    }
    onReconnect?.(failure);
    await wait(follower.delayMs, signal);
    follower.delayMs = Math.min(follower.delayMs * 2, RECONNECT_MS_MAX);
  }
}
