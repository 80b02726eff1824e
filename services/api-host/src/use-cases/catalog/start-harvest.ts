import { auditOf, type Caller } from '@sluice/contract';
import type { JobQueue } from '@sluice/jobs';
import type { HarvestReference, HarvestRun, HarvestRunStore } from '@sluice/store/catalog';

/** Name of the job in the queue. */
export const HARVEST_JOB = 'harvest';

export type EnqueueHarvest = (run: HarvestReference) => Promise<void>;

/**
 * Returns the open run of the tenant, or creates and records one. The row in the database is what counts: if the queue accepts no
 * job, the hosts find waiting runs in the database.
 */
type StartHarvest = (caller: Caller) => Promise<HarvestRun>;

interface StartHarvestDependencies {
  readonly harvestRuns: Pick<HarvestRunStore, 'request'>;
  readonly enqueue: EnqueueHarvest;
}

export const createStartHarvest =
  ({ harvestRuns, enqueue }: StartHarvestDependencies): StartHarvest =>
  async (caller) => {
    const { tenant, name } = caller.principal;
    const run = await harvestRuns.request(
      { tenantId: tenant.id, reason: 'request', requestedBy: name },
      ({ runId, state }) => auditOf(caller, { action: 'START_HARVEST', target: runId, metadata: { state } }),
    );
    await enqueue(run);
    return run;
  };

/** Puts a run into the queue. Ignores failures: the queue reports its own outage once, and the run waits in the database. */
export const createEnqueueHarvest =
  ({ jobs }: { readonly jobs: Pick<JobQueue, 'add'> }): EnqueueHarvest =>
  async ({ tenantId, runId }) => {
    await jobs.add({ name: HARVEST_JOB, id: runId, data: { tenantId, runId } }).catch(() => undefined);
  };
