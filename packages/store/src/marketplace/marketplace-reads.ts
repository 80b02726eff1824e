import type { MarketplaceFacets } from '@sluice/contract';
import type { TenantDatabase } from '../database/database.ts';
import { isUuid } from '../database/uuid.ts';
import type { AccountKind } from '../identity/account-store.ts';
import { type Grantee, ITEM_COLUMNS, type ItemOwner, type ItemRow, itemOf, type StoredItem } from './item-mapper.ts';

interface ItemFilter {
  /** Words that an item must all contain, folded by `caselessKey`. */
  readonly words: readonly string[];
  readonly tag?: string | undefined;
  /** Id of a domain. */
  readonly domain?: string | undefined;
  /** Name of the owner. */
  readonly owner?: string | undefined;
  /** Id of a datamap that a query of the item runs. */
  readonly datamap?: string | undefined;
}

interface ItemQuery extends ItemFilter {
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
  /** Counts the values of the items that match. */
  facets(tenantId: string, filter: ItemFilter): Promise<MarketplaceFacets>;
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
/** Condition on an item `i`, with the filter in five parameters from this number on. */
const matches = (first: number): string => `
  i.tenant_id = $1
  and not exists (select 1 from unnest($${first}::text[]) word where position(word in ${FOLDED_SEARCH}) = 0)
  and ($${first + 1}::text is null or $${first + 1} = any (i.tags))
  and ($${first + 2}::text is null or $${first + 2} = any (i.domain_ids))
  and ($${first + 3}::text is null or $${first + 3} = i.owner_name)
  and ($${first + 4}::text is null or exists (select 1 from marketplace_queries u
    where u.tenant_id = i.tenant_id and u.item_id = i.item_id and u.datamap_id::text = $${first + 4}))`;
const LIST = `
  select ${ITEM_COLUMNS} from marketplace_items i where ${matches(5)}
  order by i.title collate "C", i.item_id limit $10 offset $11`;
const COUNT = `select count(*) as total from marketplace_items i where ${matches(2)}`;
/** Counts of the 50 most frequent values of each kind. */
const FACETS = `
  with found as (select i.tags, i.domain_ids, i.owner_name from marketplace_items i where ${matches(2)}),
  counted as (
    select kind, value, count(*)::int as count from (
      select 'tags' as kind, unnest(tags) as value from found
      union all select 'domains', unnest(domain_ids) from found
      union all select 'owners', owner_name from found
    ) each group by kind, value),
  ranked as (
    select *, row_number() over (partition by kind order by count desc, value collate "C") as rank from counted)
  select kind, value, count from ranked where rank <= 50 order by kind, rank`;
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

interface FacetRow {
  readonly kind: keyof MarketplaceFacets;
  readonly value: string;
  readonly count: number;
}

const filterValues = ({ words, tag, domain, owner, datamap }: ItemFilter): unknown[] => [
  words,
  tag ?? null,
  domain ?? null,
  owner ?? null,
  datamap?.toLowerCase() ?? null,
];

export function createMarketplaceReads(database: TenantDatabase): MarketplaceReads {
  /** A string that is not a uuid is the id of nothing. */
  const missing = async (tenantId: string, statement: string, ids: readonly string[]): Promise<readonly string[]> => {
    const uuids = ids.filter(isUuid);
    const rows = await database.withTenant(tenantId, (transaction) =>
      transaction.query<{ id: string }>(statement, [tenantId, uuids]),
    );
    const notThere = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !isUuid(id) || notThere.has(id.toLowerCase()));
  };

  return {
    list: (tenantId, grantee, { from, size, ...filter }) =>
      database.withTenant(tenantId, async (transaction) => {
        const [counted] = await transaction.query<{ total: string }>(COUNT, [tenantId, ...filterValues(filter)]);
        const values = [tenantId, grantee.kind, grantee.name, grantee.roles, ...filterValues(filter), size, from];
        const rows = await transaction.query<ItemRow>(LIST, values);
        return { total: Number(counted?.total), items: rows.map(itemOf) };
      }),
    facets: (tenantId, filter) =>
      database.withTenant(tenantId, async (transaction) => {
        const rows = await transaction.query<FacetRow>(FACETS, [tenantId, ...filterValues(filter)]);
        const valuesOf = (kind: FacetRow['kind']) =>
          rows.filter((row) => row.kind === kind).map(({ value, count }) => ({ value, count }));
        return { tags: valuesOf('tags'), domains: valuesOf('domains'), owners: valuesOf('owners') };
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
