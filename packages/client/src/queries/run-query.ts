import type { Column, StreamEvent } from '../contract-types.ts';
import { IncompleteResultError, QueryFailedError, ResponseError, type SluiceErrorFields } from '../errors.ts';
import type { SendRequest } from '../http/send-request.ts';
import { encodeParameters } from './encode-parameters.ts';
import { type ParsedPart, parseBlock, type Row } from './parse-events.ts';
import type { QueryOptions, QuerySummary } from './query.ts';
import { malformed, readBlocks } from './read-blocks.ts';
import { createRowConverter } from './row-converter.ts';
import { createTaskBreaks } from './yield-to-events.ts';

export interface QueryRun {
  readonly queryId: string;
  /** Rows in batches. The first value is the columns. */
  readonly parts: AsyncGenerator<Columns | Row[], QuerySummary, undefined>;
}

export interface Columns {
  readonly columns: readonly Column[];
}

interface RunContext {
  readonly send: SendRequest;
  readonly idleTimeoutMs: number;
}

type EventOf<Type extends StreamEvent['type']> = Extract<StreamEvent, { type: Type }>;

function bodyOf(sql: string, options: QueryOptions): string {
  return JSON.stringify({
    sql,
    progress: true,
    // Strings for all modes: JSON.parse would round, and the column's type tells what to make of them.
    big_numbers: 'string',
    ...(options.parameters === undefined ? {} : { parameters: encodeParameters(options.parameters) }),
    ...(options.size === undefined ? {} : { size: options.size }),
    ...(options.timeZone === undefined ? {} : { time_zone: options.timeZone }),
  });
}

/** Sends a query and resolves when the host has admitted it. */
export async function startQuery(
  context: RunContext,
  sql: string,
  options: QueryOptions,
  signal: AbortSignal,
): Promise<QueryRun> {
  const response = await context.send({
    operation: 'streamQuery',
    host: 'stream',
    method: 'POST',
    path: '/query',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: bodyOf(sql, options),
    isAuthenticated: true,
    repeatability: 'statement',
    signal,
  });
  const queryId = response.headers.get('x-query-id') ?? undefined;
  const ids = { queryId, requestId: response.headers.get('x-request-id') ?? undefined };
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!isStream || response.body === null || queryId === undefined) {
    await response.body?.cancel();
    const message = `${new URL(response.url).host} did not return a stream of rows. Check streamUrl and the proxies on the way.`;
    throw new ResponseError('unexpected_response', message, { ...ids, status: response.status });
  }
  const blocks = readBlocks(response.body, { idleTimeoutMs: context.idleTimeoutMs, signal, ids });
  return { queryId, parts: readParts(blocks, options, ids) };
}

function parse(block: string, ids: SluiceErrorFields): ParsedPart[] {
  try {
    return parseBlock(block);
  } catch (cause) {
    throw malformed('An event of the result is not JSON', { ...ids, cause });
  }
}

/** Yields the columns, then batches of rows. Returns only after `complete`, and only if its count equals the rows received. */
async function* readParts(
  blocks: AsyncIterable<string>,
  options: QueryOptions,
  ids: SluiceErrorFields,
): AsyncGenerator<Columns | Row[], QuerySummary, undefined> {
  const breakTask = createTaskBreaks();
  let convert: ((rows: readonly Row[]) => void) | undefined;
  let received = 0;
  for await (const block of blocks) {
    await breakTask();
    for (const part of parse(block, ids)) {
      if ('rows' in part) {
        received += part.rows.length;
        convert?.(part.rows);
        yield part.rows;
      } else if (part.event.type === 'metadata') {
        convert = createRowConverter(part.event.columns, options.numbers ?? 'bigint');
        yield { columns: part.event.columns };
      } else if (part.event.type === 'progress') options.onProgress?.(presentProgress(part.event));
      else if (part.event.type === 'error') throw failure(part.event, ids);
      else if (part.event.type === 'complete') return summarize(part.event, received, ids);
    }
  }
  const message = 'The result is incomplete: the stream ended without `complete`. Run the query again.';
  throw new IncompleteResultError('cut', message, ids);
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

function summarize(event: EventOf<'complete'>, received: number, ids: SluiceErrorFields): QuerySummary {
  if (event.rows !== received) {
    const message = `The result is incomplete: ${received} rows arrived, and the host sent ${event.rows}. Run the query again.`;
    throw new IncompleteResultError('row_count', message, ids);
  }
  return {
    queryId: event.query_id ?? ids.queryId ?? '',
    rows: received,
    elapsedMs: event.elapsed_ms ?? 0,
    limited: event.limited ?? false,
  };
}
