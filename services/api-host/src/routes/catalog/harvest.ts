import { apiOperations, callerOf, type HarvestRunBody } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { HarvestRun } from '@sluice/store/catalog';
import type { UseCases } from '../../context/use-cases.ts';

const presentRun = (run: HarvestRun): HarvestRunBody => ({
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
export const harvestRoutes = ({
  startHarvest,
  listHarvests,
}: Pick<UseCases, 'startHarvest' | 'listHarvests'>): Route[] => [
  route(apiOperations.startHarvest, async (request) => {
    const { runId, state } = await startHarvest(callerOf(request));
    return json(202, { run_id: runId, state });
  }),
  route(apiOperations.listHarvests, async (request) =>
    json(200, { data: (await listHarvests(callerOf(request))).map(presentRun) }),
  ),
];
