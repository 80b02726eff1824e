import type { Column, StreamEvent } from '../contract-types.ts';
import { IncompleteResultError, QueryFailedError, ResponseError, type SluiceErrorFields } from '../errors.ts';
import { hostOf } from '../http/read-json.ts';
import type { SendRequest } from '../http/send-request.ts';
import { type Shape, violationOf } from '../operations/check-answer.ts';
import { queryIdOf } from './cancel-on-server.ts';
import { encodeParameters } from './encode-parameters.ts';
import { createTextParser, type ParsedPart, parseBlock, type Row } from './parse-events.ts';
import type { QueryOptions, QuerySummary, TextQueryOptions } from './query.ts';
import { isFinal, type QueryEvent, type QueryProgression } from './query-state.ts';
import { malformed, readBlocks } from './read-blocks.ts';
import { createRowConverter } from './row-converter.ts';
import type { RowText } from './split-row.ts';
import { createTaskBreaks } from './yield-to-events.ts';

export type AnyQueryOptions = QueryOptions | TextQueryOptions;

export interface QueryRun {
  readonly queryId: string;
  /** Rows in batches. The first value is the columns. */
  readonly parts: AsyncGenerator<Columns | (Row | RowText)[], QuerySummary, undefined>;
}

export interface Columns {
  readonly columns: readonly Column[];
}

interface RunContext {
  readonly send: SendRequest;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
}

const isText = (options: AnyQueryOptions): options is TextQueryOptions => 'rows' in options && options.rows === 'text';

type EventOf<Type extends StreamEvent['type']> = Extract<StreamEvent, { type: Type }>;

function queryBody(sql: string, options: AnyQueryOptions): string {
  return JSON.stringify({
    sql,
    progress: true,
    // Strings unless rows are JSON text: JSON.parse would round, and the column's type tells what to make of them.
    big_numbers: isText(options) ? 'number' : 'string',
    ...(options.parameters === undefined ? {} : { parameters: encodeParameters(options.parameters) }),
    ...(options.size === undefined ? {} : { size: options.size }),
    ...(options.timeZone === undefined ? {} : { time_zone: options.timeZone }),
  });
}

/** State and options that the readers of one result share. */
interface Reading {
  readonly options: AnyQueryOptions;
  readonly progression: QueryProgression;
  readonly signal: AbortSignal;
  readonly ids: SluiceErrorFields;
}

/** Sends a query and resolves when the host has admitted it. */
export async function startQuery(
  context: RunContext,
  sql: string,
  { options, progression, signal }: Omit<Reading, 'ids'>,
): Promise<QueryRun> {
  const response = await context.send({
    operation: 'streamQuery',
    host: 'stream',
    method: 'POST',
    path: '/query',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: queryBody(sql, options),
    isAuthenticated: true,
    repeatability: 'statement',
    signal,
    // Silent while the query waits for a worker.
    timeoutMs: Math.max(context.timeoutMs, context.idleTimeoutMs),
    isStream: true,
  });
  const queryId = queryIdOf(response);
  const ids = { queryId, requestId: response.headers.get('x-request-id') ?? undefined };
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!isStream || response.body === null || queryId === undefined) {
    await response.body?.cancel();
    const message = `${hostOf(response)} did not return a stream of rows. Check streamUrl and the proxies on the way.`;
    throw new ResponseError('unexpected_response', message, { ...ids, status: response.status });
  }
  const blocks = readBlocks(response.body, { idleTimeoutMs: context.idleTimeoutMs, signal, ids });
  return { queryId, parts: readParts(blocks, { options, progression, signal, ids }) };
}

/** Members that the client reads. Events of other types are ignored. */
const EVENT_SHAPES: Readonly<Record<string, Shape>> = {
  metadata: { columns: [{ name: 'string', type: 'string' }] },
  progress: {
    state: 'string',
    rows: 'number',
    bytes: 'number',
    'splits_done|null': 'number',
    'splits_total|null': 'number',
  },
  complete: { 'query_id?': 'string', 'rows?': 'number', 'elapsed_ms?': 'number', 'limited?': 'boolean' },
  error: { code: 'string', error: 'string', 'location?': { line: 'number', column: 'number' } },
};

const isRow = (row: unknown): boolean => typeof row === 'object' && row !== null;

/** Throws if rows are not objects or lists, or an event is not one of the contract. */
function requireValid(part: ParsedPart<Row | RowText>, ids: SluiceErrorFields): void {
  if ('rows' in part) {
    if (part.rows.every(isRow)) return;
    throw malformed('A row of the result is not an object', ids);
  }
  const { type } = part.event;
  const shape = Object.hasOwn(EVENT_SHAPES, type) ? EVENT_SHAPES[type] : undefined;
  const violation = shape === undefined ? undefined : violationOf(shape, part.event);
  if (violation !== undefined) throw malformed(`An event of the result (${type}) is not valid: ${violation}`, ids);
}

type Parse = (block: string) => ParsedPart<Row | RowText>[];

function parse(parseText: Parse, block: string, ids: SluiceErrorFields): ParsedPart<Row | RowText>[] {
  try {
    return parseText(block);
  } catch (cause) {
    throw malformed('An event of the result is not JSON', { ...ids, cause });
  }
}

/** Returns a function that converts rows in place, or undefined if they stay as they are. */
function createConverter(columns: readonly Column[], options: AnyQueryOptions) {
  if (isText(options)) return undefined;
  return createRowConverter(columns, options.numbers ?? 'bigint') as
    | ((rows: readonly (Row | RowText)[]) => void)
    | undefined;
}

/** Yields the columns, then batches of rows. Returns only after `complete`, and only if its count equals the rows received. */
async function* readParts(blocks: AsyncIterable<string>, reading: Reading): QueryRun['parts'] {
  try {
    return yield* readEvents(blocks, reading);
  } catch (error) {
    if (error instanceof IncompleteResultError) reading.progression.apply('ended');
    throw error;
  }
}

async function* readEvents(blocks: AsyncIterable<string>, reading: Reading): QueryRun['parts'] {
  const { options, ids } = reading;
  const breakTask = createTaskBreaks();
  const parseText: Parse = isText(options) ? createTextParser() : parseBlock;
  let convert: ReturnType<typeof createConverter>;
  let received = 0;
  for await (const block of blocks) {
    await breakTask();
    for (const part of parse(parseText, block, ids)) {
      requireValid(part, ids);
      if ('rows' in part) {
        advance('rows', reading);
        received += part.rows.length;
        convert?.(part.rows);
        yield part.rows;
      } else if (part.event.type === 'metadata') {
        advance('columns', reading);
        convert = createConverter(part.event.columns, options);
        yield { columns: part.event.columns };
      } else if (part.event.type === 'progress') {
        advance('progress', reading);
        options.onProgress?.(presentProgress(part.event));
      } else if (part.event.type === 'error') {
        advance('error', reading);
        throw failure(part.event, ids);
      } else if (part.event.type === 'complete') return summarize(part.event, received, reading);
    }
  }
  const message = 'The result is incomplete: the stream ended without `complete`. Run the query again.';
  throw new IncompleteResultError('cut', message, ids);
}

/** Applies an event of the host. Throws when it cannot follow the events before it, and when the caller has cancelled meanwhile. */
function advance(event: QueryEvent, { progression, signal, ids }: Reading): void {
  const state = progression.apply(event);
  if (state === 'cancelled') throw signal.reason;
  if (state === 'incomplete') throw malformed('The events of the result are not in their order', ids);
}

const presentProgress = (event: EventOf<'progress'>) => ({
  state: event.state,
  rows: event.rows,
  bytes: event.bytes,
  splitsDone: event.splits_done,
  splitsTotal: event.splits_total,
});

const failure = (event: EventOf<'error'>, ids: SluiceErrorFields): QueryFailedError =>
  new QueryFailedError(event.code.toLowerCase(), event.error, { ...ids, location: event.location });

function summarize(event: EventOf<'complete'>, received: number, reading: Reading): QuerySummary {
  const { ids, progression } = reading;
  if (event.query_id !== undefined && event.query_id !== ids.queryId)
    throw malformed('The result ends with the id of another query', ids);
  if (event.rows !== received && !isFinal(progression.state)) {
    progression.apply('miscounted');
    const message = `The result is incomplete: ${received} rows arrived, and the host sent ${event.rows}. Run the query again.`;
    throw new IncompleteResultError('row_count', message, ids);
  }
  advance('complete', reading);
  return {
    queryId: event.query_id ?? ids.queryId ?? '',
    rows: received,
    elapsedMs: event.elapsed_ms ?? 0,
    limited: event.limited ?? false,
  };
}
