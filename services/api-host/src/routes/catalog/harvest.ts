import { apiOperations, type HarvestRunBody } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { HarvestRun } from '@sluice/store/catalog';
import type { ApiContext } from '../../context/context.ts';
import { createListHarvests } from '../../use-cases/catalog/list-harvests.ts';
import { createStartHarvest } from '../../use-cases/catalog/start-harvest.ts';

const bodyOf = (run: HarvestRun): HarvestRunBody => ({
  run_id: run.runId,
  state: run.state,
  reason: run.reason,
  requested_by: run.requestedBy,
  requested_ts: run.requested.getTime(),
  started_ts: run.started?.getTime() ?? null,
  ended_ts: run.ended?.getTime() ?? null,
  attempts: run.attempt,
  tables: run.tablesSeen,
  columns: run.columnsSeen,
  tables_changed: run.tablesChanged,
  tables_absent: run.tablesAbsent,
  names_skipped: run.namesSkipped,
  error: run.error,
});

/** POST and GET /admin/harvest */
export function harvestRoutes({ stores, harvests }: Pick<ApiContext, 'stores' | 'harvests'>): Route[] {
  const start = createStartHarvest({ ...stores, enqueue: harvests.enqueue });
  const list = createListHarvests(stores);
  return [
    route(apiOperations.startHarvest, async (caller) => {
      const { runId, state } = await start(caller);
      return json(202, { run_id: runId, state });
    }),
    route(apiOperations.listHarvests, async (caller) => json(200, { data: (await list(caller)).map(bodyOf) })),
  ];
}
