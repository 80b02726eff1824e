import type { GrantRecord } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';
import type { AccountKind } from '../identity/account-store.ts';
import { lockGranteesShared } from './lock-grantees.ts';

/** Grant as a part of its item. */
export interface StoredGrant {
  readonly kind: 'role' | AccountKind;
  readonly name: string;
  readonly expires_ts: number | null;
}

/** Key of a grant: an account or role has at most one grant for an item. */
export interface GrantKey {
  readonly itemId: string;
  readonly kind: string;
  /** Lower case for a user. */
  readonly name: string;
}

export interface StoredItemGrant extends GrantRecord {
  /** Changes each time the grant is set; the ETag is made from it. */
  readonly version: number;
}

/** Filter and page of the grants of a tenant. Undefined fields match any grant. */
export interface GrantQuery {
  readonly subject: Pick<StoredGrant, 'kind' | 'name'> | undefined;
  readonly itemId: string | undefined;
  readonly expired: boolean | undefined;
  readonly from: number;
  readonly size: number;
}

export interface GrantPage {
  readonly total: number;
  readonly grants: readonly StoredItemGrant[];
}

/** Grants of items of one tenant, within one transaction. A change needs the lock of the item. */
export interface GrantRepository {
  /** Keeps all accounts and roles of the tenant from being removed until the end of the transaction. */
  lockGranteesShared(): Promise<void>;
  /** Lists grants by item, kind and name. */
  list(page: GrantQuery): Promise<GrantPage>;
  find(key: GrantKey): Promise<StoredItemGrant | undefined>;
  /** Finds a grant and locks it until the end of the transaction. */
  lock(key: GrantKey): Promise<StoredItemGrant | undefined>;
  /** Returns false when the grant already exists. */
  insert(key: GrantKey, to: { readonly expiresTs: number | null; readonly by: string }): Promise<boolean>;
  update(key: GrantKey, to: { readonly expiresTs: number | null; readonly by: string }): Promise<void>;
  remove(key: GrantKey): Promise<void>;
  /** Lists the grants of an item by kind and name. */
  ofItem(itemId: string): Promise<readonly StoredGrant[]>;
  /** Adds grants to those of an item. One that is set again unchanged keeps its creator and time. */
  add(itemId: string, grants: readonly StoredGrant[], by: string): Promise<void>;
  /** Makes these the only grants of an item. */
  replace(itemId: string, grants: readonly StoredGrant[], by: string): Promise<void>;
  /** Returns the grantees that do not exist. */
  unknownGrantees(grants: readonly StoredGrant[]): Promise<readonly StoredGrant[]>;
}

interface GrantRow {
  readonly item_id: string;
  readonly item_title: string;
  readonly kind: GrantRecord['kind'];
  readonly name: string;
  readonly expires: Date | null;
  readonly is_expired: boolean;
  readonly granted: Date;
  readonly granted_by: string;
  readonly version: string;
}

const grantOf = (row: GrantRow): StoredItemGrant => ({
  item_id: row.item_id,
  item_title: row.item_title,
  kind: row.kind,
  name: row.name,
  expires_ts: row.expires?.getTime() ?? null,
  is_expired: row.is_expired,
  granted_ts: row.granted.getTime(),
  granted_by: row.granted_by,
  version: Number(row.version),
});

/** The server stores microseconds, so no two grants of one key have the same time. */
const SELECT = `
  select g.item_id, i.title as item_title, g.subject_kind as kind, g.subject as name, g.expires,
    coalesce(g.expires <= now(), false) as is_expired, g.granted, g.granted_by,
    (extract(epoch from g.granted) * 1000000)::bigint as version
  from marketplace_grants g join marketplace_items i on i.tenant_id = g.tenant_id and i.item_id = g.item_id
  where g.tenant_id = $1`;

const MATCHING = `
  ($2::text is null or (g.subject_kind = $2 and g.subject = $3)) and ($4::text is null or g.item_id = $4)
  and ($5::boolean is null or $5 = coalesce(g.expires <= now(), false))`;
const LIST = `${SELECT} and ${MATCHING} order by g.item_id, g.subject_kind, g.subject limit $6 offset $7`;
const COUNT = `select count(*) as total from marketplace_grants g where g.tenant_id = $1 and ${MATCHING}`;
const FIND = `${SELECT} and g.item_id = $2 and g.subject_kind = $3 and g.subject = $4`;

const INSERT = `
  insert into marketplace_grants (tenant_id, item_id, subject_kind, subject, expires, granted, granted_by)
  values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), clock_timestamp(), $6)
  on conflict (tenant_id, item_id, subject_kind, subject) do nothing returning item_id`;
const UPDATE = `
  update marketplace_grants set expires = to_timestamp($5::float8 / 1000), granted = clock_timestamp(), granted_by = $6
  where tenant_id = $1 and item_id = $2 and subject_kind = $3 and subject = $4`;
const DELETE = `
  delete from marketplace_grants where tenant_id = $1 and item_id = $2 and subject_kind = $3 and subject = $4`;

const OF_ITEM = `
  select subject_kind as kind, subject as name, (extract(epoch from expires) * 1000)::float8 as expires_ts
  from marketplace_grants where tenant_id = $1 and item_id = $2 order by subject_kind, subject`;
const REMOVE_OTHERS = `
  delete from marketplace_grants g where g.tenant_id = $1 and g.item_id = $2
    and not exists (select 1 from unnest($3::text[], $4::text[]) k (kind, name) where k.kind = g.subject_kind and k.name = g.subject)`;
const UNKNOWN_GRANTEES = `
  select kind, name from unnest($2::text[], $3::text[]) g (kind, name)
  where not exists (select 1 from roles r where g.kind = 'role' and r.tenant_id = $1 and r.name = g.name)
    and not exists (select 1 from users u where g.kind = 'user' and u.tenant_id = $1 and u.email = g.name)
    and not exists (select 1 from clients c where g.kind = 'client' and c.tenant_id = $1 and c.client_id = g.name)`;
const ADD = `
  insert into marketplace_grants as before (tenant_id, item_id, subject_kind, subject, expires, granted_by)
  select $1, $2, kind, name, to_timestamp(expires_ts / 1000), $3
  from unnest($4::text[], $5::text[], $6::float8[]) g (kind, name, expires_ts)
  on conflict (tenant_id, item_id, subject_kind, subject) do update
    set expires = excluded.expires, granted = now(), granted_by = excluded.granted_by
    where before.expires is distinct from excluded.expires`;

const subjectsOf = (grants: readonly StoredGrant[]): [string[], string[]] => [
  grants.map(({ kind }) => kind),
  grants.map(({ name }) => name),
];

export const createGrantRepository = (transaction: Transaction, tenantId: string): GrantRepository => {
  const valuesOf = ({ itemId, kind, name }: GrantKey): string[] => [tenantId, itemId, kind, name];
  const one = async (text: string, key: GrantKey): Promise<StoredItemGrant | undefined> => {
    const [row] = await transaction.query<GrantRow>(text, valuesOf(key));
    return row && grantOf(row);
  };

  const add: GrantRepository['add'] = async (itemId, grants, by) => {
    const expiries = grants.map(({ expires_ts }) => expires_ts);
    await transaction.query(ADD, [tenantId, itemId, by, ...subjectsOf(grants), expiries]);
  };

  return {
    lockGranteesShared: () => lockGranteesShared(transaction, tenantId),
    async list({ subject, itemId, expired, from, size }) {
      const matching = [tenantId, subject?.kind ?? null, subject?.name ?? null, itemId ?? null, expired ?? null];
      const rows = await transaction.query<GrantRow>(LIST, [...matching, size, from]);
      const [counted] = await transaction.query<{ total: string }>(COUNT, matching);
      return { total: Number(counted?.total), grants: rows.map(grantOf) };
    },
    find: (key) => one(FIND, key),
    lock: (key) => one(`${FIND} for update of g`, key),
    async insert(key, { expiresTs, by }) {
      const made = await transaction.query(INSERT, [...valuesOf(key), expiresTs, by]);
      return made.length > 0;
    },
    async update(key, { expiresTs, by }) {
      await transaction.query(UPDATE, [...valuesOf(key), expiresTs, by]);
    },
    async remove(key) {
      await transaction.query(DELETE, valuesOf(key));
    },
    ofItem: (itemId) => transaction.query<StoredGrant>(OF_ITEM, [tenantId, itemId]),
    add,
    async replace(itemId, grants, by) {
      await transaction.query(REMOVE_OTHERS, [tenantId, itemId, ...subjectsOf(grants)]);
      await add(itemId, grants, by);
    },
    unknownGrantees: (grants) => transaction.query<StoredGrant>(UNKNOWN_GRANTEES, [tenantId, ...subjectsOf(grants)]),
  };
};
