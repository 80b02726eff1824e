import { createHash } from 'node:crypto';

/** Row as the driver returns it: int8 is a string, timestamptz a Date, jsonb parsed. */
export type Row = Record<string, unknown>;

/** Statement that a connection plans once and then keeps under its name. Created by `prepared`. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Creates a prepared statement whose name is derived from its text, so that one name never means two statements: behind a pooler, hosts of
 * two releases may share the connections of one server, and with them the names.
 */
export const prepared = (label: string, text: string): PreparedStatement => ({
  name: `${label}_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`,
  text,
});

/** Open transaction. It ends when the function that received it returns (commit) or throws (rollback). */
export interface Transaction {
  /** Runs one statement with `$1` parameters and returns its rows. */
  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
}
