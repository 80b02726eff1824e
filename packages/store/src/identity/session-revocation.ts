import type { Transaction } from '../database/transaction.ts';

interface SessionRevocation {
  readonly tenantId: string;
  readonly kind: 'user' | 'client';
  readonly id: string;
  /** Session that stays. Default: none. */
  readonly keptSid?: string | undefined;
}

/** Ends the sessions of an account, within the transaction that removes its rights. Returns the ids of those that were open. */
export async function revokeSessionsOf(
  transaction: Transaction,
  { tenantId, kind, id, keptSid }: SessionRevocation,
  reason: string,
): Promise<readonly string[]> {
  const ended = await transaction.query<{ sid: string; wasOpen: boolean }>(
    `update sessions set revoked_at = now(), revoke_reason = $4
     where tenant_id = $1 and account_kind = $2 and account_id = $3 and revoked_at is null and sid is distinct from $5::uuid
     returning sid, expires > now() as "wasOpen"`,
    [tenantId, kind, id, reason, keptSid ?? null],
  );
  return ended.filter(({ wasOpen }) => wasOpen).map(({ sid }) => sid);
}
