import { asProblem } from '@sluice/contract/problems';
import type { EnqueueResult, QuerySlots } from '@sluice/shared-state';
import type { Outage } from './outage.ts';
import type { QueuedRequest } from './queued-request.ts';
import { SlotCounts } from './slot-counts.ts';

export interface QueueLimits {
  /** Counted over all hosts. */
  readonly queuedPerUser: number;
  readonly queuedPerTenant: number;
}

/** Counts waiting requests towards the queue limits of all hosts, and refuses those beyond them. */
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

  /** Calls `refuse` with the reason when a queue limit is reached. */
  add(request: QueuedRequest, refuse: (reason: string) => void): void {
    if (request.isEnqueued || request.isBackground) return;
    const { queuedPerUser: account, queuedPerTenant: tenant } = this.#limits;
    const apply = (result: EnqueueResult): void => {
      if (result === 'account_queue_full') refuse(`You already have ${account} waiting queries.`);
      if (result === 'tenant_queue_full') refuse(`Your tenant already has ${tenant} waiting queries.`);
    };
    // The requests of this host alone may reach a limit; then the shared state is not needed.
    if (this.#counts.ofAccount(request) >= account) apply('account_queue_full');
    else if (this.#counts.ofTenant(request) >= tenant) apply('tenant_queue_full');
    else {
      request.isEnqueued = true;
      this.#counts.add(request, 1);
      const sentMs = performance.now();
      this.#slots.enqueue(request, { account, tenant }).then(
        (result) => {
          this.#outage.note(result, sentMs);
          apply(result);
        },
        (thrown: unknown) => this.#outage.note(asProblem(thrown), sentMs),
      );
    }
  }

  remove(request: QueuedRequest): void {
    if (request.isEnqueued) this.#counts.add(request, -1);
  }
}
