import type { WaitingRequest } from './fair-order.ts';

/** A request for one slot. `id` is unique for ever: a request that is made again has another. */
export interface SlotRequest extends WaitingRequest {
  readonly id: string;
}

/** Maximum number of slots, or places in the queue, of an account and its tenant. */
export interface SlotLimits {
  readonly account: number;
  readonly tenant: number;
}

export type AcquireAnswer = 'acquired' | 'account_full' | 'tenant_full';
export type EnqueueAnswer = 'queued' | 'account_queue_full' | 'tenant_queue_full';

/**
 * The limits of accounts and tenants, counted over all hosts. What cannot be known (the store is away, or has just lost what it
 * knew) is `service_unavailable`, never a slot: more queries than allowed would be worse.
 */
export interface QuerySlots {
  /**
   * Acquires a slot at once, or not at all. Returns `tenant_full` too where a slot is free that a request of another host should
   * have first by `fairOrder`. Acquiring again with the same request is harmless. Rejects with `service_unavailable`, and then
   * holds nothing.
   */
  acquire(request: SlotRequest, limits: SlotLimits): Promise<AcquireAnswer>;
  /** Counts the request among those that wait. Rejects with `service_unavailable`; it is counted then as soon as it can be. */
  enqueue(request: SlotRequest, limits: SlotLimits): Promise<EnqueueAnswer>;
  /** Gives back the slot of a request, or its place in the queue; later, when the store is away now. Any number of times. */
  release(request: SlotRequest): void;
  /** Calls when a slot of a tenant was released on any host. A call may be lost, so a waiting host asks again now and then. */
  onReleased(listener: (tenantId: string) => void): Disposable;
}

/** A request that its tenant's limit refused goes before others for this long; a waiting host asks again within it. */
export const BID_MS = 1_500;
