import { claimsAhead } from '../claims-ahead.ts';
import { BID_MS, type Claim, type ClaimLimits, type Places, type QueueAnswer, type TakeAnswer } from '../places.ts';

interface Bid extends Claim {
  readonly untilMs: number;
}

interface TenantClaims {
  readonly running: Map<string, Claim>;
  readonly queued: Map<string, Claim>;
  readonly bids: Map<string, Bid>;
}

/** The places of one process: what it forgets ends with it. Clients within the process see one another's claims. */
export class InProcessPlaces implements Places {
  readonly #tenants = new Map<string, TenantClaims>();
  readonly #listeners = new Set<(tenantId: string) => void>();

  async take(claim: Claim, limits: ClaimLimits): Promise<TakeAnswer> {
    const claims = this.#claimsOf(claim.tenantId);
    if (claims.running.has(claim.id)) return 'taken';
    const runningOf = (accountId: string): number => countOf(claims.running, accountId);
    if (runningOf(claim.accountId) >= limits.account) {
      claims.bids.delete(claim.id);
      this.#tidy(claim.tenantId);
      return 'account_full';
    }
    const ahead = claimsAhead(claim, liveBids(claims), runningOf);
    if (claims.running.size + ahead >= limits.tenant) {
      claims.bids.set(claim.id, { ...claim, untilMs: performance.now() + BID_MS });
      return 'tenant_full';
    }
    claims.running.set(claim.id, claim);
    claims.queued.delete(claim.id);
    claims.bids.delete(claim.id);
    return 'taken';
  }

  async queue(claim: Claim, limits: ClaimLimits): Promise<QueueAnswer> {
    const { queued } = this.#claimsOf(claim.tenantId);
    if (queued.has(claim.id)) return 'queued';
    if (countOf(queued, claim.accountId) >= limits.account) return 'account_queue_full';
    if (queued.size >= limits.tenant) return 'tenant_queue_full';
    queued.set(claim.id, claim);
    return 'queued';
  }

  leave({ id, tenantId }: Claim): void {
    const claims = this.#tenants.get(tenantId);
    if (claims === undefined) return;
    const ran = claims.running.delete(id);
    claims.queued.delete(id);
    claims.bids.delete(id);
    this.#tidy(tenantId);
    if (ran) for (const listener of this.#listeners) listener(tenantId);
  }

  onFreed(listener: (tenantId: string) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #claimsOf(tenantId: string): TenantClaims {
    const found = this.#tenants.get(tenantId);
    if (found !== undefined) return found;
    const made: TenantClaims = { running: new Map(), queued: new Map(), bids: new Map() };
    this.#tenants.set(tenantId, made);
    return made;
  }

  #tidy(tenantId: string): void {
    const claims = this.#tenants.get(tenantId);
    if (claims !== undefined && claims.running.size + claims.queued.size + claims.bids.size === 0)
      this.#tenants.delete(tenantId);
  }
}

const countOf = (claims: ReadonlyMap<string, Claim>, accountId: string): number => {
  let count = 0;
  for (const claim of claims.values()) if (claim.accountId === accountId) count += 1;
  return count;
};

const liveBids = ({ bids }: TenantClaims): readonly Bid[] => {
  const now = performance.now();
  for (const [id, { untilMs }] of bids) if (untilMs <= now) bids.delete(id);
  return [...bids.values()];
};
