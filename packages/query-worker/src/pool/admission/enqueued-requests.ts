import { asProblem } from '@sluice/contract';
import type { EnqueueAnswer, QuerySlots } from '@sluice/shared-state';
import type { Outage } from './outage.ts';
import type { QueuedRequest } from './queued-request.ts';
import { SlotCounts } from './slot-counts.ts';

export interface QueueLimits {
  /** Over all hosts together. */
  readonly queuedPerUser: number;
  readonly queuedPerTenant: number;
}

/** Counts waiting requests in the queue of all hosts, and refuses them when that is full. */
export class EnqueuedRequests {
  readonly #limits: QueueLimits;
  readonly #slots: QuerySlots;
  readonly #outage: Outage;
  readonly #counts = new SlotCounts();

  constructor(limits: QueueLimits, slots: QuerySlots, outage: Outage) {
    this.#limits = limits;
    this.#slots = slots;
    this.#outage = outage;
  }

  /** Calls `refuse` with a sentence when the queue is full. */
  add(request: QueuedRequest, refuse: (why: string) => void): void {
    if (request.isEnqueued || request.isBackground) return;
    const { queuedPerUser: account, queuedPerTenant: tenant } = this.#limits;
    const decide = (answer: EnqueueAnswer): void => {
      if (answer === 'account_queue_full') refuse(`You have ${account} queries waiting already.`);
      if (answer === 'tenant_queue_full') refuse(`Your tenant has ${tenant} queries waiting already.`);
    };
    // Where this host's part alone is as long, the others need not be asked.
    if (this.#counts.ofAccount(request) >= account) decide('account_queue_full');
    else if (this.#counts.ofTenant(request) >= tenant) decide('tenant_queue_full');
    else {
      request.isEnqueued = true;
      this.#counts.add(request, 1);
      const askedMs = performance.now();
      this.#slots.enqueue(request, { account, tenant }).then(
        (answer) => {
          this.#outage.note(answer, askedMs);
          decide(answer);
        },
        (thrown: unknown) => this.#outage.note(asProblem(thrown), askedMs),
      );
    }
  }

  remove(request: QueuedRequest): void {
    if (request.isEnqueued) this.#counts.add(request, -1);
  }
}
