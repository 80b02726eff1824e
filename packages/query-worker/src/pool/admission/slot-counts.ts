import { accountKey, type HeldSlots, type Requester } from '@sluice/shared-state';

/** Counts by account and by tenant. Counts of zero are dropped. */
export class SlotCounts implements HeldSlots {
  readonly #counts: Map<string, number>;
  #total = 0;

  constructor(counts: SlotCounts | undefined = undefined) {
    this.#counts = new Map(counts === undefined ? [] : counts.#counts);
    this.#total = counts === undefined ? 0 : counts.#total;
  }

  get total(): number {
    return this.#total;
  }

  add(requester: Requester, change: 1 | -1): void {
    this.#total += change;
    for (const key of [accountKey(requester), requester.tenantId]) {
      const count = (this.#counts.get(key) ?? 0) + change;
      if (count === 0) this.#counts.delete(key);
      else this.#counts.set(key, count);
    }
  }

  ofAccount(requester: Requester): number {
    return this.#counts.get(accountKey(requester)) ?? 0;
  }

  ofTenant({ tenantId }: Pick<Requester, 'tenantId'>): number {
    return this.#counts.get(tenantId) ?? 0;
  }
}
