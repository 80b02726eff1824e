import { apiOperations, callerOf, type HarvestRunBody } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { HarvestRun } from '@sluice/store/catalog';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import type { EnqueueHarvest } from '../../use-cases/catalog/enqueue-harvest.ts';

const LISTED_MAX = 20;

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

/** Returns the open run of the tenant, or creates one. */
async function requestRun(tx: TenantTransaction): Promise<HarvestRun> {
  const run = await tx.harvests.findOrCreate(tx.by);
  await tx.record('START_HARVEST', run.runId, { state: run.state });
  return run;
}

async function listRuns(tx: TenantTransaction): Promise<readonly HarvestRun[]> {
  const runs = await tx.harvests.list(LISTED_MAX);
  await tx.record('READ_HARVESTS', 'harvests');
  return runs;
}

interface HarvestContext {
  readonly database: ResourceDatabase;
  readonly enqueueHarvest: EnqueueHarvest;
}

/** POST and GET /admin/harvest */
export const harvestRoutes = ({ database, enqueueHarvest }: HarvestContext): Route[] => [
  route(apiOperations.startHarvest, async (request) => {
    const run = await database.change(callerOf(request), requestRun);
    await enqueueHarvest(run);
    return json(202, { run_id: run.runId, state: run.state });
  }),
  route(apiOperations.listHarvests, async (request) => {
    const runs = await database.read(callerOf(request), listRuns);
    return json(200, { data: runs.map(presentRun) });
  }),
];
