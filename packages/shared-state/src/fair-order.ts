/** Attributes of a request that the order of grants depends on. */
export interface Requester {
  readonly tenantId: string;
  readonly accountId: string;
}

export interface WaitingRequest extends Requester {
  /** Start of the wait, in epoch milliseconds. */
  readonly sinceMs: number;
}

/** Slots that are held now, by tenant and by account of a tenant. */
export interface HeldSlots {
  ofTenant(requester: Requester): number;
  ofAccount(requester: Requester): number;
}

/**
 * Sorts requests into the order in which they should be granted: the tenant that holds least comes first, in a tenant the account
 * that holds least, then the longest wait. A request counts as if the earlier ones of its account, and of its tenant, were granted.
 * The Redis script `ACQUIRE` has the same rule for the accounts of one tenant; a property test holds the two together.
 */
export function fairOrder<R extends WaitingRequest>(requests: readonly R[], held: HeldSlots): R[] {
  const byWait = [...requests].sort((one, other) => one.sinceMs - other.sinceMs);
  const inTenants = inTurns(byWait, accountKey, (request) => held.ofAccount(request));
  return inTurns(
    inTenants,
    ({ tenantId }) => tenantId,
    (request) => held.ofTenant(request),
  );
}

export const accountKey = ({ tenantId, accountId }: Requester): string => `${tenantId}/${accountId}`;

/** Merges groups, each in its given order: who would hold least comes first, then the longest wait. */
function inTurns<R extends WaitingRequest>(
  requests: readonly R[],
  groupOf: (request: R) => string,
  heldOf: (request: R) => number,
): R[] {
  const counts = new Map<string, number>();
  const ranked = requests.map((request) => {
    const group = groupOf(request);
    const rank = counts.get(group) ?? heldOf(request);
    counts.set(group, rank + 1);
    return { request, rank };
  });
  ranked.sort((one, other) => one.rank - other.rank || one.request.sinceMs - other.request.sinceMs);
  return ranked.map(({ request }) => request);
}
