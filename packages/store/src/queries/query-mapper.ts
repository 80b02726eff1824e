import type { EngineError, QueryState, Receipt, SqlLocation } from '@sluice/contract';

/** Facts of an error that clients of Trino receive besides its code and message, which are in the receipt. */
export interface FailureDetails {
  readonly location?: SqlLocation | undefined;
  readonly engineError?: EngineError | undefined;
}

export interface QueryRow {
  readonly query_id: string;
  readonly account_kind: 'user' | 'client';
  readonly account_id: string;
  readonly host_id: string;
  readonly state: QueryState;
  /** int8 arrives as text; these stay far below 2^53. */
  readonly rows: string;
  readonly bytes: string;
  readonly sha256: string | null;
  readonly limited: boolean;
  readonly at_least: boolean;
  readonly started: Date;
  readonly ended: Date | null;
  readonly error: { code: string; message: string } | null;
  readonly cancel_requested: boolean;
  readonly failure: FailureDetails | null;
}

/** Listed one by one: the columns of a prepared plan must not change when the table gains a column. */
export const QUERY_COLUMNS = `query_id, account_kind, account_id, host_id, state, rows, bytes, sha256, limited, at_least, started, ended,
  error, cancel_requested, failure`;

export const receiptOf = (row: QueryRow): Receipt => ({
  query_id: row.query_id,
  state: row.state,
  rows: Number(row.rows),
  bytes: Number(row.bytes),
  ...(row.at_least ? { at_least: true } : {}),
  sha256: row.sha256,
  limited: row.limited,
  started_ts: row.started.getTime(),
  ended_ts: row.ended?.getTime() ?? null,
  error: row.error,
});
