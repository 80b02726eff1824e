import type { Transaction } from '../database/transaction.ts';

const KEY = `hashtextextended('sluice.grantees ' || $1, 0)`;

/**
 * Keeps all accounts and roles of a tenant from being removed until the end of the transaction. Grants refer to them by name: one that is
 * written while its role is removed would pass to a later role of that name. An advisory lock, because the role `stream` may not lock rows
 * of accounts.
 */
export async function lockGranteesShared(transaction: Transaction, tenantId: string): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock_shared(${KEY})`, [tenantId]);
}

/** Waits for all transactions that keep the tenant's grantees, and holds up new ones until the end of this one. */
export async function lockGrantees(transaction: Transaction, tenantId: string): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock(${KEY})`, [tenantId]);
}
