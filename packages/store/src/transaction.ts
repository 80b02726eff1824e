/** A row as the driver gives it: int8 is a string, timestamptz a Date, jsonb parsed. */
export type Row = Record<string, unknown>;

/** Names are unique among all of this package's. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** One open transaction. It is over when the function that was given it returns (commit) or throws (rollback). */
export interface Transaction {
  /** Runs one statement with `$1` parameters and answers its rows. */
  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** The same, planned once a connection and then kept under this name: for statements of every request. */
  queryPrepared<R extends object = Row>(statement: PreparedStatement, values: readonly unknown[]): Promise<R[]>;
}
