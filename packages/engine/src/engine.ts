import type { Column, QueryParameter } from '@sluice/contract';
import type { RowTemplate } from '@sluice/encoders';
import type { StoredResult } from './stored/stored-result.ts';
import type { TableName } from './table-name.ts';

/** A statement with all settings of its session. Plain data, because it is sent to a query worker. */
export interface Statement {
  readonly sql: string;
  /** Values of the parameters that the SQL names as `$name`: each of them, and no others. Default: none. */
  readonly parameters?: readonly QueryParameter[] | undefined;
  readonly queryId: string;
  /** User name for the engine: an e-mail or a client id. */
  readonly user: string;
  /** Catalog and schema of unqualified names. Default: those of the engine's profile; of another catalog, its main schema. */
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
  /** IANA name of the session's time zone, or an offset such as `+05:30`. */
  readonly timeZone: string;
  /** Maximum number of rows; undefined: all. The engine reads one more, to find out whether there are more. */
  readonly rowsMax?: number | undefined;
  /**
   * The rows are yielded in their stored form too. `as sent`: the template writes that form already, so they are not yielded twice. Not for
   * Parquet, whose rows the engine writes itself.
   */
  readonly keepsRows?: boolean | 'as sent' | undefined;
  /** W3C trace context, for engines that take part in traces. */
  readonly traceparent?: string | undefined;
}

/**
 * Rows as finished bytes, including separators. Events end where rows end. Only a row larger than 256 KiB is split into several
 * events, and the last of them counts it.
 */
export interface RowsEvent {
  readonly kind: 'rows';
  /** Number of rows that end in these bytes; 0: they are the start or middle of a large row. */
  readonly rows: number;
  readonly bytes: Uint8Array;
  /** Must be called after the last use of `bytes`, whose memory is used again then. Without it the bytes belong to the receiver. */
  readonly release?: () => void;
}

/**
 * Rows in the form of kept results (`storedRows` of the encoders), after the same rows as finished bytes: lists of values, joined by
 * commas. The first row of an event may have a comma before it. A large row may be split into several events, and the last of them counts
 * it. The bytes are valid until the next event is requested. An engine that cannot write the form of a result yields none, so a receiver
 * compares the numbers of rows.
 */
export interface StoredRowsEvent {
  readonly kind: 'stored rows';
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** Columns of a result. */
export interface ColumnsEvent {
  readonly kind: 'columns';
  readonly columns: readonly Column[];
  /** Tables that the statement reads. Only for a statement that is described with its tables. */
  readonly tables?: readonly TableName[];
  /** SQL of DuckDB's type of each column in a Parquet file that is written from the kept rows. Only if the rows are kept. */
  readonly fileTypes?: readonly string[];
}

/** Events of a statement that a host receives, in this order: columns once, then rows, then end. */
export type SentEvent =
  | ColumnsEvent
  | RowsEvent
  /** The engine confirmed that these were all rows. A stream without this event was cut, even if it ended without an error. */
  | { readonly kind: 'end'; readonly limited: boolean };

/** Events of a statement in its engine. */
export type ResultEvent = SentEvent | StoredRowsEvent;

/** Returns the layout of rows once the columns are known; their names are distinct by then. */
export type RenderRows = (columns: readonly Column[]) => RowTemplate;

export interface DescribeOptions {
  /** Whether an engine that reports the tables of a running statement reports those of the described one too, before it returns. */
  readonly reportsTables?: boolean;
}

/** One SQL engine behind a common contract, which `testing/engine-contract.ts` tests for each. */
export interface Engine extends AsyncDisposable {
  /** The engine still works on an abandoned statement or had an internal error: its process must be replaced. */
  readonly mustReplace: boolean;
  /**
   * Runs one read-only statement. The iterator throws a ProblemError for every failure: a rejection by the guard, an error of the
   * engine about the caller's SQL (with `location` in it), or a failure after rows were returned. When `signal` aborts, the
   * engine stops immediately and the iterator throws the signal's reason.
   */
  run(statement: Statement, render: RenderRows, signal: AbortSignal): AsyncIterable<ResultEvent>;
  /** Returns the columns that `run` would return, without running anything. Throws what `run` would throw before its columns. */
  describe(statement: Statement, signal: AbortSignal, options?: DescribeOptions): Promise<readonly Column[]>;
  /**
   * Returns the tables and views that a query reads, without running it. DuckDB names a view, Trino the tables of a view. Empty for
   * statements that are not queries. Throws what `describe` throws.
   */
  tables(statement: Statement, signal: AbortSignal): Promise<readonly TableName[]>;
  /**
   * Returns the tables and views that a statement names, and the tables behind those views. Nothing is planned or run. Throws what `run`
   * throws for a syntax error or a rejection by the guard. Returns undefined for a statement with a name that the engine does not know, which
   * `run` rejects. An engine that reports tables while a statement runs has no such method (`EngineCapabilities.namesTablesFirst`).
   */
  namedTables?(statement: Statement, signal: AbortSignal): Promise<readonly TableName[] | undefined>;
  /**
   * Returns the rows of a kept result as one Parquet file, the same that `run` writes for its statement. Only for an engine that writes files
   * (`EngineCapabilities.writesFiles`). Throws what `run` throws while it writes a file.
   */
  storedParquet?(stored: StoredResult, signal: AbortSignal): AsyncIterable<ResultEvent>;
}

/** Progress of a running statement, for engines that report it. */
export interface EngineProgress {
  /** The statement waits in the engine's own queue. */
  readonly isQueued: boolean;
  readonly splitsDone: number;
  readonly splitsTotal: number;
}
