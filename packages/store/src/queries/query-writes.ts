import { randomUUID } from 'node:crypto';
import type { AuditRecord, QueryEndState } from '@sluice/contract';
import { gatherWrites } from '../batching/gather-writes.ts';
import type { Database } from '../database/database.ts';
import { auditProblem } from '../database/store-problem.ts';
import type { PreparedStatement } from '../database/transaction.ts';
import {
  BEGIN_QUERIES,
  BEGIN_QUERY,
  CONTEXT_FIELDS,
  CORRECT_QUERY,
  FINISH_QUERIES,
  FINISH_QUERY,
} from './query-statements.ts';

/** A query that begins, with its audit record. The store adds the SQL to the record's metadata. */
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
  /** Of the uncompressed body as sent. */
  readonly bytes: number;
  /** Lower-case hex over those bytes; null when the transfer was cut. */
  readonly sha256: string | null;
  readonly limited: boolean;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface QueryWrites {
  /** One transaction: the audit record and the RUNNING query; whoever waits for a turn has no row yet. Throws `audit_unavailable`; then nothing may run. */
  begin(query: NewQuery): Promise<void>;
  /**
   * One transaction: the receipt and the audit outcome. False when somebody (the reaper) closed it before; then nothing is
   * written, and the transfer must end as failed. Throws `audit_unavailable`.
   */
  finish(end: QueryEnd): Promise<boolean>;
  /**
   * Says of a query that stands as FINISHED how it ended instead, in its receipt and by a later outcome: a write that was given up may
   * be done long after, when its client has been told of a failure. Does nothing to any other. Throws `audit_unavailable`.
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
  query.sql,
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
];

type WriteRow = readonly unknown[];

/** One array a column, for `unnest`. */
const columnsOf = (rows: readonly WriteRow[]): unknown[] =>
  (rows[0] ?? []).map((_value, column) => rows.map((row) => row[column]));

const withAuditProblem = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (thrown) {
    throw auditProblem(thrown);
  }
};

/** The same write for one row, with a value a parameter, and for several, with an array a parameter. */
interface WriteStatements {
  readonly one: PreparedStatement;
  readonly several: PreparedStatement;
}

const BEGIN: WriteStatements = { one: BEGIN_QUERY, several: BEGIN_QUERIES };
const FINISH: WriteStatements = { one: FINISH_QUERY, several: FINISH_QUERIES };

/** The two writes of every query. Those of one tenant that are made at the same time share a statement and its commit. */
export function createQueryWrites(database: Database): QueryWrites {
  const write = (tenantId: string, rows: readonly WriteRow[], { one, several }: WriteStatements) => {
    const values = rows.length === 1 ? (rows[0] ?? []) : columnsOf(rows);
    return database.run<{ id: string }>({ tenantId }, rows.length === 1 ? one : several, [tenantId, ...values]);
  };
  const begin = gatherWrites<NewQuery, undefined>({
    async writeAll(tenantId, queries) {
      await write(tenantId, queries.map(beginValues), BEGIN);
      return queries.map(() => undefined);
    },
    charactersOf: ({ sql }) => sql.length,
  });
  const finish = gatherWrites<QueryEnd, boolean>({
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
