import { randomUUID } from 'node:crypto';
import type { SlotRequest } from '@sluice/shared-state';
import type { WorkerLease } from '../worker-source.ts';
import type { WorkerRequester } from './requester.ts';

/** `acquiring`: a worker is assigned, and a slot under the limits that all hosts share is being acquired. */
type QueuedRequestState = 'waiting' | 'acquiring' | 'over';

/** A request that waits for a worker, until it is resolved or rejected once. */
export class QueuedRequest implements SlotRequest {
  readonly id = randomUUID();
  readonly requester: WorkerRequester;
  readonly tenantId: string;
  readonly accountId: string;
  readonly sinceMs = Date.now();
  readonly joinedMs = performance.now();
  readonly lease: Promise<WorkerLease>;
  state: QueuedRequestState = 'waiting';
  /** Counted towards the queue limits of all hosts. */
  isEnqueued = false;
  #settle: { readonly resolve: (lease: WorkerLease) => void; readonly reject: (reason: unknown) => void } | undefined;

  constructor(requester: WorkerRequester) {
    this.requester = requester;
    this.tenantId = requester.tenantId;
    this.accountId = requester.accountId;
    this.lease = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  get isBackground(): boolean {
    return this.requester.purpose === 'background';
  }

  resolve(lease: WorkerLease): void {
    this.state = 'over';
    this.#settle?.resolve(lease);
  }

  reject(reason: unknown): void {
    this.state = 'over';
    this.#settle?.reject(reason);
  }
}
