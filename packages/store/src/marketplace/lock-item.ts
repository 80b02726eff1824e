import type { Transaction } from '../database/transaction.ts';

const LOCK_ITEM = 'select 1 from marketplace_items where tenant_id = $1 and item_id = $2 for no key update';

/** Locks the item and its grants until the end of the transaction. Returns false when there is no such item. */
export async function lockItem(transaction: Transaction, tenantId: string, itemId: string): Promise<boolean> {
  const held = await transaction.query(LOCK_ITEM, [tenantId, itemId]);
  return held.length > 0;
}
