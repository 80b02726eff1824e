import type { WaitingRequest } from './fair-order.ts';

/** A request for one slot. Ids are never reused, not even when the same query is sent again. */
export interface SlotRequest extends WaitingRequest {
  readonly id: string;
}

/** Maximum number of slots, or of queued requests, of an account and its tenant. */
export interface SlotLimits {
  readonly account: number;
  readonly tenant: number;
}

export type AcquireResult = 'acquired' | 'account_full' | 'tenant_full';
export type EnqueueResult = 'queued' | 'account_queue_full' | 'tenant_queue_full';

/**
 * Query slots under the limits of accounts and tenants, counted over all hosts. While the counts are unknown (the store is
 * unavailable or has just lost its data) calls reject with `service_unavailable`: exceeding a limit would be worse.
 */
export interface QuerySlots {
  /**
   * Acquires a slot without waiting. Returns `tenant_full` also when the free slots belong to requests of other hosts that precede
   * this one in `fairOrder`. Idempotent for the same request. A call that rejects with `service_unavailable` holds no slot.
   */
  acquire(request: SlotRequest, limits: SlotLimits): Promise<AcquireResult>;
  /** Counts the request as queued. A call that rejects with `service_unavailable` is counted as soon as the store is available. */
  enqueue(request: SlotRequest, limits: SlotLimits): Promise<EnqueueResult>;
  /** Releases the slot of a request, or removes it from the queue, as soon as the store is available. Idempotent. */
  release(request: SlotRequest): void;
  /** Calls the listener when a slot of a tenant was released on any host. Calls may be lost, so a waiting host also polls. */
  onReleased(listener: (tenantId: string) => void): Disposable;
}

/**
 * Time for which a request that its tenant's limit refused contends for the next free slot: requests behind it in `fairOrder` are
 * refused meanwhile. A waiting host retries within this time.
 */
export const CONTENTION_MS = 1_500;
