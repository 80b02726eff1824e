import type { QueryState, Receipt } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { isUuid } from '../database/uuid.ts';
import { type FailureDetails, type QueryRow, receiptOf } from './query-mapper.ts';
import { FIND_QUERY, LIST_RUNNING, REQUEST_CANCEL, STOPS_DUE } from './query-statements.ts';
import { createQueryWrites, type QueryWrites } from './query-writes.ts';

export interface FoundQuery {
  readonly receipt: Receipt;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
  readonly hostId: string;
  readonly cancelRequested: boolean;
  /** Belongs to the error of the receipt. */
  readonly failure: FailureDetails | undefined;
}

interface RunningQuery {
  readonly query_id: string;
  readonly sql: string;
  readonly state: QueryState;
  readonly started_ts: number;
  readonly hostId: string;
  /** 0 until the query ends: only its host knows the current number. */
  readonly rows: number;
  readonly bytes: number;
}

export type StopReason =
  | 'cancelled'
  | 'killed'
  | 'cancelled_by_admin'
  | 'logged_out'
  | 'password_changed'
  | 'disabled'
  | 'suspended'
  | 'key_revoked'
  | 'not_permitted'
  /** Only if the networks of the service account do not include the address of the query. */
  | 'networks';

interface StopDue {
  readonly queryId: string;
  readonly reason: StopReason;
  /** Set for the reason `networks`. */
  readonly networks?: readonly string[] | null;
  /** Set for the reason `killed`; empty without a message. */
  readonly killMessage?: string | null;
}

export interface QueryStore extends QueryWrites {
  /** Returns undefined for an unknown id, one of another tenant, or one that is not a uuid. */
  find(tenantId: string, queryId: string): Promise<FoundQuery | undefined>;
  /** Lists open queries, oldest first. */
  listRunning(account: {
    tenantId: string;
    accountKind: 'user' | 'client';
    accountId: string;
  }): Promise<RunningQuery[]>;
  /**
   * Requests cancellation; the host that runs the query finds it in `stopsDue`. Does nothing for a query that has ended.
   * @param killMessage - set for a kill, empty for one without a message
   */
  requestCancel(tenantId: string, queryId: string, killMessage?: string): Promise<void>;
  /**
   * Returns the open queries of this host that must stop now, with reasons, and those of service accounts with networks. One statement for
   * all of them, to be polled.
   */
  stopsDue(hostId: string): Promise<StopDue[]>;
}

const runningOf = (row: QueryRow & { readonly sql: string }): RunningQuery => ({
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
    ...createQueryWrites(database),
    async find(tenantId, queryId) {
      if (!isUuid(queryId)) return undefined;
      const [row] = await database.run<QueryRow>({ tenantId }, FIND_QUERY, [tenantId, queryId]);
      if (row === undefined) return undefined;
      return {
        receipt: receiptOf(row),
        accountKind: row.account_kind,
        accountId: row.account_id,
        hostId: row.host_id,
        cancelRequested: row.cancel_requested,
        failure: row.failure ?? undefined,
      };
    },
    async listRunning({ tenantId, accountKind, accountId }) {
      const rows = await database.run<QueryRow & { readonly sql: string }>({ tenantId }, LIST_RUNNING, [
        tenantId,
        accountId,
        accountKind,
      ]);
      return rows.map(runningOf);
    },
    async requestCancel(tenantId, queryId, killMessage) {
      if (isUuid(queryId)) await database.run({ tenantId }, REQUEST_CANCEL, [tenantId, queryId, killMessage ?? null]);
    },
    async stopsDue(hostId) {
      if (!isUuid(hostId)) return [];
      return database.run<StopDue>('every-tenant', STOPS_DUE, [hostId]);
    },
  };
}
