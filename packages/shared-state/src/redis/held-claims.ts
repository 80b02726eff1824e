import type { Claim } from '../places.ts';
import { TIMING } from './timing.ts';

/** The claims of one tenant, as scripts name them: `<account>/<id>`. */
export interface ClaimsOfTenant {
  readonly running: string[];
  readonly queued: string[];
  readonly left: string[];
}

/** `asking`: a question is under way, and until its answer nobody here knows what is so. */
export type ClaimState = 'asking' | 'running' | 'queued';

export const memberOf = ({ accountId, id }: Pick<Claim, 'accountId' | 'id'>): string => `${accountId}/${id}`;

/**
 * What this process holds and what it owes. This, not Redis, is what is true of its own queries: Redis is told it again at every
 * beat, and so learns it anew when it has forgotten.
 */
export class HeldClaims {
  readonly #held = new Map<string, { readonly claim: Claim; readonly state: ClaimState }>();
  readonly #left = new Map<string, { readonly claim: Claim; readonly untilMs: number }>();

  stateOf({ id }: Claim): ClaimState | undefined {
    return this.#held.get(id)?.state;
  }

  put(claim: Claim, state: ClaimState): void {
    this.#left.delete(claim.id);
    this.#held.set(claim.id, { claim, state });
  }

  /** It never had anything. */
  drop({ id }: Claim): void {
    this.#held.delete(id);
  }

  /** It is owed until whatever was asked for it earlier has run out in Redis. */
  leave(claim: Claim): void {
    this.#held.delete(claim.id);
    this.#left.set(claim.id, { claim, untilMs: performance.now() + TIMING.leaseMs });
  }

  /** Redis has heard of it. */
  settle({ id }: Claim): void {
    this.#left.delete(id);
  }

  byTenant(): ReadonlyMap<string, ClaimsOfTenant> {
    const tenants = new Map<string, ClaimsOfTenant>();
    const of = ({ tenantId }: Claim): ClaimsOfTenant => {
      const claims = tenants.get(tenantId) ?? { running: [], queued: [], left: [] };
      tenants.set(tenantId, claims);
      return claims;
    };
    for (const { claim, state } of this.#held.values()) if (state !== 'asking') of(claim)[state].push(memberOf(claim));
    const now = performance.now();
    for (const [id, { claim, untilMs }] of this.#left) {
      of(claim).left.push(memberOf(claim));
      if (untilMs < now) this.#left.delete(id);
    }
    return tenants;
  }
}
