import type { HeldSlots, Requester } from '@sluice/shared-state';

interface TenantCounts {
  total: number;
  readonly byAccount: Map<string, number>;
}

/** Counts by account and by tenant. Counts of zero are dropped. No key is joined from two names: that took most of the time of a grant. */
export class SlotCounts implements HeldSlots {
  readonly #byTenant = new Map<string, TenantCounts>();
  #total = 0;

  constructor(counts: SlotCounts | undefined = undefined) {
    if (counts === undefined) return;
    this.#total = counts.#total;
    for (const [tenantId, { total, byAccount }] of counts.#byTenant)
      this.#byTenant.set(tenantId, { total, byAccount: new Map(byAccount) });
  }

  get total(): number {
    return this.#total;
  }

  add({ tenantId, accountId }: Requester, change: 1 | -1): void {
    this.#total += change;
    const counts = this.#byTenant.get(tenantId) ?? { total: 0, byAccount: new Map<string, number>() };
    counts.total += change;
    const ofAccount = (counts.byAccount.get(accountId) ?? 0) + change;
    if (ofAccount === 0) counts.byAccount.delete(accountId);
    else counts.byAccount.set(accountId, ofAccount);
    if (counts.total === 0 && counts.byAccount.size === 0) this.#byTenant.delete(tenantId);
    else this.#byTenant.set(tenantId, counts);
  }

  ofAccount({ tenantId, accountId }: Requester): number {
    return this.#byTenant.get(tenantId)?.byAccount.get(accountId) ?? 0;
  }

  ofTenant({ tenantId }: Pick<Requester, 'tenantId'>): number {
    return this.#byTenant.get(tenantId)?.total ?? 0;
  }
}
