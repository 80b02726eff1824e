import type { Column, ProblemError, QueryState } from '@sluice/contract';
import type { Format, ResultEnd } from './format.ts';
import { jsonObjectParts } from './json-row.ts';
import { type CellStyle, mergeLiterals } from './row-template.ts';
import { sseEvent } from './server-sent-events.ts';

export interface SseOptions {
  readonly bigNumbers: CellStyle['bigNumbers'];
  /** `shown`: `complete` carries statistics, and the host sends progress events. */
  readonly progress: 'shown' | 'hidden';
}

const jsonEvent = (payload: object): string => sseEvent({ data: JSON.stringify(payload) });

/** Text of a row event before and after its cells. */
const [ROW_START = '', ROW_END = ''] = sseEvent({ data: '{"type":"row","data":\0}' }).split('\0');

/** The stream of `POST /query`: metadata, rows, then exactly one of complete and error. */
export function createSseFormat(options: SseOptions): Format {
  return {
    head: (columns) => jsonEvent({ type: 'metadata', columns }),
    row: (columns) => ({
      separator: '',
      parts: mergeLiterals([{ literal: ROW_START }, ...jsonObjectParts(columns), { literal: ROW_END }]),
      style: { notation: 'json', bigNumbers: options.bigNumbers, formulas: 'keep' },
    }),
    complete: (end) =>
      jsonEvent({
        ...(options.progress === 'shown' ? completeWithStatistics(end) : { type: 'complete' }),
        ...presentKeeping(end.keeping),
      }),
    failed: sseFailed,
  };
}

const completeWithStatistics = (end: ResultEnd): object => ({
  type: 'complete',
  query_id: end.queryId,
  rows: end.rows,
  elapsed_ms: end.elapsedMs,
  limited: end.limited,
});

function presentKeeping(keeping: ResultEnd['keeping']): object {
  if (keeping === undefined) return {};
  return 'untilMs' in keeping ? { kept_until: keeping.untilMs } : { not_kept: keeping.notKept };
}

interface StoredHead {
  readonly columns: readonly Column[];
  readonly queryId: string;
  /** Time of the execution in epoch milliseconds. */
  readonly asOfMs: number;
}

/** Returns the first event of a stream that is read from a kept result. */
export const sseStoredHead = ({ columns, queryId, asOfMs }: StoredHead): string =>
  jsonEvent({ type: 'metadata', columns, as_of: asOfMs, query_id: queryId });

/** Returns the last event of such a stream. `rows` are those of the whole result. */
export const sseStoredEnd = (
  end: Pick<ResultEnd, 'queryId' | 'rows' | 'limited'> & { readonly untilMs: number },
): string =>
  jsonEvent({
    type: 'complete',
    query_id: end.queryId,
    rows: end.rows,
    limited: end.limited,
    kept_until: end.untilMs,
  });

/** Returns the last event of a stream whose query has failed, from its receipt. */
export const sseStoredError = ({ code, message }: StoredError, queryId: string): string =>
  jsonEvent({ type: 'error', error: message, code, query_id: queryId });

interface StoredError {
  /** Code as streams spell it, such as `QUERY_CANCELLED`. */
  readonly code: string;
  readonly message: string;
}

/** Returns the event that ends a failed stream. It is the only event if a query fails before its columns are known. */
function sseFailed(problem: ProblemError, queryId: string): string {
  return jsonEvent({
    type: 'error',
    error: problem.message,
    code: problem.streamCode,
    query_id: queryId,
    ...(problem.location === undefined ? {} : { location: problem.location }),
  });
}

interface ProgressCounts {
  readonly state: QueryState;
  readonly rows: number;
  readonly bytes: number;
  /** Units of work as the engine counts them; null if the engine has none. */
  readonly splitsDone: number | null;
  readonly splitsTotal: number | null;
}

export const sseProgress = (counts: ProgressCounts): string =>
  jsonEvent({
    type: 'progress',
    state: counts.state,
    rows: counts.rows,
    bytes: counts.bytes,
    splits_done: counts.splitsDone,
    splits_total: counts.splitsTotal,
  });
