import {
  type AdminQueries,
  auditOf,
  type Caller,
  callerOf,
  ProblemError,
  queryKindOf,
  type Receipt,
  streamOperations,
} from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { TenantQueryStore } from '@sluice/store/administration';
import type { AuditStore } from '@sluice/store/audit';
import type { WaitingQueryRow, WaitingQueryStore } from '@sluice/store/queries';
import { findLiveCounts, type LiveCountsDependencies } from '../../queries/live-counts.ts';
import { cancelledByAdmin } from '../../use-cases/queries/announce-waiting-queries.ts';
import { type FindQueryDependencies, findQuery } from '../../use-cases/queries/find-query.ts';
import { currentReceipt, queuedReceipt } from '../../use-cases/queries/find-receipt.ts';
import { listedSql } from '../../use-cases/queries/listed-sql.ts';

interface TenantQueriesContext extends FindQueryDependencies, LiveCountsDependencies {
  readonly tenantQueries: TenantQueryStore;
  readonly waitingQueries: Pick<WaitingQueryStore, 'listOfTenant' | 'find'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

type Listed = AdminQueries['data'][number];

/** Lists the running and waiting queries of all accounts of the caller's tenant on any host. Fails if the read cannot be recorded. */
export async function listTenantQueries(context: TenantQueriesContext, caller: Caller): Promise<AdminQueries> {
  const { tenantQueries, audit } = context;
  const { id: tenantId, name } = caller.principal.tenant;
  // Waiting queries are read first: one that acquires a worker meanwhile is then found twice instead of missed.
  const waiting = await listWaiting(context, tenantId);
  const found = await tenantQueries.listRunning(tenantId);
  const running = await Promise.all(
    found.map(async ({ action, ...query }): Promise<Listed> => {
      const live = await findLiveCounts(context, query.query_id);
      const { state, rows, bytes } = live ?? query;
      return { ...query, ...listedSql(query.sql), kind: queryKindOf(action), state, rows, bytes };
    }),
  );
  await audit.append(auditOf(caller, { action: 'READ_QUERIES', target: name }));
  const ids = new Set(running.map(({ query_id }) => query_id));
  const data = [...running, ...waiting.filter(({ query_id }) => !ids.has(query_id))];
  return { data: data.sort((one, other) => one.started_ts - other.started_ts) };
}

/** Lists the queries that wait in this process, and those that other hosts have announced. */
async function listWaiting(
  { waiting, waitingQueries }: TenantQueriesContext,
  tenantId: string,
): Promise<readonly Listed[]> {
  const own: readonly WaitingQueryRow[] = waiting.all().filter((query) => query.tenantId === tenantId);
  const ids = new Set(own.map(({ queryId }) => queryId));
  const others = (await waitingQueries.listOfTenant(tenantId)).filter(({ queryId }) => !ids.has(queryId));
  return [...own, ...others].map(({ queryId, userName, action, sql, sinceMs }) => ({
    query_id: queryId,
    user: userName,
    kind: queryKindOf(action),
    ...listedSql(sql),
    state: 'QUEUED',
    started_ts: sinceMs,
    rows: 0,
    bytes: 0,
  }));
}

const notFound = (): ProblemError => new ProblemError('not_found', 'The tenant has no query with this id.');
const hasEnded = (): ProblemError => new ProblemError('conflict', 'The query has already ended.');

/**
 * Cancels a query of any account of the caller's tenant, on any host, and records it. Throws `not_found` for an unknown id and one of
 * another tenant, and `conflict` for a query that has ended.
 */
export async function cancelTenantQuery(
  context: TenantQueriesContext,
  caller: Caller,
  wantedId: string,
): Promise<Receipt> {
  const { waiting, audit } = context;
  const { id: tenantId } = caller.principal.tenant;
  const found = await findQuery(context, tenantId, wantedId);
  if (found === undefined) throw notFound();
  if (found.stored !== undefined) {
    const receipt = await currentReceipt(found.stored.receipt, context);
    if (receipt.ended_ts !== null || !(await cancel(context, caller, receipt.query_id))) throw hasEnded();
    return receipt;
  }
  const { queryId } = found.waiting;
  const waitedHere = waiting.find(tenantId, queryId) !== undefined;
  const isOpen = await cancel(context, caller, queryId);
  // A wait of less than 300 ms is not in the database yet, so its record has no row to be written with.
  if (!isOpen && !waitedHere) throw hasEnded();
  if (!isOpen) await audit.append(recordOf(caller, queryId));
  waiting.find(tenantId, queryId)?.cancel(cancelledByAdmin());
  return queuedReceipt(found.waiting);
}

const recordOf = (caller: Caller, queryId: string) => ({
  ...auditOf(caller, { action: 'CANCEL_QUERY', target: queryId, metadata: { by_admin: true } }),
  queryId,
});

/** Returns false when the query is not open any more. */
async function cancel(
  { tenantQueries, running }: TenantQueriesContext,
  caller: Caller,
  queryId: string,
): Promise<boolean> {
  const { id: tenantId } = caller.principal.tenant;
  const isOpen = await tenantQueries.cancel({ tenantId, queryId, audit: recordOf(caller, queryId) });
  if (isOpen) running.find(queryId)?.stop(cancelledByAdmin());
  return isOpen;
}

/** GET /admin/queries, DELETE /admin/queries/{id} */
export const tenantQueryRoutes = (context: TenantQueriesContext): Route[] => [
  route(streamOperations.listTenantQueries, async (request) =>
    json(200, await listTenantQueries(context, callerOf(request))),
  ),
  route(streamOperations.cancelTenantQuery, async (request) =>
    json(202, await cancelTenantQuery(context, callerOf(request), request.params.id)),
  ),
];
