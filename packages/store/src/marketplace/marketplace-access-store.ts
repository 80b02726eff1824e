import { randomUUID } from 'node:crypto';
import type { AccessRequest, AuditRecord, ListedAccessRequest } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import type { TenantDatabase } from '../database/database.ts';
import { isUuid } from '../database/uuid.ts';
import type { AccountKind } from '../identity/account-store.ts';
import {
  type AccessRequestRow,
  accessRequestOf,
  type ListedRequestRow,
  listedRequestOf,
} from './access-request-mapper.ts';
import { type AccessDecision, type DecisionRejection, decideAccess } from './decide-access.ts';
import { lockItem } from './lock-item.ts';
import type { ItemRejection } from './marketplace-store.ts';
import { type GrantsWrite, putGrants, type StoredGrant } from './put-grants.ts';

interface NewAccessRequest {
  readonly tenantId: string;
  readonly itemId: string;
  readonly account: { readonly kind: AccountKind; readonly id: string; readonly name: string };
  readonly reason: string;
}

interface AccessRequestListQuery {
  /** Id of the account that made the requests. Undefined: any. */
  readonly requesterId: string | undefined;
  /** Id of the owner of the items. Undefined: any. */
  readonly ownerId: string | undefined;
  readonly state: AccessRequest['state'] | undefined;
  readonly from: number;
  readonly size: number;
}

interface ListedRequests {
  readonly total: number;
  readonly requests: readonly ListedAccessRequest[];
}

/** Grants of items, and requests for them. Every change is one transaction with its audit record; changes of one item are serialized. */
export interface MarketplaceAccessStore {
  grants(tenantId: string, itemId: string): Promise<readonly StoredGrant[]>;
  /** Replaces all grants of the item, if its present ones are those to replace. */
  setGrants(
    write: GrantsWrite,
    isCurrent: (present: readonly StoredGrant[]) => boolean,
    record: (before: readonly StoredGrant[]) => AuditRecord,
  ): Promise<'stored' | ItemRejection>;
  /** Returns the grantees that do not exist. */
  unknownGrantees(tenantId: string, grants: readonly StoredGrant[]): Promise<readonly StoredGrant[]>;
  /** Returns undefined when there is no such item, `waiting` when the account already has a pending request for it. */
  request(
    request: NewAccessRequest,
    record: (made: AccessRequest) => AuditRecord,
  ): Promise<AccessRequest | 'waiting' | undefined>;
  /** Lists requests of one account or of all, pending requests first. */
  requests(tenantId: string, itemId: string, accountId: string | undefined): Promise<readonly AccessRequest[]>;
  /** Lists requests for all items, pending requests first, with their total number. */
  list(tenantId: string, query: AccessRequestListQuery): Promise<ListedRequests>;
  /** Decides a request, and creates the grant when it is approved. Returns undefined when there is no such request. */
  decide(
    decision: AccessDecision,
    record: (made: AccessRequest) => AuditRecord,
  ): Promise<AccessRequest | DecisionRejection | undefined>;
}

const GRANTS = `
  select subject_kind as kind, subject as name, (extract(epoch from expires) * 1000)::float8 as expires_ts
  from marketplace_grants where tenant_id = $1 and item_id = $2 order by subject_kind, subject`;
const REMOVE_OTHER_GRANTS = `
  delete from marketplace_grants g where g.tenant_id = $1 and g.item_id = $2
    and not exists (select 1 from unnest($3::text[], $4::text[]) k (kind, name) where k.kind = g.subject_kind and k.name = g.subject)`;
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

const LISTED = `
  from marketplace_requests r join marketplace_items i on i.tenant_id = r.tenant_id and i.item_id = r.item_id
  where r.tenant_id = $1 and ($2::uuid is null or r.account_id = $2) and ($3::uuid is null or i.owner_id = $3)
    and ($4::text is null or r.state = $4)`;
const LIST = `
  select r.*, i.title, i.owner_name ${LISTED}
  order by r.state <> 'PENDING', r.created desc, r.request_id limit $5 offset $6`;
const COUNT = `select count(*) as total ${LISTED}`;

export function createMarketplaceAccessStore(database: TenantDatabase): MarketplaceAccessStore {
  return {
    grants: (tenantId, itemId) =>
      database.withTenant(tenantId, (transaction) => transaction.query<StoredGrant>(GRANTS, [tenantId, itemId])),
    setGrants: (write, isCurrent, record) =>
      database.withTenant(write.tenantId, async (transaction) => {
        const { tenantId, itemId } = write;
        if (!(await lockItem(transaction, tenantId, itemId))) return 'missing';
        const before = await transaction.query<StoredGrant>(GRANTS, [tenantId, itemId]);
        if (!isCurrent(before)) return 'other version';
        const kinds = write.grants.map(({ kind }) => kind);
        const names = write.grants.map(({ name }) => name);
        await transaction.query(REMOVE_OTHER_GRANTS, [tenantId, itemId, kinds, names]);
        await putGrants(transaction, write);
        await appendAudit(transaction, record(before));
        return 'stored';
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
        if (!(await lockItem(transaction, tenantId, itemId))) return undefined;
        const values = [tenantId, randomUUID(), itemId, account.kind, account.id, account.name, reason];
        const [row] = await transaction.query<AccessRequestRow>(INSERT_REQUEST, values);
        if (row === undefined) return 'waiting';
        const made = accessRequestOf(row);
        await appendAudit(transaction, record(made));
        return made;
      }),
    requests: (tenantId, itemId, accountId) =>
      database.withTenant(tenantId, async (transaction) => {
        const rows = await transaction.query<AccessRequestRow>(REQUESTS, [tenantId, itemId, accountId ?? null]);
        return rows.map(accessRequestOf);
      }),
    list: (tenantId, { requesterId, ownerId, state, from, size }) =>
      database.withTenant(tenantId, async (transaction) => {
        const filter = [tenantId, requesterId ?? null, ownerId ?? null, state ?? null];
        const [counted] = await transaction.query<{ total: string }>(COUNT, filter);
        const rows = await transaction.query<ListedRequestRow>(LIST, [...filter, size, from]);
        return { total: Number(counted?.total), requests: rows.map(listedRequestOf) };
      }),
    decide: async (decision, record) =>
      isUuid(decision.requestId)
        ? database.withTenant(decision.tenantId, (transaction) => decideAccess(transaction, decision, record))
        : undefined,
  };
}
