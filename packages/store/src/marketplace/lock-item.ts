import type { Transaction } from '../database/transaction.ts';

const HOLD = 'select 1 from marketplace_items where tenant_id = $1 and item_id = $2 for no key update';

/** False when there is no such item; else it stays, and nobody else changes its grants, until the transaction is over. */
export async function lockItem(transaction: Transaction, tenantId: string, itemId: string): Promise<boolean> {
  const held = await transaction.query(HOLD, [tenantId, itemId]);
  return held.length > 0;
}
