import { asProblem, type ProblemError } from '@sluice/contract/problems';
import type { AcquireResult, QuerySlots } from '@sluice/shared-state';
import type { QueuedRequest } from './queued-request.ts';

/** Counted over all hosts. The limits of a request override them. */
export interface SharedLimits {
  readonly queriesPerUser: number;
  readonly queriesPerTenant: number;
}

/** Acquires a slot under the shared limits, which do not count background work. Returns an error instead of throwing it. */
export async function acquireSlot(
  slots: QuerySlots,
  request: QueuedRequest,
  limits: SharedLimits,
): Promise<AcquireResult | ProblemError> {
  if (request.isBackground) return 'acquired';
  const { queriesPerUser = limits.queriesPerUser, queriesPerTenant = limits.queriesPerTenant } = request.requester;
  return await slots.acquire(request, { account: queriesPerUser, tenant: queriesPerTenant }).catch(asProblem);
}
