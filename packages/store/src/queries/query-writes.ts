import { randomUUID } from 'node:crypto';
import type { AuditRecord, QueryEndState } from '@sluice/contract';
import { batchWrites } from '../batching/batch-writes.ts';
import type { Database } from '../database/database.ts';
import { auditProblem } from '../database/store-problem.ts';
import type { PreparedStatement } from '../database/transaction.ts';
import type { FailureDetails } from './query-mapper.ts';
import {
  BEGIN_QUERIES,
  BEGIN_QUERY,
  CONTEXT_FIELDS,
  CORRECT_QUERY,
  FINISH_QUERIES,
  FINISH_QUERY,
} from './query-statements.ts';

/** Query that begins, with its audit record. The store adds the SQL to the record's metadata. */
export interface NewQuery extends AuditRecord {
  readonly queryId: string;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
  /** Secret that a caller without a session used. */
  readonly secretId?: string | undefined;
  readonly hostId: string;
  readonly sql: string;
}

export interface QueryEnd {
  readonly tenantId: string;
  readonly queryId: string;
  readonly state: QueryEndState;
  readonly rows: number;
  /** Number of bytes of the uncompressed body as sent. */
  readonly bytes: number;
  /** Lower-case hex over those bytes; null when the transfer was cut. */
  readonly sha256: string | null;
  readonly limited: boolean;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Belongs to the error. */
  readonly failure?: FailureDetails | undefined;
  /** Members of the outcome's metadata besides the others of the end, with which they share no key. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface QueryWrites {
  /**
   * Writes the audit record and the RUNNING query in one transaction. A waiting query has no row before. Throws `audit_unavailable`; then
   * nothing may run.
   */
  begin(query: NewQuery): Promise<void>;
  /**
   * Writes the receipt and the audit outcome in one transaction. Returns false when another process (the reaper) has closed the query; then
   * nothing is written, and the transfer must end as failed. Throws `audit_unavailable`.
   */
  finish(end: QueryEnd): Promise<boolean>;
  /**
   * Corrects a query that is stored as FINISHED, in its receipt and by a later outcome. A write that timed out may still commit after the
   * client was sent an error. Does nothing to a query in any other state. Throws `audit_unavailable`.
   */
  correct(end: QueryEnd): Promise<void>;
}

const beginValues = (query: NewQuery): unknown[] => [
  query.queryId,
  query.accountKind,
  query.accountId,
  query.user,
  query.sessionId ?? null,
  query.hostId,
  randomUUID(),
  query.secretId ?? null,
  query.action,
  query.target,
  JSON.stringify({ ...query.metadata, sql: query.sql }),
  ...CONTEXT_FIELDS.map(({ property }) => query[property] ?? null),
];

const endValues = (end: QueryEnd): unknown[] => [
  end.queryId,
  end.state,
  end.rows,
  end.bytes,
  end.sha256,
  end.limited,
  end.error === null ? null : JSON.stringify(end.error),
  JSON.stringify(end.metadata ?? {}),
  end.failure === undefined ? null : JSON.stringify(end.failure),
];

type WriteRow = readonly unknown[];

/** Returns one array per column, for `unnest`. */
const columnsOf = (rows: readonly WriteRow[]): unknown[] =>
  (rows[0] ?? []).map((_value, column) => rows.map((row) => row[column]));

const withAuditProblem = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (thrown) {
    throw auditProblem(thrown);
  }
};

/** Two forms of the same write: for one row, with a value per parameter, and for several, with an array per parameter. */
interface WriteStatements {
  readonly one: PreparedStatement;
  readonly several: PreparedStatement;
}

const BEGIN: WriteStatements = { one: BEGIN_QUERY, several: BEGIN_QUERIES };
const FINISH: WriteStatements = { one: FINISH_QUERY, several: FINISH_QUERIES };

/** Writes at the start and end of every query. Concurrent writes of one tenant share a statement and its commit. */
export function createQueryWrites(database: Database): QueryWrites {
  const write = (tenantId: string, rows: readonly WriteRow[], { one, several }: WriteStatements) => {
    const values = rows.length === 1 ? (rows[0] ?? []) : columnsOf(rows);
    return database.run<{ id: string }>({ tenantId }, rows.length === 1 ? one : several, [tenantId, ...values]);
  };
  const begin = batchWrites<NewQuery, undefined>({
    async writeAll(tenantId, queries) {
      await write(tenantId, queries.map(beginValues), BEGIN);
      return queries.map(() => undefined);
    },
    charactersOf: ({ sql }) => sql.length,
  });
  const finish = batchWrites<QueryEnd, boolean>({
    async writeAll(tenantId, ends) {
      const outcomes = ends.map((end) => ({ id: randomUUID(), end }));
      const rows = outcomes.map(({ id, end }) => [...endValues(end), id]);
      const written = new Set((await write(tenantId, rows, FINISH)).map(({ id }) => id));
      return outcomes.map(({ id }) => written.has(id));
    },
    charactersOf: ({ error }) => error?.message.length ?? 0,
  });
  return {
    begin: (query) => withAuditProblem(begin(query.tenantId, query)),
    finish: (end) => withAuditProblem(finish(end.tenantId, end)),
    async correct(end) {
      const { tenantId } = end;
      await withAuditProblem(database.run({ tenantId }, CORRECT_QUERY, [tenantId, ...endValues(end), randomUUID()]));
    },
  };
}
