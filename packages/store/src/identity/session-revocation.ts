import type { Transaction } from '../database/transaction.ts';

/** Ends every session of an account, within the transaction that removes its rights. */
export async function revokeSessionsOf(
  transaction: Transaction,
  account: { readonly tenantId: string; readonly kind: 'user' | 'client'; readonly id: string },
  reason: string,
): Promise<void> {
  await transaction.query(
    `update sessions set revoked_at = now(), revoke_reason = $4
     where tenant_id = $1 and account_kind = $2 and account_id = $3 and revoked_at is null`,
    [account.tenantId, account.kind, account.id, reason],
  );
}
