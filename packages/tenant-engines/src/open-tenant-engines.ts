import { Admission } from '@sluice/query-worker';
import { createInProcessState } from '@sluice/shared-state';
import { type CreateWorkerPoolOptions, createWorkerPool } from './create-worker-pool.ts';
import { createEngineResolver, type TenantEngineSettings } from './resolver/create-engine-resolver.ts';
import { TenantEngines } from './tenant-engines.ts';

interface OpenTenantEnginesOptions extends Pick<CreateWorkerPoolOptions, 'onWarning'> {
  readonly settings: TenantEngineSettings;
  readonly workersMax: number;
  readonly describeTimeMs: number;
  /** Disposes of the resources that are added to it. */
  readonly resources: { add<T extends AsyncDisposable>(resource: T): T };
}

/** Slots reserved for harvests, which hold a worker for minutes. Describing statements never takes this one. */
const HARVEST_SLOTS = 1;
const TENANT_SHARE = 0.5;
/** A statement to describe waits this long in the queue before it is refused with 429. */
const QUEUE_TIMEOUT_MS = 10_000;
const QUEUED_MAX = 100;

/**
 * Opens the engines of a host that describes statements and lists catalogs, and runs no queries. They use the same queue as queries,
 * with limits within this host only.
 */
export function openTenantEngines({
  settings,
  workersMax,
  describeTimeMs,
  onWarning,
  resources,
}: OpenTenantEnginesOptions): TenantEngines {
  const workers = resources.add(createWorkerPool({ settings, workersMax, workersWarm: 0, onWarning }));
  const limits = {
    slots: workersMax,
    backgroundSlots: HARVEST_SLOTS,
    tenantShare: TENANT_SHARE,
    queriesPerUser: workersMax,
    queriesPerTenant: workersMax,
    queuedPerUser: QUEUED_MAX,
    queuedPerTenant: QUEUED_MAX,
    queueTimeoutMs: QUEUE_TIMEOUT_MS,
  };
  const admission = new Admission(limits, { slots: createInProcessState().slots, workers });
  resources.add({ [Symbol.asyncDispose]: async () => admission[Symbol.dispose]() });
  return new TenantEngines(createEngineResolver(settings), { workers: admission, describeTimeMs });
}
