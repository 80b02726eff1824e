import { createHash } from 'node:crypto';

/** A row as the driver gives it: int8 is a string, timestamptz a Date, jsonb parsed. */
export type Row = Record<string, unknown>;

/** A statement that a connection plans once and then keeps under its name. Made by `prepared`. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Names a statement after its text, so that one name never means two statements: behind a pooler, hosts of two releases may share
 * the connections, and with them the names, of one server.
 */
export const prepared = (label: string, text: string): PreparedStatement => ({
  name: `${label}_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`,
  text,
});

/** One open transaction. It is over when the function that was given it returns (commit) or throws (rollback). */
export interface Transaction {
  /** Runs one statement with `$1` parameters and answers its rows. */
  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
}
