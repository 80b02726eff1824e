import type { TenantDatabase } from '../database/database.ts';
import { withinTransaction } from '../database/within-transaction.ts';
import { keepGrantees } from './lock-grantees.ts';
import { createMarketplaceAccessStore, type MarketplaceAccessStore } from './marketplace-access-store.ts';
import { createMarketplaceStore, type MarketplaceStore } from './marketplace-store.ts';

/** Items and grants, within one transaction. */
interface MarketplaceTransaction {
  readonly marketplace: MarketplaceStore;
  readonly marketplaceAccess: MarketplaceAccessStore;
}

export interface MarketplaceChanges {
  /**
   * Runs `work` as one transaction, so that a right that it checks on a locked item still exists when it writes. No account or role of the
   * tenant is removed meanwhile.
   */
  change<T>(tenantId: string, work: (within: MarketplaceTransaction) => Promise<T>): Promise<T>;
}

export const createMarketplaceChanges = (database: TenantDatabase): MarketplaceChanges => ({
  change: (tenantId, work) =>
    database.withTenant(tenantId, async (transaction) => {
      await keepGrantees(transaction, tenantId);
      const within = withinTransaction(transaction, tenantId);
      return await work({
        marketplace: createMarketplaceStore(within),
        marketplaceAccess: createMarketplaceAccessStore(within),
      });
    }),
});
