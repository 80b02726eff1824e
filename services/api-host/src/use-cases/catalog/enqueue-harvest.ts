import type { JobQueue } from '@sluice/jobs';
import type { HarvestReference } from '@sluice/store/catalog';

/** Name of the job in the queue. */
export const HARVEST_JOB = 'harvest';

export type EnqueueHarvest = (run: HarvestReference) => Promise<void>;

/**
 * Puts a run into the queue. Ignores failures: the queue reports its own outage once, and the run waits in the database, where hosts find
 * it.
 */
export const createEnqueueHarvest =
  ({ jobs }: { readonly jobs: Pick<JobQueue, 'add'> }): EnqueueHarvest =>
  async ({ tenantId, runId }) => {
    await jobs.add({ name: HARVEST_JOB, id: runId, data: { tenantId, runId } }).catch(() => undefined);
  };
