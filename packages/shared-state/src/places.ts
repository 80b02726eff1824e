/** One wish to run a query. `id` is unique for ever: who comes again comes with another. */
export interface Claim {
  readonly id: string;
  readonly tenantId: string;
  readonly accountId: string;
  /** Since when it waits, in epoch milliseconds of its host: who runs as little goes by it. */
  readonly sinceMs: number;
}

/** How many an account, and its tenant, may have at once. */
export interface ClaimLimits {
  readonly account: number;
  readonly tenant: number;
}

export type TakeAnswer = 'taken' | 'account_full' | 'tenant_full';
export type QueueAnswer = 'queued' | 'account_queue_full' | 'tenant_queue_full';

/**
 * The places in which queries run, and the queue before them, of all hosts together. Whatever cannot be known (the store is
 * away, or has just lost what it knew) is `service_unavailable`, never a place: more queries than allowed would be worse.
 */
export interface Places {
  /**
   * Takes a place for the account and the tenant at once, or none. Answers `tenant_full` too where a place is free that a claim
   * of another host should have first: the one whose account runs least, then the one that waits longest. Asking again with
   * the same claim is harmless. Rejects with `service_unavailable`, and then holds nothing.
   */
  take(claim: Claim, limits: ClaimLimits): Promise<TakeAnswer>;
  /** Counts the claim among those that wait. Rejects with `service_unavailable`; it is counted then as soon as it can be. */
  queue(claim: Claim, limits: ClaimLimits): Promise<QueueAnswer>;
  /** Gives back the claim's place, or its place in the queue; sooner or later, also when the store is away now. Any number of times. */
  leave(claim: Claim): void;
  /** Calls when a place of a tenant has come free on any host. A call may be lost, so who waits asks again now and then too. */
  onFreed(listener: (tenantId: string) => void): Disposable;
}

/** A claim that was refused by its tenant's limit goes before others for so long; who waits asks again within it. */
export const BID_MS = 1_500;
