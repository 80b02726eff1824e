import type { Principal, RunningQueries as RunningQueriesBody } from '@sluice/contract';
import type { QueryStore } from '@sluice/store';
import type { RunningQueries } from '../queries/running-queries.ts';

export interface ListQueriesDependencies {
  readonly queries: Pick<QueryStore, 'listRunning'>;
  readonly running: RunningQueries;
}

/** The caller's own running queries, oldest first; counts of those that run on this host are of this moment. */
export async function listQueries(
  dependencies: ListQueriesDependencies,
  principal: Principal,
): Promise<RunningQueriesBody> {
  const found = await dependencies.queries.listRunning({
    tenantId: principal.tenant.id,
    accountKind: principal.kind,
    accountId: principal.id,
  });
  return {
    data: found.map((query) => {
      const live = dependencies.running.find(query.query_id);
      return {
        query_id: query.query_id,
        sql: query.sql,
        state: live?.state ?? query.state,
        started_ts: query.started_ts,
        rows: live?.rows ?? query.rows,
        bytes: live?.bytes ?? query.bytes,
      };
    }),
  };
}
