import type { Logger } from '@sluice/observability';
import { filesRevision, type TenantEngines } from '@sluice/tenant-engines';
import type { ApiHostSettings } from '../config.ts';
import { createEnqueueHarvest, type EnqueueHarvest, HARVEST_JOB } from '../use-cases/catalog/enqueue-harvest.ts';
import { createRunHarvest } from '../use-cases/catalog/run-harvest.ts';
import { createStartDueHarvests } from '../use-cases/catalog/start-due-harvests.ts';
import { openJobs } from './open-jobs.ts';
import type { Stores } from './stores.ts';

/** Harvests of this host: it enqueues runs, and works on one run at a time. */
export interface Harvests extends AsyncDisposable {
  readonly enqueue: EnqueueHarvest;
  /** Requests the runs that are due and enqueues those that wait; for the periodic work. */
  startDue(): Promise<void>;
}

interface HarvestDependencies {
  readonly settings: ApiHostSettings;
  readonly stores: Stores;
  readonly engines: TenantEngines;
  readonly log: Logger;
}

/** A harvest holds one query worker and needs a second for types that it does not know: two harvests could wait for each other. */
const HARVESTS_AT_ONCE = 1;

/** Opens the queue of harvests: in Redis if it is configured, else in PostgreSQL. Does not wait for a connection. */
export function openHarvests({ settings, stores, engines, log }: HarvestDependencies): Harvests {
  const { harvestUser, harvestLeaseMs: leaseMs, harvestEveryMs } = settings;
  const run = createRunHarvest({ ...stores, engines, harvestUser, leaseMs });
  const jobs = openJobs(settings, {
    handlers: {
      [HARVEST_JOB]: async ({ tenantId = '', runId = '' }, signal) => {
        await run({ tenantId, runId }, signal).catch((err: unknown) => {
          if (!signal.aborted) log.warn({ err, tenant_id: tenantId, run_id: runId }, 'a harvest failed');
          throw err;
        });
      },
    },
    concurrency: HARVESTS_AT_ONCE,
    onWarning: (message, err) => log.warn({ event: 'jobs_failed', err }, message),
  });
  const enqueue = createEnqueueHarvest({ jobs });
  return {
    enqueue,
    startDue: createStartDueHarvests({ ...stores, enqueue, harvestEveryMs, files: harvestedFiles(settings) }),
    [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose](),
  };
}

/** Returns the views of files that change while the host runs, of the tenant that they belong to. */
const harvestedFiles = ({ filesCatalog, tenantNameDefault }: ApiHostSettings) =>
  filesCatalog === undefined || tenantNameDefault === undefined
    ? undefined
    : { tenantName: tenantNameDefault, revision: () => filesRevision(filesCatalog) };
