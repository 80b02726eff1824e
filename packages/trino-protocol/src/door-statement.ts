import type { CatalogueStatement } from './catalogue/read-catalogue-statement.ts';

/** A statement of a client, by what answers it, and the text that EXECUTE stands for. */
export type DoorStatement = AnsweredStatement & {
  /**
   * Text that EXECUTE runs, with its values. Undefined: the statement is not EXECUTE. Two of them may be equal and stand for different statements,
   * because each connection has names of its own.
   */
  readonly executed?: string;
};

type AnsweredStatement =
  /** The tenant's engine runs it. EXECUTE is its prepared statement with its values put in. */
  | { readonly kind: 'query'; readonly sql: string; readonly timeLimitMs: number | undefined }
  /** DuckDB answers it from the mirrored catalog. */
  | CatalogueStatement
  /** The host answers it: the session of the client changes, or nothing happens. */
  | SessionStatement
  /**
   * DESCRIBE OUTPUT: what would answer `sql`, the prepared statement as its client wrote it, describes its columns instead. Its marks `?` are
   * NULL. `describeOutputRows` makes the rows.
   */
  | { readonly kind: 'describe output'; readonly sql: string }
  /** `CALL system.runtime.kill_query`. */
  | { readonly kind: 'kill'; readonly queryId: string; readonly message: string | undefined };

/** A statement whose answer has no engine behind it. */
export interface SessionStatement {
  readonly kind: 'session';
  /** Shown by clients: `SET SESSION`. Undefined: the answer has rows, as that of a query. */
  readonly updateType: string | undefined;
  /** Headers of the last page: `x-trino-set-catalog`. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /**
   * Schema that USE names. The host answers with CATALOG_NOT_FOUND or SCHEMA_NOT_FOUND, and without the headers, if the caller cannot see it.
   */
  readonly namespace?: { readonly catalog: string; readonly schema: string };
  /** Rows of DESCRIBE INPUT, SHOW SESSION and their kind. */
  readonly result?: SessionResult;
}

/** Rows that the host makes itself. */
export interface SessionResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}
