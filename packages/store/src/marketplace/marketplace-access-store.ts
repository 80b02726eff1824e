import { randomUUID } from 'node:crypto';
import type { AccessRequest } from '@sluice/contract';
import { type AuditRecord, appendAudit } from '../audit/audit-store.ts';
import type { TenantDatabase } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
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

export interface NewAccessRequest {
  readonly tenantId: string;
  readonly itemId: string;
  readonly account: { readonly kind: AccountKind; readonly id: string; readonly name: string };
  readonly reason: string;
}

export interface AccessDecision {
  readonly tenantId: string;
  readonly itemId: string;
  readonly requestId: string;
  readonly by: string;
  readonly state: 'APPROVED' | 'REFUSED';
  readonly expiresTs: number | null;
  readonly note: string | null;
}

/** Grants of items, and requests for them. Every change is one transaction with its audit record. */
export interface MarketplaceAccessStore {
  grants(tenantId: string, itemId: string): Promise<readonly StoredGrant[]>;
  /** Puts these in the place of all that were. */
  setGrants(write: GrantsWrite, record: (before: readonly StoredGrant[]) => AuditRecord): Promise<void>;
  /** Of these, who is not there. */
  unknownGrantees(tenantId: string, grants: readonly StoredGrant[]): Promise<readonly StoredGrant[]>;
  /** Undefined when one of the same account for the same item waits already. */
  request(request: NewAccessRequest, record: (made: AccessRequest) => AuditRecord): Promise<AccessRequest | undefined>;
  /** Those that wait first. Of one account, or of all. */
  requests(tenantId: string, itemId: string, accountId: string | undefined): Promise<readonly AccessRequest[]>;
  /** With the grant, when it is approved. Undefined when there is no such request; `decided` when it was decided before. */
  decide(
    decision: AccessDecision,
    record: (made: AccessRequest) => AuditRecord,
  ): Promise<AccessRequest | 'decided' | undefined>;
}

interface RequestRow {
  readonly request_id: string;
  readonly item_id: string;
  readonly account_kind: AccountKind;
  readonly account_name: string;
  readonly reason: string;
  readonly state: AccessRequest['state'];
  readonly created: Date;
  readonly decided: Date | null;
  readonly decided_by: string | null;
  readonly expires: Date | null;
  readonly note: string | null;
}

const requestOf = (row: RequestRow): AccessRequest => ({
  request_id: row.request_id,
  item_id: row.item_id,
  user: row.account_name,
  reason: row.reason,
  state: row.state,
  created_ts: row.created.getTime(),
  decided_ts: row.decided?.getTime() ?? null,
  decided_by: row.decided_by,
  expires_ts: row.expires?.getTime() ?? null,
  note: row.note,
});

const GRANTS = `
  select subject_kind as kind, subject as name, (extract(epoch from expires) * 1000)::float8 as expires_ts
  from marketplace_grants where tenant_id = $1 and item_id = $2 order by subject_kind, subject`;
const REMOVE_OTHER_GRANTS = `
  delete from marketplace_grants g where g.tenant_id = $1 and g.item_id = $2
    and not exists (select 1 from unnest($3::text[], $4::text[]) k (kind, name) where k.kind = g.subject_kind and k.name = g.subject)`;
/** What was given before as it is given now stays known by who gave it, and when. */
const PUT_GRANTS = `
  insert into marketplace_grants as before (tenant_id, item_id, subject_kind, subject, expires, granted_by)
  select $1, $2, kind, name, to_timestamp(expires_ts / 1000), $3
  from unnest($4::text[], $5::text[], $6::float8[]) g (kind, name, expires_ts)
  on conflict (tenant_id, item_id, subject_kind, subject) do update
    set expires = excluded.expires, granted = now(), granted_by = excluded.granted_by
    where before.expires is distinct from excluded.expires`;
const UNKNOWN_GRANTEES = `
  select kind, name from unnest($2::text[], $3::text[]) g (kind, name)
  where not exists (select 1 from roles r where g.kind = 'role' and r.tenant_id = $1 and r.name = g.name)
    and not exists (select 1 from users u where g.kind = 'user' and u.tenant_id = $1 and u.email = g.name)
    and not exists (select 1 from clients c where g.kind = 'client' and c.tenant_id = $1 and c.client_id = g.name)`;
const INSERT_REQUEST = `
  insert into marketplace_requests (tenant_id, request_id, item_id, account_kind, account_id, account_name, reason)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (tenant_id, item_id, account_id) where state = 'PENDING' do nothing
  returning *`;
const REQUESTS = `
  select * from marketplace_requests where tenant_id = $1 and item_id = $2 and ($3::uuid is null or account_id = $3)
  order by state <> 'PENDING', created desc, request_id limit 1000`;
const DECIDE = `
  update marketplace_requests set state = $4, decided = clock_timestamp(), decided_by = $5, expires = to_timestamp($6::float8 / 1000), note = $7
  where tenant_id = $1 and item_id = $2 and request_id = $3 and state = 'PENDING' returning *`;

async function putGrants(transaction: Transaction, { tenantId, itemId, by, grants }: GrantsWrite): Promise<void> {
  await transaction.query(PUT_GRANTS, [
    ...[tenantId, itemId, by],
    grants.map(({ kind }) => kind),
    grants.map(({ name }) => name),
    grants.map(({ expires_ts }) => expires_ts),
  ]);
}

export function createMarketplaceAccessStore(database: TenantDatabase): MarketplaceAccessStore {
  return {
    grants: (tenantId, itemId) =>
      database.withTenant(tenantId, (transaction) => transaction.query<StoredGrant>(GRANTS, [tenantId, itemId])),
    setGrants: (write, record) =>
      database.withTenant(write.tenantId, async (transaction) => {
        const { tenantId, itemId } = write;
        const before = await transaction.query<StoredGrant>(GRANTS, [tenantId, itemId]);
        const kinds = write.grants.map(({ kind }) => kind);
        const names = write.grants.map(({ name }) => name);
        await transaction.query(REMOVE_OTHER_GRANTS, [tenantId, itemId, kinds, names]);
        await putGrants(transaction, write);
        await appendAudit(transaction, record(before));
      }),
    unknownGrantees: (tenantId, grants) =>
      database.withTenant(tenantId, (transaction) =>
        transaction.query<StoredGrant>(UNKNOWN_GRANTEES, [
          tenantId,
          grants.map(({ kind }) => kind),
          grants.map(({ name }) => name),
        ]),
      ),
    request: ({ tenantId, itemId, account, reason }, record) =>
      database.withTenant(tenantId, async (transaction) => {
        const values = [tenantId, randomUUID(), itemId, account.kind, account.id, account.name, reason];
        const [row] = await transaction.query<RequestRow>(INSERT_REQUEST, values);
        if (row === undefined) return undefined;
        const made = requestOf(row);
        await appendAudit(transaction, record(made));
        return made;
      }),
    requests: (tenantId, itemId, accountId) =>
      database.withTenant(tenantId, async (transaction) => {
        const rows = await transaction.query<RequestRow>(REQUESTS, [tenantId, itemId, accountId ?? null]);
        return rows.map(requestOf);
      }),
    decide: async (decision, record) =>
      isUuid(decision.requestId)
        ? database.withTenant(decision.tenantId, (transaction) => decide(transaction, decision, record))
        : undefined,
  };
}

async function decide(
  transaction: Transaction,
  decision: AccessDecision,
  record: (made: AccessRequest) => AuditRecord,
): Promise<AccessRequest | 'decided' | undefined> {
  const { tenantId, itemId, requestId, by, state, expiresTs, note } = decision;
  const [row] = await transaction.query<RequestRow>(DECIDE, [tenantId, itemId, requestId, state, by, expiresTs, note]);
  if (row === undefined) {
    const found = await transaction.query(
      'select 1 from marketplace_requests where tenant_id = $1 and item_id = $2 and request_id = $3',
      [tenantId, itemId, requestId],
    );
    return found.length === 0 ? undefined : 'decided';
  }
  if (state === 'APPROVED') {
    const grants = [{ kind: row.account_kind, name: row.account_name, expires_ts: expiresTs }];
    await putGrants(transaction, { tenantId, itemId, by, grants });
  }
  const made = requestOf(row);
  await appendAudit(transaction, record(made));
  return made;
}
