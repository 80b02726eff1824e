import type { TenantDatabase } from './database.ts';
import type { Transaction } from './transaction.ts';

/**
 * Returns a database for stores that open a transaction for each change: they get this transaction, and its owner commits or rolls it back.
 */
export const withinTransaction = (transaction: Transaction, tenantId: string): TenantDatabase => ({
  async withTenant(wantedId, work) {
    if (wantedId !== tenantId) throw new TypeError('a transaction belongs to one tenant');
    return await work(transaction);
  },
});
