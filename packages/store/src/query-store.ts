import { randomUUID } from 'node:crypto';
import type { AuditAction, QueryEndState, QueryState, Receipt } from '@sluice/contract';
import type { Database } from './database.ts';
import { type QueryRow, receiptOf } from './query-row.ts';
import { BEGIN_QUERY, FIND_QUERY, FINISH_QUERY, LIST_RUNNING, REQUEST_CANCEL, STOPS_DUE } from './query-statements.ts';
import { auditProblem } from './store-problem.ts';
import { isUuid } from './uuid.ts';

export interface NewQuery {
  readonly tenantId: string;
  readonly queryId: string;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
  /** The `user` of the audit record. */
  readonly user: string;
  readonly sessionId?: string | undefined;
  readonly hostId: string;
  readonly sql: string;
  readonly action: AuditAction;
  readonly target: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly address: string;
  readonly userAgent?: string | undefined;
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

export interface FoundQuery {
  readonly receipt: Receipt;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
  readonly hostId: string;
  readonly sql: string;
  readonly cancelRequested: boolean;
}

export interface RunningQuery {
  readonly query_id: string;
  readonly sql: string;
  readonly state: QueryState;
  readonly started_ts: number;
  readonly hostId: string;
  /** Only the host that runs it knows more than 0. */
  readonly rows: number;
  readonly bytes: number;
}

export type StopReason = 'cancelled' | 'logged_out' | 'disabled' | 'suspended' | 'key_revoked' | 'not_permitted';

export interface StopDue {
  readonly queryId: string;
  readonly reason: StopReason;
}

export interface QueryStore {
  /** One transaction: the audit record and the RUNNING query; whoever waits for a turn has no row yet. Throws `audit_unavailable`; then nothing may run. */
  begin(query: NewQuery): Promise<void>;
  /**
   * One transaction: the receipt and the audit outcome. False when somebody (the reaper) closed it before; then nothing is
   * written, and the transfer must end as failed. Throws `audit_unavailable`.
   */
  finish(end: QueryEnd): Promise<boolean>;
  /** Undefined for an unknown id, another tenant's, or one that is no uuid. */
  find(tenantId: string, queryId: string): Promise<FoundQuery | undefined>;
  /** Oldest first. */
  listRunning(account: {
    tenantId: string;
    accountKind: 'user' | 'client';
    accountId: string;
  }): Promise<RunningQuery[]>;
  /** The host that runs it finds it in `stopsDue`. Does nothing to a query that is over. */
  requestCancel(tenantId: string, queryId: string): Promise<void>;
  /** Which open queries of this host must stop now, and why. One statement over all of them: poll it every second. */
  stopsDue(hostId: string): Promise<StopDue[]>;
}

const audited = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (thrown) {
    throw auditProblem(thrown);
  }
};

const beginValues = (query: NewQuery): unknown[] => [
  query.tenantId,
  query.queryId,
  query.accountKind,
  query.accountId,
  query.user,
  query.sessionId ?? null,
  query.hostId,
  query.sql,
  randomUUID(),
  query.action,
  query.target,
  JSON.stringify({ ...query.metadata, sql: query.sql }),
  query.requestId,
  query.address,
  query.userAgent ?? null,
];

const endValues = (end: QueryEnd): unknown[] => [
  end.tenantId,
  end.queryId,
  end.state,
  end.rows,
  end.bytes,
  end.sha256,
  end.limited,
  end.error === null ? null : JSON.stringify(end.error),
  randomUUID(),
];

const runningOf = (row: QueryRow): RunningQuery => ({
  query_id: row.query_id,
  sql: row.sql,
  state: row.state,
  started_ts: row.started.getTime(),
  hostId: row.host_id,
  rows: Number(row.rows),
  bytes: Number(row.bytes),
});

export function createQueryStore(database: Database): QueryStore {
  return {
    async begin(query) {
      await audited(database.run({ tenantId: query.tenantId }, BEGIN_QUERY, beginValues(query)));
    },
    async finish(end) {
      const written = await audited(database.run({ tenantId: end.tenantId }, FINISH_QUERY, endValues(end)));
      return written.length === 1;
    },
    async find(tenantId, queryId) {
      if (!isUuid(queryId)) return undefined;
      const [row] = await database.run<QueryRow>({ tenantId }, FIND_QUERY, [tenantId, queryId]);
      if (row === undefined) return undefined;
      return {
        receipt: receiptOf(row),
        accountKind: row.account_kind,
        accountId: row.account_id,
        hostId: row.host_id,
        sql: row.sql,
        cancelRequested: row.cancel_requested,
      };
    },
    async listRunning({ tenantId, accountKind, accountId }) {
      const rows = await database.run<QueryRow>({ tenantId }, LIST_RUNNING, [tenantId, accountId, accountKind]);
      return rows.map(runningOf);
    },
    async requestCancel(tenantId, queryId) {
      if (isUuid(queryId)) await database.run({ tenantId }, REQUEST_CANCEL, [tenantId, queryId]);
    },
    async stopsDue(hostId) {
      if (!isUuid(hostId)) return [];
      return database.run<StopDue>('every-tenant', STOPS_DUE, [hostId]);
    },
  };
}
