import { auditOf, type Caller } from '@sluice/contract';
import type { JobQueue } from '@sluice/jobs';
import type { HarvestReference, HarvestRun, HarvestRunStore } from '@sluice/store/catalog';

/** The name of the job in the queue. */
export const HARVEST_JOB = 'harvest';

export interface StartHarvestDependencies {
  readonly harvestRuns: Pick<HarvestRunStore, 'request'>;
  readonly enqueue: (run: HarvestReference) => Promise<void>;
}

/**
 * The run that is open, or a new one, on record. The row is what counts: while the queue takes no job, every host looks for runs
 * that wait.
 */
export const createStartHarvest =
  ({ harvestRuns, enqueue }: StartHarvestDependencies) =>
  async (caller: Caller): Promise<HarvestRun> => {
    const { tenant, name } = caller.principal;
    const run = await harvestRuns.request(
      { tenantId: tenant.id, reason: 'request', requestedBy: name },
      ({ runId, state }) => auditOf(caller, { action: 'START_HARVEST', target: runId, metadata: { state } }),
    );
    await enqueue(run);
    return run;
  };

/** Puts runs in the queue; a queue that is away is told of once by itself, and the runs wait. */
export const createEnqueueHarvest =
  (jobs: Pick<JobQueue, 'add'>) =>
  async ({ tenantId, runId }: HarvestReference): Promise<void> => {
    await jobs.add({ name: HARVEST_JOB, id: runId, data: { tenantId, runId } }).catch(() => undefined);
  };
