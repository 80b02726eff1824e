import type { Principal, RunningQueries as RunningQueriesBody } from '@sluice/contract';
import type { QueryStore } from '@sluice/store';
import { findLiveCounts, type LiveCountsDependencies } from '../queries/live-counts.ts';

export interface ListQueriesDependencies extends LiveCountsDependencies {
  readonly queries: Pick<QueryStore, 'listRunning'>;
}

/** The caller's own running queries, oldest first, on whichever host they run. */
export async function listQueries(
  dependencies: ListQueriesDependencies,
  principal: Principal,
): Promise<RunningQueriesBody> {
  const found = await dependencies.queries.listRunning({
    tenantId: principal.tenant.id,
    accountKind: principal.kind,
    accountId: principal.id,
  });
  const data = found.map(async (query) => {
    const live = await findLiveCounts(dependencies, query.query_id);
    return {
      query_id: query.query_id,
      sql: query.sql,
      state: live?.state ?? query.state,
      started_ts: query.started_ts,
      rows: live?.rows ?? query.rows,
      bytes: live?.bytes ?? query.bytes,
    };
  });
  return { data: await Promise.all(data) };
}
