import type { Column } from '@sluice/contract';
import type { RowTemplate } from '@sluice/encoders';

/** A statement with everything its session needs; plain data, so that it can cross to a query worker. */
export interface Statement {
  readonly sql: string;
  readonly queryId: string;
  /** Whom the engine is told it runs for: an e-mail or a client id. */
  readonly user: string;
  /** IANA name of the session's time zone. */
  readonly timeZone: string;
  /** At most this many rows; undefined: all. The engine is asked for one more, to know whether there were more. */
  readonly rowsMax?: number | undefined;
}

/**
 * Rows as finished bytes, separators included. Events end where rows end, except that a row larger than 256 KiB comes in several
 * events, of which only the last counts it.
 */
export interface RowsEvent {
  readonly kind: 'rows';
  /** Rows that end in these bytes; 0: they are the beginning or the middle of a large one. */
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** What an engine tells of a statement, in this order: columns once, then rows, then end. */
export type ResultEvent =
  | { readonly kind: 'columns'; readonly columns: readonly Column[] }
  | RowsEvent
  /** The engine has proved that these were all rows. A stream without it was cut, however quietly it ended. */
  | { readonly kind: 'end'; readonly limited: boolean };

/** Chosen when the columns are known; their names are distinct by then. */
export type RenderRows = (columns: readonly Column[]) => RowTemplate;

/** One SQL engine behind one contract; `testing/engine-contract.ts` proves it of each. */
export interface Engine extends AsyncDisposable {
  /** It still works on a statement that was given up, or failed within itself: its process must be replaced. */
  readonly mustReplace: boolean;
  /**
   * Runs one read-only statement. Throws a ProblemError, from the iterator, for whatever goes wrong: what the guard refuses,
   * what the engine says of the caller's SQL (with `location` in it), and what fails after rows were given.
   * When `signal` aborts, the engine is told at once and the iterator throws the signal's reason.
   */
  run(statement: Statement, render: RenderRows, signal: AbortSignal): AsyncIterable<ResultEvent>;
  /** The columns that `run` would give, without running anything. Throws what `run` would before its columns. */
  describe(statement: Statement, signal: AbortSignal): Promise<readonly Column[]>;
}
