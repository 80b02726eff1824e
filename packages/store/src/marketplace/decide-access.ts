import { type AccessRequest, type AuditRecord, ITEM_GRANTS_MAX } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import type { Transaction } from '../database/transaction.ts';
import { type AccessRequestRow, accessRequestOf } from './access-request-mapper.ts';
import { lockItem } from './lock-item.ts';
import { putGrants } from './put-grants.ts';

export interface AccessDecision {
  readonly tenantId: string;
  readonly itemId: string;
  readonly requestId: string;
  readonly by: string;
  readonly state: 'APPROVED' | 'REFUSED';
  readonly expiresTs: number | null;
  readonly note: string | null;
}

/** `decided`: the request was decided before. `full`: the item has the maximum number of grants. */
export type DecisionRejection = 'decided' | 'full';

/** A request that was stored while its account was removed is not found: its grant would pass to a later account of that name. */
const FIND = `
  select r.* from marketplace_requests r where r.tenant_id = $1 and r.item_id = $2 and r.request_id = $3
    and (r.state <> 'PENDING'
      or exists (select 1 from users u where r.account_kind = 'user' and u.tenant_id = r.tenant_id and u.id = r.account_id)
      or exists (select 1 from clients c where r.account_kind = 'client' and c.tenant_id = r.tenant_id and c.id = r.account_id))
  for update of r`;
const DECIDE = `
  update marketplace_requests set state = $4, decided = clock_timestamp(), decided_by = $5, expires = to_timestamp($6::float8 / 1000), note = $7
  where tenant_id = $1 and item_id = $2 and request_id = $3 returning *`;
const COUNT_OTHER_GRANTS = `
  select count(*) as others from marketplace_grants
  where tenant_id = $1 and item_id = $2 and not (subject_kind = $3 and subject = $4)`;

/** Decides a request, and creates the grant when it is approved. Returns undefined when there is no such request. */
export async function decideAccess(
  transaction: Transaction,
  decision: AccessDecision,
  record: (made: AccessRequest) => AuditRecord,
): Promise<AccessRequest | DecisionRejection | undefined> {
  const { tenantId, itemId, requestId, by, state, expiresTs, note } = decision;
  if (!(await lockItem(transaction, tenantId, itemId))) return undefined;
  const [found] = await transaction.query<AccessRequestRow>(FIND, [tenantId, itemId, requestId]);
  if (found === undefined) return undefined;
  if (found.state !== 'PENDING') return 'decided';
  if (state === 'APPROVED') {
    const { account_kind: kind, account_name: name } = found;
    const [counted] = await transaction.query<{ others: string }>(COUNT_OTHER_GRANTS, [tenantId, itemId, kind, name]);
    if (Number(counted?.others) >= ITEM_GRANTS_MAX) return 'full';
    await putGrants(transaction, { tenantId, itemId, by, grants: [{ kind, name, expires_ts: expiresTs }] });
  }
  const values = [tenantId, itemId, requestId, state, by, expiresTs, note];
  const [row] = await transaction.query<AccessRequestRow>(DECIDE, values);
  if (row === undefined) throw new Error('a locked request was removed');
  const made = accessRequestOf(row);
  await appendAudit(transaction, record(made));
  return made;
}
