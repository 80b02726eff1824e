import type { TenantDatabase } from '../database/database.ts';
import { isUuid } from '../database/uuid.ts';
import type { AccountKind } from '../identity/account-store.ts';
import { type Grantee, ITEM_COLUMNS, type ItemOwner, type ItemRow, itemOf, type StoredItem } from './item-mapper.ts';

interface ItemQuery {
  /** Words that an item must all contain, folded by `caselessKey`. */
  readonly words: readonly string[];
  readonly from: number;
  readonly size: number;
}

export interface MarketplaceReads {
  /** Lists items by title, with their total number. */
  list(
    tenantId: string,
    grantee: Grantee,
    page: ItemQuery,
  ): Promise<{ readonly total: number; readonly items: readonly StoredItem[] }>;
  find(tenantId: string, grantee: Grantee, id: string): Promise<StoredItem | undefined>;
  /** Returns the datamaps that do not exist or are not published. */
  notPublished(tenantId: string, datamapIds: readonly string[]): Promise<readonly string[]>;
  /** Returns the domains that do not exist. */
  unknownDomains(tenantId: string, domainIds: readonly string[]): Promise<readonly string[]>;
  /** Finds a user by e-mail, or a client by its id. */
  findAccount(tenantId: string, name: string): Promise<ItemOwner | undefined>;
}

/** Folded when read: a stored column would rewrite the table in a migration, and a tenant has few items. */
const FOLDED_SEARCH = `normalize(search_fold(normalize(i.search, NFD)), NFC)`;
const HAS_WORDS = `not exists (select 1 from unnest($5::text[]) word where position(word in ${FOLDED_SEARCH}) = 0)`;
const LIST = `
  select ${ITEM_COLUMNS} from marketplace_items i where i.tenant_id = $1 and ${HAS_WORDS}
  order by i.title collate "C", i.item_id limit $6 offset $7`;
const COUNT = `select count(*) as total from marketplace_items i where i.tenant_id = $1 and ${HAS_WORDS.replace('$5', '$2')}`;
const FIND = `select ${ITEM_COLUMNS} from marketplace_items i where i.tenant_id = $1 and i.item_id = $5`;

const NOT_PUBLISHED = `
  select id::text from unnest($2::uuid[]) id
  where not exists (select 1 from datamaps d where d.tenant_id = $1 and d.fact_id = id and d.state = 'PUBLISHED')`;
const UNKNOWN_DOMAINS = `
  select id::text from unnest($2::uuid[]) id
  where not exists (select 1 from domains d where d.tenant_id = $1 and d.domain_id = id)`;
const FIND_ACCOUNT = `
  select 'user' as kind, id::text, email as name from users where tenant_id = $1 and email = $2
  union all select 'client', id::text, client_id from clients where tenant_id = $1 and client_id = $3`;

export function createMarketplaceReads(database: TenantDatabase): MarketplaceReads {
  /** A text that is not a uuid is the id of nothing. */
  const missing = async (tenantId: string, statement: string, ids: readonly string[]): Promise<readonly string[]> => {
    const uuids = ids.filter(isUuid);
    const rows = await database.withTenant(tenantId, (transaction) =>
      transaction.query<{ id: string }>(statement, [tenantId, uuids]),
    );
    const notThere = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !isUuid(id) || notThere.has(id.toLowerCase()));
  };

  return {
    list: (tenantId, grantee, { words, from, size }) =>
      database.withTenant(tenantId, async (transaction) => {
        const [counted] = await transaction.query<{ total: string }>(COUNT, [tenantId, words]);
        const values = [tenantId, grantee.kind, grantee.name, grantee.roles, words, size, from];
        const rows = await transaction.query<ItemRow>(LIST, values);
        return { total: Number(counted?.total), items: rows.map(itemOf) };
      }),
    find: (tenantId, grantee, id) =>
      database.withTenant(tenantId, async (transaction) => {
        const values = [tenantId, grantee.kind, grantee.name, grantee.roles, id];
        const [row] = await transaction.query<ItemRow>(FIND, values);
        return row && itemOf(row);
      }),
    notPublished: (tenantId, ids) => missing(tenantId, NOT_PUBLISHED, ids),
    unknownDomains: (tenantId, ids) => missing(tenantId, UNKNOWN_DOMAINS, ids),
    findAccount: (tenantId, name) =>
      database.withTenant(tenantId, async (transaction) => {
        const values = [tenantId, name.toLowerCase(), name];
        const [found] = await transaction.query<{ kind: AccountKind; id: string; name: string }>(FIND_ACCOUNT, values);
        return found;
      }),
  };
}
