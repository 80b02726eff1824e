import type { MarketplaceFacets } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import {
  type Grantee,
  ITEM_COLUMNS,
  type ItemOwner,
  type ItemRow,
  itemOf,
  LISTED_ITEM_COLUMNS,
  type StoredItem,
} from './item-mapper.ts';
import { createItemTables, type ItemTables } from './item-tables.ts';

export interface ItemContent {
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly domains: readonly string[];
  readonly license: string | null;
  readonly termsOfUse: string | null;
  readonly owner: ItemOwner;
  readonly queries: readonly { readonly name: string; readonly datamapId: string }[];
}

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

/** Items of one tenant, within one transaction. Without a grantee, items show no access. */
export interface ItemRepository extends ItemTables {
  /** Lists items by title, with their total number. */
  list(grantee: Grantee, page: ItemQuery): Promise<{ readonly total: number; readonly items: readonly StoredItem[] }>;
  /** Counts the values of the items that match. */
  facets(filter: ItemFilter): Promise<MarketplaceFacets>;
  find(id: string, grantee?: Grantee): Promise<StoredItem | undefined>;
  /** Finds an item and locks it, with its grants and requests, until the end of the transaction. */
  lock(id: string, grantee?: Grantee): Promise<StoredItem | undefined>;
  /** Returns undefined when the id is taken. */
  insert(id: string, content: ItemContent, by: string): Promise<StoredItem | undefined>;
  /** Stores a new version of a locked item. */
  update(id: string, content: ItemContent, by: string): Promise<StoredItem>;
  remove(id: string): Promise<void>;
  /** Returns the datamaps that do not exist or are not published. */
  notPublished(datamapIds: readonly string[]): Promise<readonly string[]>;
  /** Returns the domains that do not exist. */
  unknownDomains(domainIds: readonly string[]): Promise<readonly string[]>;
  /** Finds a user by e-mail, or a client by its id. */
  findAccount(name: string): Promise<ItemOwner | undefined>;
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
  select ${LISTED_ITEM_COLUMNS} from marketplace_items i where ${matches(5)}
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
  select kind, value, count, coalesce(d.name, value) as name from ranked
  left join domains d on kind = 'domains' and d.tenant_id = $1 and d.domain_id::text = lower(value)
  where rank <= 50 order by kind, rank`;
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

const INSERT = `
  insert into marketplace_items
    (tenant_id, item_id, title, description, tags, domain_ids, owner_kind, owner_id, owner_name, search, updated_by, license,
      terms_of_use)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  on conflict (tenant_id, item_id) do nothing returning item_id`;

const UPDATE = `
  update marketplace_items set title = $3, description = $4, tags = $5, domain_ids = $6, owner_kind = $7, owner_id = $8,
    owner_name = $9, search = $10, updated_by = $11, license = $12, terms_of_use = $13, updated = clock_timestamp(), version = version + 1
  where tenant_id = $1 and item_id = $2 returning item_id`;

const INSERT_QUERIES = `
  insert into marketplace_queries (tenant_id, item_id, position, name, datamap_id)
  select $1, $2, position, name, datamap_id
  from unnest($3::text[], $4::uuid[]) with ordinality as q (name, datamap_id, position)`;

/** Not `for update`, which would block every insert of a row that references the item. */
const LOCK = 'select 1 from marketplace_items where tenant_id = $1 and item_id = $2 for no key update';
const DELETE = 'delete from marketplace_items where tenant_id = $1 and item_id = $2';
const DELETE_QUERIES = 'delete from marketplace_queries where tenant_id = $1 and item_id = $2';
const NO_GRANTEE: Grantee = { kind: 'user', name: '', roles: [] };

interface FacetRow {
  readonly kind: keyof MarketplaceFacets;
  readonly value: string;
  readonly count: number;
  /** Name of a domain. Other values are their own names. */
  readonly name: string;
}

const filterValues = ({ words, tag, domain, owner, datamap }: ItemFilter): unknown[] => [
  words,
  tag ?? null,
  domain ?? null,
  owner ?? null,
  datamap?.toLowerCase() ?? null,
];

/** Text in which `q` is searched. */
const searchText = ({ title, description, tags }: ItemContent): string =>
  [title, description ?? '', ...tags].join('\n').normalize('NFC').toLowerCase();

export function createItemRepository(transaction: Transaction, tenantId: string): ItemRepository {
  const find = async (id: string, { kind, name, roles } = NO_GRANTEE): Promise<StoredItem | undefined> => {
    const [row] = await transaction.query<ItemRow>(FIND, [tenantId, kind, name, roles, id]);
    return row && itemOf(row);
  };

  /** Returns undefined when the statement wrote no row. */
  const save = async (
    statement: string,
    id: string,
    content: ItemContent,
    by: string,
  ): Promise<StoredItem | undefined> => {
    const { title, description, tags, domains, license, termsOfUse, owner, queries } = content;
    const [saved] = await transaction.query(statement, [
      ...[tenantId, id, title, description, tags, domains, owner.kind, owner.id, owner.name],
      ...[searchText(content), by, license, termsOfUse],
    ]);
    if (saved === undefined) return undefined;
    await transaction.query(DELETE_QUERIES, [tenantId, id]);
    const names = queries.map(({ name }) => name);
    const datamapIds = queries.map(({ datamapId }) => datamapId);
    await transaction.query(INSERT_QUERIES, [tenantId, id, names, datamapIds]);
    return find(id);
  };

  /** A string that is not a uuid is the id of nothing. */
  const missing = async (statement: string, ids: readonly string[]): Promise<readonly string[]> => {
    const rows = await transaction.query<{ id: string }>(statement, [tenantId, ids.filter(isUuid)]);
    const notThere = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !isUuid(id) || notThere.has(id.toLowerCase()));
  };

  return {
    ...createItemTables(transaction, tenantId),
    async list(grantee, { from, size, ...filter }) {
      const [counted] = await transaction.query<{ total: string }>(COUNT, [tenantId, ...filterValues(filter)]);
      const values = [tenantId, grantee.kind, grantee.name, grantee.roles, ...filterValues(filter), size, from];
      const rows = await transaction.query<ItemRow>(LIST, values);
      return { total: Number(counted?.total), items: rows.map(itemOf) };
    },
    async facets(filter) {
      const rows = await transaction.query<FacetRow>(FACETS, [tenantId, ...filterValues(filter)]);
      const valuesOf = (kind: FacetRow['kind']) =>
        rows.filter((row) => row.kind === kind).map(({ value, count }) => ({ value, count }));
      const domains = rows
        .filter(({ kind }) => kind === 'domains')
        .map(({ value, count, name }) => ({ value, count, name }));
      return { tags: valuesOf('tags'), domains, owners: valuesOf('owners') };
    },
    find,
    async lock(id, grantee) {
      const locked = await transaction.query(LOCK, [tenantId, id]);
      return locked.length === 0 ? undefined : find(id, grantee);
    },
    insert: (id, content, by) => save(INSERT, id, content, by),
    async update(id, content, by) {
      const saved = await save(UPDATE, id, content, by);
      if (saved === undefined) throw new Error('a locked item was removed');
      return saved;
    },
    async remove(id) {
      await transaction.query(DELETE, [tenantId, id]);
    },
    notPublished: (ids) => missing(NOT_PUBLISHED, ids),
    unknownDomains: (ids) => missing(UNKNOWN_DOMAINS, ids),
    async findAccount(name) {
      const [found] = await transaction.query<ItemOwner & object>(FIND_ACCOUNT, [tenantId, name.toLowerCase(), name]);
      return found;
    },
  };
}
