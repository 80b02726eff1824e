import { randomUUID } from 'node:crypto';
import type { Claim } from '@sluice/shared-state';
import type { Applicant } from './applicant.ts';

/** `asking`: whether it gets a place is being found out. */
type WaiterState = 'waiting' | 'asking' | 'over';

/** Served once, or given up once. */
export class Waiter {
  readonly applicant: Applicant;
  readonly claim: Claim;
  readonly joinedMs = performance.now();
  readonly slot: Promise<Disposable>;
  state: WaiterState = 'waiting';
  /** Counted among those that wait. */
  isQueued = false;
  #settle: { readonly resolve: (slot: Disposable) => void; readonly reject: (reason: unknown) => void } | undefined;

  constructor(applicant: Applicant) {
    const { tenantId, accountId } = applicant;
    this.applicant = applicant;
    this.claim = { id: randomUUID(), tenantId, accountId, sinceMs: Date.now() };
    this.slot = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  resolve(slot: Disposable): void {
    this.state = 'over';
    this.#settle?.resolve(slot);
  }

  reject(reason: unknown): void {
    this.state = 'over';
    this.#settle?.reject(reason);
  }
}
