import type { Caller, Principal, RunningQueries as RunningQueriesBody } from '@sluice/contract';
import type { QueryStore, WaitingQueryStore } from '@sluice/store/queries';
import { findLiveCounts, type LiveCountsDependencies } from '../../queries/live-counts.ts';
import type { WaitingQueries } from '../../queries/waiting-queries.ts';
import { isOwn } from './find-receipt.ts';
import { listedSql } from './listed-sql.ts';

interface ListQueriesDependencies extends LiveCountsDependencies {
  readonly queries: Pick<QueryStore, 'listRunning'>;
  readonly waiting: WaitingQueries;
  readonly waitingQueries: Pick<WaitingQueryStore, 'list'>;
}

type Listed = RunningQueriesBody['data'][number];

/** Returns the caller's queries that run or wait for a worker on any host, oldest first. */
export type ListQueries = (caller: Caller) => Promise<RunningQueriesBody>;

export function createListQueries(dependencies: ListQueriesDependencies): ListQueries {
  return async ({ principal }) => {
    // Waiting queries are read first: one that acquires a worker meanwhile is then found twice instead of missed.
    const waiting = await listWaiting(dependencies, principal);
    const running = await listRunning(dependencies, principal);
    const ids = new Set(running.map(({ query_id }) => query_id));
    const data = [...running, ...waiting.filter(({ query_id }) => !ids.has(query_id))];
    return { data: data.sort((one, other) => one.started_ts - other.started_ts) };
  };
}

async function listWaiting(
  { waiting, waitingQueries }: ListQueriesDependencies,
  principal: Principal,
): Promise<readonly Listed[]> {
  const { id: tenantId } = principal.tenant;
  const account = { tenantId, accountKind: principal.kind, accountId: principal.id };
  const own = waiting.all().filter((query) => query.tenantId === tenantId && isOwn(query, principal));
  const ids = new Set(own.map(({ queryId }) => queryId));
  const others = (await waitingQueries.list(account)).filter(({ queryId }) => !ids.has(queryId));
  return [...own, ...others].map(({ queryId, sql, sinceMs }) => ({
    query_id: queryId,
    ...listedSql(sql),
    state: 'QUEUED',
    started_ts: sinceMs,
    rows: 0,
    bytes: 0,
  }));
}

async function listRunning(dependencies: ListQueriesDependencies, principal: Principal): Promise<readonly Listed[]> {
  const found = await dependencies.queries.listRunning({
    tenantId: principal.tenant.id,
    accountKind: principal.kind,
    accountId: principal.id,
  });
  const listed = found.map(async (query): Promise<Listed> => {
    const live = await findLiveCounts(dependencies, query.query_id);
    return {
      query_id: query.query_id,
      ...listedSql(query.sql),
      state: live?.state ?? query.state,
      started_ts: query.started_ts,
      rows: live?.rows ?? query.rows,
      bytes: live?.bytes ?? query.bytes,
    };
  });
  return await Promise.all(listed);
}
