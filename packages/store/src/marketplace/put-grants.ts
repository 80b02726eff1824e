import type { Transaction } from '../database/transaction.ts';
import type { AccountKind } from '../identity/account-store.ts';

export interface StoredGrant {
  readonly kind: 'role' | AccountKind;
  readonly name: string;
  readonly expires_ts: number | null;
}

export interface GrantsWrite {
  readonly tenantId: string;
  readonly itemId: string;
  readonly by: string;
  readonly grants: readonly StoredGrant[];
}

/** A grant that is set again unchanged keeps its creator and time. */
const PUT_GRANTS = `
  insert into marketplace_grants as before (tenant_id, item_id, subject_kind, subject, expires, granted_by)
  select $1, $2, kind, name, to_timestamp(expires_ts / 1000), $3
  from unnest($4::text[], $5::text[], $6::float8[]) g (kind, name, expires_ts)
  on conflict (tenant_id, item_id, subject_kind, subject) do update
    set expires = excluded.expires, granted = now(), granted_by = excluded.granted_by
    where before.expires is distinct from excluded.expires`;

/** Adds these grants to the existing ones. */
export async function putGrants(
  transaction: Transaction,
  { tenantId, itemId, by, grants }: GrantsWrite,
): Promise<void> {
  await transaction.query(PUT_GRANTS, [
    ...[tenantId, itemId, by],
    grants.map(({ kind }) => kind),
    grants.map(({ name }) => name),
    grants.map(({ expires_ts }) => expires_ts),
  ]);
}
