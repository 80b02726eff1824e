import type { Column } from '../contract-types.ts';
import type { ResumeOptions } from '../http/resume.ts';
import type { Row } from './parse-events.ts';
import type { QueryState } from './query-state.ts';
import type { NumberMode } from './row-converter.ts';

/** One value, or an item of a list. */
type PlainValue = string | number | boolean | null;

/**
 * Value of a parameter: of the type that JSON shows, or of a named one, such as `{ type: 'date', value: '2026-03-29' }`. A Date is a
 * `timestamp(3) with time zone` in UTC. An array is a list, whose items have one type.
 */
export type ParameterValue =
  | PlainValue
  | bigint
  | Date
  | readonly (PlainValue | bigint | Date)[]
  | { readonly type: string; readonly value: PlainValue | readonly PlainValue[] };

export interface QueryOptions extends ResumeOptions {
  /** Values of the named parameters of the statement, by name. They are bound by the engine, never put into the text. */
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  /** Maximum number of rows; `summary.limited` says whether there were more. */
  readonly size?: number;
  /** IANA name of the session's time zone. Default: UTC. */
  readonly timeZone?: string;
  /** Catalog of names that have none. Default: that of the engine. */
  readonly catalog?: string;
  /** Schema of names that have none. Default: that of the engine in its default catalog. */
  readonly schema?: string;
  /** Representation of numbers that a double may round. Default: `bigint`. */
  readonly numbers?: NumberMode;
  /**
   * Keeps the result for this long after its end, such as `24h`; at most what the tenant allows. If the connection is cut, the rows
   * continue at the next one. `summary.keptUntil` says whether the result was kept, and `client.result(id)` reads it.
   */
  readonly keep?: string;
  /**
   * Returns a kept result of yours instead of a run, if it has the same statement, parameters, options, schema and time zone and is not older, such as
   * `15m`. `summary.asOf` then has its time.
   */
  readonly reuse?: string;
  /** Cancels the query. The loop then throws the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Called about once a second while the query runs. */
  readonly onProgress?: (progress: QueryProgress) => void;
}

/** Options of a query whose rows are the JSON text of their values. */
export interface TextQueryOptions extends Omit<QueryOptions, 'numbers'> {
  /** Rows by position: the JSON text of each value as the host sent it, such as `250.00`, `"a"` or `null`. Nothing is rounded. */
  readonly rows: 'text';
}

/** State of a running query, about once a second. */
export interface QueryProgress {
  readonly state: string;
  readonly rows: number;
  readonly bytes: number;
  /** Units of work as the engine counts them; null if it has none. */
  readonly splitsDone: number | null;
  readonly splitsTotal: number | null;
}

/** Summary of a complete result, as the host reports it. */
export interface QuerySummary {
  /** Id of the query that ran. For a result that was reused, that of the query before. */
  readonly queryId: string;
  /** Rows of the whole result. */
  readonly rows: number;
  readonly elapsedMs: number;
  /** The result had more rows than `size`. */
  readonly limited: boolean;
  /** Time until which the result is kept, in epoch milliseconds. Absent if it is not kept. */
  readonly keptUntil?: number;
  /** Reason that the result is not kept although `keep` was set. */
  readonly notKept?: string;
  /** Time of the execution in epoch milliseconds, of a kept result. */
  readonly asOf?: number;
}

/**
 * A query. It is sent when `columns`, `id` or its rows are first asked for, and its rows can be read once.
 * Leaving a loop over it cancels it on the server.
 */
export interface Query<R extends object = Row> extends AsyncIterable<R> {
  /**
   * Id of the query.
   * @throws ResponseError if the request is rejected
   */
  readonly id: Promise<string>;
  /**
   * Columns of the result, before its first row.
   * @throws ResponseError or QueryFailedError if the statement is rejected
   */
  readonly columns: Promise<readonly Column[]>;
  /** `created`, `sent`, `admitted`, `streaming`, or one of the ends: `complete`, `failed`, `cancelled`, `incomplete`. */
  readonly state: QueryState;
  /** Set when all rows were read; undefined before. */
  readonly summary: QuerySummary | undefined;
  /**
   * Rows as they arrive, in arrays. Faster than row by row.
   * @throws QueryFailedError if the statement fails, IncompleteResultError if the result ends without the proof that it is complete
   */
  batches(): AsyncGenerator<R[], void, undefined>;
  /** Cancels the query on the server. Does nothing if it is over. */
  cancel(): Promise<void>;
}
