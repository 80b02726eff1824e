import type { AuditRecord, QueryState } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import { isRecordOf } from '../audit/recorded-statement.ts';
import type { Database } from '../database/database.ts';
import { listedSql } from '../database/listed-sql.ts';
import { auditProblem } from '../database/store-problem.ts';
import { prepared } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';

/** Open query of any account of a tenant. */
export interface TenantQuery {
  readonly query_id: string;
  readonly user: string;
  /** Action of its audit record. */
  readonly action: string;
  readonly sql: string;
  readonly state: QueryState;
  readonly started_ts: number;
  /** Rows at the last heartbeat of its host, as are the bytes. */
  readonly rows: number;
  readonly bytes: number;
}

/** Queries of a whole tenant, for its admins. */
export interface TenantQueryStore {
  /** Lists running queries, oldest first. */
  listRunning(tenantId: string): Promise<readonly TenantQuery[]>;
  /**
   * Requests cancellation of a running or waiting query, and writes the audit record in the same transaction. Returns false, and writes
   * nothing, when no such query is open. Throws `audit_unavailable`.
   */
  cancel(query: { readonly tenantId: string; readonly queryId: string; readonly audit: AuditRecord }): Promise<boolean>;
}

interface Row extends Omit<TenantQuery, 'rows' | 'bytes' | 'started_ts'> {
  readonly rows: string;
  readonly bytes: string;
  readonly started: Date;
}

const LIST = prepared(
  'list_tenant_queries',
  `
  select q.query_id, q.user_name as user, coalesce(r.action, 'RUN_QUERY') as action, ${listedSql(`coalesce(r.sql, '')`)} as sql, q.state,
    q.rows, q.bytes, q.started
  from queries q
  left join lateral (
    select r.action, r.metadata ->> 'sql' as sql from audit_log r where ${isRecordOf('q')} limit 1
  ) r on true
  where q.tenant_id = $1 and q.ended is null
  order by q.started, q.query_id`,
);

const CANCEL_RUNNING = `
  update queries set cancel_requested = true, cancelled_by_admin = not cancel_requested
  where tenant_id = $1 and query_id = $2 and ended is null returning query_id`;
const CANCEL_WAITING = `
  update waiting_queries w set cancel_requested = true, cancelled_by_admin = not cancel_requested
  where tenant_id = $1 and query_id = $2
    and not exists (select 1 from queries q where q.tenant_id = w.tenant_id and q.query_id = w.query_id)
  returning query_id`;

export const createTenantQueryStore = (database: Database): TenantQueryStore => ({
  async listRunning(tenantId) {
    const rows = await database.run<Row>({ tenantId }, LIST, [tenantId]);
    return rows.map(({ started, ...row }) => ({
      ...row,
      rows: Number(row.rows),
      bytes: Number(row.bytes),
      started_ts: started.getTime(),
    }));
  },
  async cancel({ tenantId, queryId, audit }) {
    if (!isUuid(queryId)) return false;
    try {
      return await database.withTenant(tenantId, async (transaction) => {
        const running = await transaction.query(CANCEL_RUNNING, [tenantId, queryId]);
        const waiting = running.length > 0 ? [] : await transaction.query(CANCEL_WAITING, [tenantId, queryId]);
        if (running.length + waiting.length === 0) return false;
        await appendAudit(transaction, audit);
        return true;
      });
    } catch (thrown) {
      throw auditProblem(thrown);
    }
  },
});
