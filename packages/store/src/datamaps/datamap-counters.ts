import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { prepared, type Transaction } from '../database/transaction.ts';

/** Counts of datamap reads, collected in memory and written together, so that a read never waits for the row of a popular datamap. */
export interface DatamapCounters {
  /** Counts a view. Returns the views since the last flush, including this one, by this account and by all accounts. */
  countView(view: { tenantId: string; factId: string; accountId: string }): {
    readonly own: number;
    readonly all: number;
  };
  /** Counts a query that was run from a datamap. */
  countQuery(query: { tenantId: string; factId: string }): void;
  /**
   * Writes the counts. The next flush finds out whether a failed one was committed after all, and writes its counts again if it was not.
   */
  flush(): Promise<void>;
  /** Updates the query counts in the search index. It is enough that one host calls it, but all may. */
  updateRanking(): Promise<void>;
}

interface PendingCounts {
  readonly tenantId: string;
  readonly factId: string;
  views: number;
  queries: number;
  readonly viewers: Map<string, { count: number; lastMs: number }>;
}

/** Counts of a failed flush whose transaction may have been committed: the host does not learn of a commit whose reply is lost. */
interface UncertainCounts {
  readonly tenantId: string;
  readonly batch: readonly PendingCounts[];
  readonly transactionId: string;
}

const TRANSACTION_ID = 'select pg_current_xact_id()::text as id';
const TRANSACTION_STATUS = prepared('transaction_status', 'select pg_xact_status($1::text::xid8) as status');

/** Updates in the order of ids, which is the lock order of every flush. Skips removed datamaps. */
const ADD = `
  with noted as (
    select * from jsonb_to_recordset($2::jsonb) as n (fact_id uuid, views bigint, queries bigint)
  ), locked as (
    select c.fact_id from fact_counters c
    where c.tenant_id = $1 and c.fact_id in (select fact_id from noted)
    order by c.fact_id for update
  )
  update fact_counters c set view_count = c.view_count + n.views, query_count = c.query_count + n.queries,
    last_executed = case when n.queries > 0 then clock_timestamp() else c.last_executed end,
    is_rank_due = c.is_rank_due or n.queries > 0
  from noted n join locked using (fact_id)
  where c.tenant_id = $1 and c.fact_id = n.fact_id`;

const ADD_VIEWERS = `
  insert into fact_activity (tenant_id, fact_id, account_id, activity_id, viewed, last_viewed)
  select $1, v.fact_id, v.account_id, v.activity_id, v.viewed, v.last_viewed
  from jsonb_to_recordset($2::jsonb)
    as v (fact_id uuid, account_id uuid, activity_id uuid, viewed bigint, last_viewed timestamptz)
  where exists (select from facts f where f.tenant_id = $1 and f.fact_id = v.fact_id)
  order by v.fact_id, v.account_id
  on conflict (tenant_id, fact_id, account_id) do update set
    viewed = fact_activity.viewed + excluded.viewed,
    last_viewed = greatest(fact_activity.last_viewed, excluded.last_viewed)`;

/** Skips locked rows; the next run updates them. */
const UPDATE_RANKING = `
  with due as (
    select c.tenant_id, c.fact_id, c.query_count
    from fact_counters c join facts f on f.tenant_id = c.tenant_id and f.fact_id = c.fact_id
    where c.is_rank_due
    order by c.tenant_id, c.fact_id limit 500
    for no key update skip locked
  ), ranked as (
    update search_entries e set query_count = due.query_count from due
    where e.tenant_id = due.tenant_id and e.fact_id = due.fact_id
  )
  update fact_counters c set is_rank_due = false from due
  where c.tenant_id = due.tenant_id and c.fact_id = due.fact_id`;

const byTenant = (counts: readonly PendingCounts[]): Map<string, PendingCounts[]> => {
  const tenants = new Map<string, PendingCounts[]>();
  for (const each of counts) tenants.set(each.tenantId, [...(tenants.get(each.tenantId) ?? []), each]);
  return tenants;
};

const viewersOf = (counts: readonly PendingCounts[]) =>
  counts.flatMap(({ factId, viewers }) =>
    [...viewers].map(([accountId, { count, lastMs }]) => ({
      fact_id: factId,
      account_id: accountId,
      activity_id: randomUUID(),
      viewed: count,
      last_viewed: new Date(lastMs),
    })),
  );

export function createDatamapCounters(database: Database): DatamapCounters {
  let pending = new Map<string, PendingCounts>();
  let uncertain: UncertainCounts[] = [];

  const pendingOf = (tenantId: string, factId: string): PendingCounts => {
    const key = `${tenantId}/${factId}`;
    const found = pending.get(key) ?? { tenantId, factId, views: 0, queries: 0, viewers: new Map() };
    pending.set(key, found);
    return found;
  };

  const keep = (unwritten: readonly PendingCounts[]): void => {
    for (const each of unwritten) {
      const kept = pendingOf(each.tenantId, each.factId);
      kept.views += each.views;
      kept.queries += each.queries;
      for (const [accountId, { count, lastMs }] of each.viewers) {
        const viewer = kept.viewers.get(accountId) ?? { count: 0, lastMs };
        kept.viewers.set(accountId, { count: viewer.count + count, lastMs: Math.max(viewer.lastMs, lastMs) });
      }
    }
  };

  const write = async (tenantId: string, batch: readonly PendingCounts[]): Promise<void> => {
    let transactionId: string | undefined;
    const work = async (transaction: Transaction): Promise<void> => {
      const [row] = await transaction.query<{ id: string }>(TRANSACTION_ID);
      transactionId = row?.id;
      const counts = batch.map(({ factId, views, queries }) => ({ fact_id: factId, views, queries }));
      await transaction.query(ADD, [tenantId, JSON.stringify(counts)]);
      const viewers = viewersOf(batch);
      if (viewers.length > 0) await transaction.query(ADD_VIEWERS, [tenantId, JSON.stringify(viewers)]);
    };
    await database.withTenant(tenantId, work).catch((thrown: unknown) => {
      if (transactionId === undefined) keep(batch);
      else uncertain.push({ tenantId, batch, transactionId });
      throw thrown;
    });
  };

  /** Keeps the counts of failed transactions that were rolled back. Those that still run are looked at by the next flush. */
  const resolveUncertain = async (): Promise<void> => {
    const found = uncertain;
    uncertain = [];
    for (const each of found) {
      const [row] = await database
        .run<{ status: string | null }>('no-tenant', TRANSACTION_STATUS, [each.transactionId])
        .catch(() => [{ status: 'in progress' }]);
      if (row?.status === 'in progress') uncertain.push(each);
      else if (row?.status === 'aborted') keep(each.batch);
    }
  };

  return {
    countView({ tenantId, factId, accountId }) {
      const entry = pendingOf(tenantId, factId);
      const viewer = entry.viewers.get(accountId) ?? { count: 0, lastMs: 0 };
      viewer.count += 1;
      viewer.lastMs = Date.now();
      entry.viewers.set(accountId, viewer);
      entry.views += 1;
      return { own: viewer.count, all: entry.views };
    },
    countQuery({ tenantId, factId }) {
      pendingOf(tenantId, factId).queries += 1;
    },
    async flush() {
      await resolveUncertain();
      const batches = byTenant([...pending.values()]);
      pending = new Map();
      const problems: unknown[] = [];
      for (const [tenantId, batch] of batches) {
        await write(tenantId, batch).catch((thrown: unknown) => void problems.push(thrown));
      }
      if (problems.length > 0)
        throw new AggregateError(problems, 'Counts of datamaps were not written. The next flush writes them.');
    },
    async updateRanking() {
      await database.acrossTenants((transaction) => transaction.query(UPDATE_RANKING));
    },
  };
}
