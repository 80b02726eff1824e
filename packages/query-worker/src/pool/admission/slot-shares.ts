import { fairOrder, type Requester } from '@sluice/shared-state';
import type { QueuedRequest } from './queued-request.ts';
import { SlotCounts } from './slot-counts.ts';

export interface SlotShareLimits {
  /** Statements that run at once on this host. */
  readonly slots: number;
  /** Share of the slots that one tenant may hold while another tenant waits. */
  readonly tenantShare: number;
  /** Slots reserved for background work. */
  readonly backgroundSlots: number;
}

/** Shares that an account leaves to other accounts, and a tenant to other tenants; the latter only with `LEAVING_SLOTS_MIN` slots. */
const ACCOUNT_LEAVES = 1 / 4;
const TENANT_LEAVES = 1 / 8;
const LEAVING_SLOTS_MIN = 3;

/** Limits on the slots of a host that an account and a tenant may hold. */
export class SlotShares {
  readonly #limits: SlotShareLimits;
  readonly #held = new SlotCounts();
  #background = 0;

  constructor(limits: SlotShareLimits) {
    this.#limits = limits;
  }

  get held(): SlotCounts {
    return this.#held;
  }

  get isFull(): boolean {
    return this.#total >= this.#limits.slots;
  }

  hold(request: QueuedRequest, change: 1 | -1): void {
    if (request.isBackground) this.#background += change;
    else this.#held.add(request, change);
  }

  /** Returns the requests that could run now if there were enough workers, in the order in which they should be granted. */
  grantable(waiting: readonly QueuedRequest[]): readonly QueuedRequest[] {
    if (this.isFull) return [];
    const { slots, backgroundSlots } = this.#limits;
    const background = waiting.filter(({ isBackground }) => isBackground).slice(0, slots - this.#total);
    const free = Math.min(slots - this.#total - background.length, slots - backgroundSlots - this.#held.total);
    const counts = new SlotCounts(this.#held);
    const tenants = new Set(waiting.filter((one) => !one.isBackground).map(({ tenantId }) => tenantId));
    const granted: QueuedRequest[] = [];
    for (const request of fairOrder(firstOfEach(waiting, free), this.#held)) {
      if (granted.length >= free) break;
      if (!this.#mayHoldMore(request, counts, this.#isAwaited(request, tenants))) continue;
      counts.add(request, 1);
      granted.push(request);
    }
    return [...background, ...granted];
  }

  get #total(): number {
    return this.#held.total + this.#background;
  }

  /** Whether another tenant that holds less than its share is waiting. */
  #isAwaited({ tenantId }: Requester, waiting: ReadonlySet<string>): boolean {
    const share = this.#tenantShare;
    for (const other of waiting) {
      if (other !== tenantId && this.#held.ofTenant({ tenantId: other }) < share) return true;
    }
    return false;
  }

  #mayHoldMore(request: Requester, counts: SlotCounts, isAwaited: boolean): boolean {
    const tenantMax = isAwaited ? this.#tenantShare : this.#tenantMax;
    return counts.ofAccount(request) < this.#accountMax && counts.ofTenant(request) < tenantMax;
  }

  get #userSlots(): number {
    return this.#limits.slots - this.#limits.backgroundSlots;
  }

  /** Maximum of a tenant while no other tenant waits. A share stays free, so that another tenant finds a slot immediately. */
  get #tenantMax(): number {
    const slots = this.#userSlots;
    return slots < LEAVING_SLOTS_MIN ? slots : slots - atLeastOne(slots * TENANT_LEAVES);
  }

  get #accountMax(): number {
    return atLeastOne(this.#tenantMax - atLeastOne(this.#userSlots * ACCOUNT_LEAVES));
  }

  get #tenantShare(): number {
    return atLeastOne(this.#userSlots * this.#limits.tenantShare);
  }
}

const atLeastOne = (count: number): number => Math.max(1, Math.floor(count));

/** Returns at most `free` requests of each account, since no more can be granted. */
function firstOfEach(waiting: readonly QueuedRequest[], free: number): readonly QueuedRequest[] {
  const seen = new SlotCounts();
  return waiting.filter((request) => {
    if (request.isBackground || seen.ofAccount(request) >= free) return false;
    seen.add(request, 1);
    return true;
  });
}
