import type { Column, StreamEvent } from '../contract-types.ts';
import { IncompleteResultError, QueryFailedError, type SluiceErrorFields } from '../errors.ts';
import { type Shape, violationOf } from '../operations/check-answer.ts';
import { isQueryId } from './cancel-on-server.ts';
import { createTextParser, type ParsedPart, parseBlock, type Row, takeIds } from './parse-events.ts';
import type { QueryOptions, QuerySummary, TextQueryOptions } from './query.ts';
import { isFinal, type QueryEvent, type QueryProgression } from './query-state.ts';
import { malformed } from './read-blocks.ts';
import { createRowConverter } from './row-converter.ts';
import type { RowText } from './split-row.ts';
import { createTaskBreaks } from './yield-to-events.ts';

/** Options of the rows of a result, however they are requested. */
export type RowOptions = Pick<QueryOptions, 'numbers' | 'onProgress'> | Pick<TextQueryOptions, 'rows' | 'onProgress'>;

export interface Columns {
  readonly columns: readonly Column[];
}

/** Rows in batches. The first value is the columns. */
export type ResultParts = AsyncGenerator<Columns | (Row | RowText)[], QuerySummary, undefined>;

/** State and options of one result, across the connections that it arrives on. */
export interface Reading {
  readonly options: RowOptions;
  readonly progression: QueryProgression;
  readonly signal: AbortSignal;
  readonly ids: SluiceErrorFields & { readonly queryId: string };
  columns: readonly Column[] | undefined;
  /** Rows of the result that have arrived. */
  received: number;
  /** Id of the kept result that the rows are of, and the time of its execution. */
  kept: { readonly queryId: string; readonly asOf: number | undefined } | undefined;
}

type EventOf<Type extends StreamEvent['type']> = Extract<StreamEvent, { type: Type }>;

export const isText = (options: object): options is Pick<TextQueryOptions, 'rows'> =>
  'rows' in options && options.rows === 'text';

/** Members that the client reads. Events of other types are ignored. */
const EVENT_SHAPES: Readonly<Record<string, Shape>> = {
  metadata: { columns: [{ name: 'string', type: 'string' }], 'as_of?': 'number', 'query_id?': 'string' },
  progress: {
    state: 'string',
    rows: 'number',
    bytes: 'number',
    'splits_done|null': 'number',
    'splits_total|null': 'number',
  },
  complete: {
    'query_id?': 'string',
    'rows?': 'number',
    'elapsed_ms?': 'number',
    'limited?': 'boolean',
    'kept_until?': 'number',
    'not_kept?': 'string',
  },
  error: { code: 'string', error: 'string', 'location?': { line: 'number', column: 'number' } },
};

/** Code of the event of a query that has ended without its client, and whose result was not kept. Statements do not fail with it. */
const NOT_KEPT = 'NOT_FOUND';

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

function parse(parseText: Parse, text: string, { ids, received }: Reading): ParsedPart<Row | RowText>[] {
  const { block, firstId } = takeIds(text);
  // Rows are numbered from 1, so a stream that was continued at another row is found before its rows are used.
  if (firstId !== undefined && firstId !== received + 1)
    throw malformed(`The result goes on with row ${firstId} after ${received} rows`, ids);
  try {
    return parseText(block);
  } catch (cause) {
    throw malformed('An event of the result is not JSON', { ...ids, cause });
  }
}

/** Returns a function that converts rows in place, or undefined if they stay as they are. */
function createConverter(columns: readonly Column[], options: RowOptions) {
  if (isText(options)) return undefined;
  const { numbers = 'bigint' } = options as Pick<QueryOptions, 'numbers'>;
  return createRowConverter(columns, numbers) as ((rows: readonly (Row | RowText)[]) => void) | undefined;
}

const areEqual = (one: readonly Column[], other: readonly Column[]): boolean =>
  one.length === other.length &&
  one.every(({ name, type }, index) => name === other[index]?.name && type === other[index]?.type);

/** Takes the columns of a connection. Returns whether they are the first of the result; those of a later connection must be the same. */
function takeColumns(event: EventOf<'metadata'>, reading: Reading): boolean {
  const { columns, as_of: asOf, query_id: queryId } = event;
  if (queryId !== undefined) {
    if (!isQueryId(queryId)) throw malformed('The id of the kept result is not valid', reading.ids);
    reading.kept = { queryId, asOf };
  }
  if (reading.columns === undefined) {
    advance('columns', reading);
    reading.columns = columns;
    return true;
  }
  if (!areEqual(columns, reading.columns)) throw malformed('The continued result has other columns', reading.ids);
  return false;
}

/** Converts rows in place. */
type Convert = ReturnType<typeof createConverter>;

/** Part of a result that an event without a row has. */
type EventOutcome = { readonly columns: readonly Column[]; readonly isFirst: boolean } | QuerySummary | undefined;

/**
 * Applies an event that is not a row.
 * @returns the columns of the connection, the summary of a complete result, or undefined
 */
function applyEvent(event: Exclude<StreamEvent, { type: 'row' }>, reading: Reading): EventOutcome {
  const { options, ids } = reading;
  if (event.type === 'metadata') return { columns: event.columns, isFirst: takeColumns(event, reading) };
  if (event.type === 'progress') {
    advance('progress', reading);
    options.onProgress?.(presentProgress(event));
  } else if (event.type === 'error') {
    if (event.code === NOT_KEPT) throw new IncompleteResultError('cut', event.error, ids);
    advance('error', reading);
    throw failure(event, ids);
  } else if (event.type === 'complete') return summarize(event, reading);
  return undefined;
}

/**
 * Yields the columns, unless a connection before had them, then batches of rows. Returns only after `complete`, and only if its count equals
 * the rows received.
 * @throws QueryFailedError, IncompleteResultError
 */
export async function* readEvents(blocks: AsyncIterable<string>, reading: Reading): ResultParts {
  const { options, ids } = reading;
  const breakTask = createTaskBreaks();
  const parseText: Parse = isText(options) ? createTextParser() : parseBlock;
  let convert: Convert;
  for await (const block of blocks) {
    await breakTask();
    for (const part of parse(parseText, block, reading)) {
      requireValid(part, ids);
      if ('rows' in part) {
        advance('rows', reading);
        reading.received += part.rows.length;
        convert?.(part.rows);
        yield part.rows;
        continue;
      }
      const outcome = applyEvent(part.event, reading);
      if (outcome === undefined) continue;
      if (!('columns' in outcome)) return outcome;
      convert = createConverter(outcome.columns, options);
      if (outcome.isFirst) yield { columns: outcome.columns };
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

/** Facts of a kept result, each of them only if it is known. */
const keptFacts = ({ kept_until: keptUntil, not_kept: notKept }: EventOf<'complete'>, asOf: number | undefined) => ({
  ...(keptUntil === undefined ? {} : { keptUntil }),
  ...(notKept === undefined ? {} : { notKept }),
  ...(asOf === undefined ? {} : { asOf }),
});

function summarize(event: EventOf<'complete'>, reading: Reading): QuerySummary {
  const { ids, progression, received, kept } = reading;
  if (event.query_id !== undefined && event.query_id !== ids.queryId && event.query_id !== kept?.queryId)
    throw malformed('The result ends with the id of another query', ids);
  if (event.rows !== received && !isFinal(progression.state)) {
    progression.apply('miscounted');
    const message = `The result is incomplete: ${received} rows arrived, and the host sent ${event.rows}. Run the query again.`;
    throw new IncompleteResultError('row_count', message, ids);
  }
  advance('complete', reading);
  return {
    queryId: kept?.queryId ?? event.query_id ?? ids.queryId,
    rows: received,
    elapsedMs: event.elapsed_ms ?? 0,
    limited: event.limited ?? false,
    ...keptFacts(event, kept?.asOf),
  };
}
