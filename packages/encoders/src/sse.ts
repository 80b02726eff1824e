import type { Column, ProblemError, QueryState } from '@sluice/contract';
import type { Format, ResultEnd } from './format.ts';
import { type CellStyle, mergeLiterals, type RowPart } from './row-template.ts';

export interface SseOptions {
  readonly bigNumbers: CellStyle['bigNumbers'];
  /** `shown`: `complete` carries statistics (and the host sends progress events). */
  readonly progress: 'shown' | 'hidden';
}

/** One event: a `data:` line of JSON, ended by a blank line (WHATWG HTML, "Server-sent events"). JSON has no raw line breaks. */
const sseEvent = (payload: object): string => `data: ${JSON.stringify(payload)}\n\n`;

/** A comment line, which clients ignore; it keeps proxies from closing a stream that has nothing to say. */
export const SSE_KEEP_ALIVE = ': keep-alive\n\n';

/** The stream of POST /query: metadata, rows, then exactly one of complete and error. */
export function createSseFormat(options: SseOptions): Format {
  return {
    head: (columns) => sseEvent({ type: 'metadata', columns }),
    row: (columns) => ({
      separator: '',
      parts: mergeLiterals([
        { literal: 'data: {"type":"row","data":' },
        ...jsonObjectParts(columns),
        { literal: '}\n\n' },
      ]),
      style: { notation: 'json', bigNumbers: options.bigNumbers, formulas: 'keep' },
    }),
    complete: (end) => sseEvent(options.progress === 'shown' ? completeWithStatistics(end) : { type: 'complete' }),
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

/** The event that ends a failed stream; also used alone, when a query fails before its columns are known. */
function sseFailed(problem: ProblemError, queryId: string): string {
  return sseEvent({
    type: 'error',
    error: problem.message,
    code: problem.streamCode,
    query_id: queryId,
    ...(problem.location === undefined ? {} : { location: problem.location }),
  });
}

export interface ProgressCounts {
  readonly state: QueryState;
  readonly rows: number;
  readonly bytes: number;
  /** Units of work as the engine counts them; null where it has none. */
  readonly splitsDone: number | null;
  readonly splitsTotal: number | null;
}

export const sseProgress = (counts: ProgressCounts): string =>
  sseEvent({
    type: 'progress',
    state: counts.state,
    rows: counts.rows,
    bytes: counts.bytes,
    splits_done: counts.splitsDone,
    splits_total: counts.splitsTotal,
  });

/** A row as a JSON object: names as literals, so that `__proto__`, integer-like and odd names are just names, in order. */
export function jsonObjectParts(columns: readonly Column[]): readonly RowPart[] {
  const parts: RowPart[] = [];
  columns.forEach((column, index) => {
    parts.push({ literal: `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:` }, { cell: index });
  });
  return [...parts, { literal: columns.length === 0 ? '{}' : '}' }];
}
