import { IncompleteResultError, ResponseError } from '../errors.ts';
import { hostOf } from '../http/read-json.ts';
import { Resumer } from '../http/resume.ts';
import type { RequestInput, SendRequest } from '../http/send-request.ts';
import { expandPath } from '../operations/expand-path.ts';
import { queryIdOf } from './cancel-on-server.ts';
import { encodeParameters } from './encode-parameters.ts';
import type { QueryOptions, TextQueryOptions } from './query.ts';
import type { QueryProgression } from './query-state.ts';
import { readBlocks } from './read-blocks.ts';
import { isText, type Reading, type ResultParts, readEvents } from './read-events.ts';

export type AnyQueryOptions = QueryOptions | TextQueryOptions;

/** A result whose first connection is open. */
export interface QueryRun {
  readonly queryId: string;
  readonly parts: ResultParts;
}

export interface RunContext {
  readonly send: SendRequest;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly retryDelayMaxMs: number;
}

/** Source of the rows of a query: a request that begins them, and whether another one can continue them. */
interface RunInput {
  readonly request: Pick<RequestInput, 'operation' | 'method' | 'path' | 'repeatability' | 'headers' | 'body'>;
  readonly options: AnyQueryOptions;
  readonly progression: QueryProgression;
  readonly signal: AbortSignal;
  /** Rows that have arrived before. */
  readonly received: number;
  /** Whether the result is kept, or will be. */
  readonly isKept: boolean;
}

/** Returns the representation of numbers: strings, except in rows that are JSON text. JSON.parse would round numbers. */
const bigNumbersOf = (options: AnyQueryOptions): 'number' | 'string' => (isText(options) ? 'number' : 'string');

const EVENT_STREAM = { accept: 'text/event-stream' };

/** Returns the request that runs a statement. */
export function statementRequest(sql: string, options: AnyQueryOptions): RunInput['request'] {
  const { parameters, size, timeZone, catalog, schema, keep, reuse } = options;
  const body = {
    sql,
    progress: true,
    big_numbers: bigNumbersOf(options),
    parameters: parameters === undefined ? undefined : encodeParameters(parameters),
    size,
    time_zone: timeZone,
    catalog,
    schema,
    keep,
    reuse,
  };
  return {
    operation: 'streamQuery',
    method: 'POST',
    path: '/query',
    repeatability: 'statement',
    headers: { ...EVENT_STREAM, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/**
 * Returns the request for the events of a query whose result is or will be kept.
 * @param after - rows that have arrived
 */
export function eventsRequest(id: string, after: number, options: AnyQueryOptions): RunInput['request'] {
  const query = { after, big_numbers: bigNumbersOf(options), progress: true };
  return {
    operation: 'resumeEvents',
    method: 'GET',
    path: expandPath('/query/{id}/events', { id }, query),
    repeatability: 'safe',
    headers: EVENT_STREAM,
  };
}

/** Sends a request for events and resolves when the host has accepted it. */
async function openStream(
  { send, timeoutMs, idleTimeoutMs }: RunContext,
  request: RunInput['request'],
  signal: AbortSignal,
) {
  const response = await send({
    ...request,
    host: 'stream',
    isAuthenticated: true,
    signal,
    // Silent while the query waits for a worker.
    timeoutMs: Math.max(timeoutMs, idleTimeoutMs),
    isStream: true,
  });
  const queryId = queryIdOf(response);
  const ids = { queryId, requestId: response.headers.get('x-request-id') ?? undefined };
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (isStream && response.body !== null && queryId !== undefined)
    return { body: response.body, ids: { ...ids, queryId } };
  await response.body?.cancel();
  const message = `${hostOf(response)} did not return a stream of rows. Check streamUrl and the proxies on the way.`;
  throw new ResponseError('unexpected_response', message, { ...ids, status: response.status });
}

/** Sends the request of a result and resolves when the host has admitted it. */
export async function startRun(context: RunContext, input: RunInput): Promise<QueryRun> {
  const { request, options, progression, signal, received } = input;
  const { idleTimeoutMs } = context;
  const resumer = new Resumer(options, signal, context.retryDelayMaxMs);
  const { body, ids } = await openStream(context, request, signal);
  const reading: Reading = { options, progression, signal, ids, columns: undefined, received, kept: undefined };
  const blocks = readBlocks(body, { idleTimeoutMs, signal, ids });
  return { queryId: ids.queryId, parts: readParts(context, { input, reading, resumer }, blocks) };
}

interface Run {
  readonly input: RunInput;
  readonly reading: Reading;
  readonly resumer: Resumer;
}

/** Yields the columns, then batches of rows, over as many connections as the caller allows. */
async function* readParts(context: RunContext, run: Run, first: AsyncIterable<string>): ResultParts {
  let blocks = first;
  try {
    for (;;) {
      try {
        return yield* readEvents(blocks, run.reading);
      } catch (error) {
        blocks = await reopen(context, run, error);
      }
    }
  } catch (error) {
    if (error instanceof IncompleteResultError) run.reading.progression.apply('ended');
    throw error;
  }
}

/**
 * Opens the stream again after the rows that have arrived.
 * @throws the failure of the connection if that is not possible
 */
async function reopen(context: RunContext, { input, reading, resumer }: Run, failure: unknown) {
  const { signal } = reading;
  const isKept = input.isKept || reading.kept !== undefined;
  let last = failure;
  while (isKept && (await resumer.next(last, reading.received))) {
    const id = reading.kept?.queryId ?? reading.ids.queryId;
    try {
      const { body, ids } = await openStream(context, eventsRequest(id, reading.received, input.options), signal);
      return readBlocks(body, { idleTimeoutMs: context.idleTimeoutMs, signal, ids });
    } catch (error) {
      signal.throwIfAborted();
      last = error;
    }
  }
  throw resumer.explain(failure, last, 'Run the query again.');
}
