import { randomUUID } from 'node:crypto';
import type { AccessRequest, AccessRequestCounts, ListedAccessRequest } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import type { AccountKind } from '../identity/account-store.ts';

/** Account that requests a grant. */
interface Requester {
  readonly kind: AccountKind;
  readonly id: string;
  readonly name: string;
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

interface AccessDecision {
  readonly state: 'APPROVED' | 'REFUSED';
  readonly expiresTs: number | null;
  readonly note: string | null;
  readonly by: string;
}

/** Requests for grants of one tenant, within one transaction. A change needs the lock of the item. */
export interface AccessRequestRepository {
  /** Lists requests of one account or of all, pending requests first. */
  ofItem(itemId: string, accountId: string | undefined): Promise<readonly AccessRequest[]>;
  /** Lists requests for all items, pending requests first, with their total number. */
  list(query: AccessRequestListQuery): Promise<{ total: number; requests: readonly ListedAccessRequest[] }>;
  /** Counts the requests of an account, and those for the items of an owner; without an owner, for all items. */
  count(accounts: { readonly requesterId: string; readonly ownerId: string | undefined }): Promise<AccessRequestCounts>;
  /** Returns undefined when the account already has a pending request for the item. */
  insert(itemId: string, requester: Requester, reason: string): Promise<AccessRequest | undefined>;
  /** Finds the state and the account of a request, and locks it until the end of the transaction. */
  lock(itemId: string, requestId: string): Promise<LockedRequest | undefined>;
  /** Decides a locked request. */
  decide(itemId: string, requestId: string, decision: AccessDecision): Promise<AccessRequest>;
}

interface LockedRequest {
  readonly state: AccessRequest['state'];
  readonly kind: AccountKind;
  readonly name: string;
}

/** Row of `marketplace_requests`. */
interface AccessRequestRow {
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

const accessRequestOf = (row: AccessRequestRow): AccessRequest => ({
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

/** Row of `marketplace_requests` with its item. */
interface ListedRequestRow extends AccessRequestRow {
  readonly title: string;
  readonly owner_name: string;
}

const listedRequestOf = (row: ListedRequestRow): ListedAccessRequest => ({
  ...accessRequestOf(row),
  item_title: row.title,
  item_owner: row.owner_name,
});

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
const COUNTS = `
  select
    (count(*) filter (where r.state = 'PENDING' and is_inbox))::int as open, (count(*) filter (where is_inbox))::int as inbox,
    (count(*) filter (where is_own))::int as own, (count(*) filter (where r.state = 'PENDING' and is_own))::int as own_open
  from marketplace_requests r join marketplace_items i on i.tenant_id = r.tenant_id and i.item_id = r.item_id
  cross join lateral (select $3::uuid is null or i.owner_id = $3 as is_inbox, r.account_id = $2 as is_own) l
  where r.tenant_id = $1 and (is_inbox or is_own)`;

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
export function createAccessRequestRepository(transaction: Transaction, tenantId: string): AccessRequestRepository {
  return {
    async ofItem(itemId, accountId) {
      const rows = await transaction.query<AccessRequestRow>(REQUESTS, [tenantId, itemId, accountId ?? null]);
      return rows.map(accessRequestOf);
    },
    async list({ requesterId, ownerId, state, from, size }) {
      const filter = [tenantId, requesterId ?? null, ownerId ?? null, state ?? null];
      const [counted] = await transaction.query<{ total: string }>(COUNT, filter);
      const rows = await transaction.query<ListedRequestRow>(LIST, [...filter, size, from]);
      return { total: Number(counted?.total), requests: rows.map(listedRequestOf) };
    },
    async count({ requesterId, ownerId }) {
      const [counts] = await transaction.query<AccessRequestCounts>(COUNTS, [tenantId, requesterId, ownerId ?? null]);
      if (counts === undefined) throw new Error('a count has no row');
      return counts;
    },
    async insert(itemId, { kind, id, name }, reason) {
      const values = [tenantId, randomUUID(), itemId, kind, id, name, reason];
      const [row] = await transaction.query<AccessRequestRow>(INSERT_REQUEST, values);
      return row && accessRequestOf(row);
    },
    async lock(itemId, requestId) {
      if (!isUuid(requestId)) return undefined;
      const [row] = await transaction.query<AccessRequestRow>(FIND, [tenantId, itemId, requestId]);
      return row && { state: row.state, kind: row.account_kind, name: row.account_name };
    },
    async decide(itemId, requestId, { state, by, expiresTs, note }) {
      const values = [tenantId, itemId, requestId, state, by, expiresTs, note];
      const [row] = await transaction.query<AccessRequestRow>(DECIDE, values);
      if (row === undefined) throw new Error('a locked request was removed');
      return accessRequestOf(row);
    },
  };
}
