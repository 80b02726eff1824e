import type { SlotRequest } from '../query-slots.ts';
import { TIMING } from './timing.ts';

/** Requests of one tenant as members of the Redis sets: `<account>/<id>`. */
interface TenantMembers {
  readonly running: string[];
  readonly queued: string[];
  readonly released: string[];
}

/** `acquiring`: a slot was requested, and the reply has not arrived. */
type RequestState = 'acquiring' | 'running' | 'queued';

const memberOf = ({ accountId, id }: Pick<SlotRequest, 'accountId' | 'id'>): string => `${accountId}/${id}`;

/**
 * Requests that this process holds, and those it has released without a confirmation by Redis. This, not Redis, is the source of
 * truth for the process's own queries: every heartbeat sends it again, which restores data that Redis has lost.
 */
export class HeldRequests {
  readonly #held = new Map<string, { readonly request: SlotRequest; readonly state: RequestState }>();
  readonly #released = new Map<string, { readonly request: SlotRequest; readonly untilMs: number }>();

  stateOf({ id }: SlotRequest): RequestState | undefined {
    return this.#held.get(id)?.state;
  }

  put(request: SlotRequest, state: RequestState): void {
    this.#released.delete(request.id);
    this.#held.set(request.id, { request, state });
  }

  /** Forgets a request that holds nothing. */
  drop({ id }: SlotRequest): void {
    this.#held.delete(id);
  }

  /** Marks a request as released. It is sent with each heartbeat until it is confirmed or its leases in Redis have expired. */
  release(request: SlotRequest): void {
    this.#held.delete(request.id);
    this.#released.set(request.id, { request, untilMs: performance.now() + TIMING.leaseMs });
  }

  /** Redis has processed the release. */
  confirmRelease({ id }: SlotRequest): void {
    this.#released.delete(id);
  }

  byTenant(): ReadonlyMap<string, TenantMembers> {
    const tenants = new Map<string, TenantMembers>();
    const membersOf = ({ tenantId }: SlotRequest): TenantMembers => {
      const members = tenants.get(tenantId) ?? { running: [], queued: [], released: [] };
      tenants.set(tenantId, members);
      return members;
    };
    for (const { request, state } of this.#held.values())
      if (state !== 'acquiring') membersOf(request)[state].push(memberOf(request));
    const now = performance.now();
    for (const [id, { request, untilMs }] of this.#released) {
      membersOf(request).released.push(memberOf(request));
      if (untilMs < now) this.#released.delete(id);
    }
    return tenants;
  }
}
