import type { SlotRequest } from '../query-slots.ts';
import { TIMING } from './timing.ts';

/** The requests of one tenant, as scripts name them: `<account>/<id>`. */
export interface RequestsOfTenant {
  readonly running: string[];
  readonly queued: string[];
  readonly left: string[];
}

/** `asking`: a question is under way, and until its answer nobody here knows what is so. */
export type RequestState = 'asking' | 'running' | 'queued';

export const memberOf = ({ accountId, id }: Pick<SlotRequest, 'accountId' | 'id'>): string => `${accountId}/${id}`;

/**
 * What this process holds and what it owes. This, not Redis, is what is true of its own queries: Redis is told it again at every
 * beat, and so learns it anew when it has forgotten.
 */
export class HeldRequests {
  readonly #held = new Map<string, { readonly request: SlotRequest; readonly state: RequestState }>();
  readonly #left = new Map<string, { readonly request: SlotRequest; readonly untilMs: number }>();

  stateOf({ id }: SlotRequest): RequestState | undefined {
    return this.#held.get(id)?.state;
  }

  put(request: SlotRequest, state: RequestState): void {
    this.#left.delete(request.id);
    this.#held.set(request.id, { request, state });
  }

  /** It never had anything. */
  drop({ id }: SlotRequest): void {
    this.#held.delete(id);
  }

  /** It is owed until whatever was asked for it earlier has run out in Redis. */
  release(request: SlotRequest): void {
    this.#held.delete(request.id);
    this.#left.set(request.id, { request, untilMs: performance.now() + TIMING.leaseMs });
  }

  /** Redis has heard of it. */
  settle({ id }: SlotRequest): void {
    this.#left.delete(id);
  }

  byTenant(): ReadonlyMap<string, RequestsOfTenant> {
    const tenants = new Map<string, RequestsOfTenant>();
    const of = ({ tenantId }: SlotRequest): RequestsOfTenant => {
      const requests = tenants.get(tenantId) ?? { running: [], queued: [], left: [] };
      tenants.set(tenantId, requests);
      return requests;
    };
    for (const { request, state } of this.#held.values())
      if (state !== 'asking') of(request)[state].push(memberOf(request));
    const now = performance.now();
    for (const [id, { request, untilMs }] of this.#left) {
      of(request).left.push(memberOf(request));
      if (untilMs < now) this.#left.delete(id);
    }
    return tenants;
  }
}
