import type { Requester } from '@sluice/shared-state';

/** Requesters that a shared limit refused. They do not try again before a slot is released. */
export class Refusals {
  /** Accounts at their limit by tenant; undefined for all accounts of a tenant. */
  readonly #byTenant = new Map<string, Set<string> | undefined>();

  add(limit: 'account_full' | 'tenant_full', { tenantId, accountId }: Requester): void {
    if (limit === 'tenant_full') this.#byTenant.set(tenantId, undefined);
    else if (!this.#byTenant.has(tenantId)) this.#byTenant.set(tenantId, new Set([accountId]));
    else this.#byTenant.get(tenantId)?.add(accountId);
  }

  holds({ tenantId, accountId }: Requester): boolean {
    if (!this.#byTenant.has(tenantId)) return false;
    return this.#byTenant.get(tenantId)?.has(accountId) ?? true;
  }

  forget(tenantId: string): void {
    this.#byTenant.delete(tenantId);
  }

  forgetAll(): void {
    this.#byTenant.clear();
  }
}
