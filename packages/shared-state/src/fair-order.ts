/** The account that a request belongs to, and its tenant. */
export interface Requester {
  readonly tenantId: string;
  readonly accountId: string;
}

export interface WaitingRequest extends Requester {
  /** Start of the wait, in epoch milliseconds. */
  readonly sinceMs: number;
}

/** Numbers of held slots, by tenant and by account. */
export interface HeldSlots {
  ofTenant(requester: Requester): number;
  ofAccount(requester: Requester): number;
}

/**
 * Sorts requests into the order in which they should be granted: first the tenant that holds the fewest slots, within a tenant the
 * account that holds the fewest, then the longest wait. Each request counts as granted for the later ones of its account and tenant.
 * The Redis script `ACQUIRE` implements the same rule for the accounts of one tenant; a property test compares the two.
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

/** Merges groups that are in order: the request whose group would hold the fewest slots comes first, then the longest wait. */
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
