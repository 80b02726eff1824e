import type { Column, ParameterDeclaration } from '@sluice/contract';
import type { AccountKind } from '../identity/account-store.ts';

/** Column of a query, with its description where an item is read alone. */
interface StoredItemColumn extends Column {
  readonly description?: string | null;
}

/** Size of the last download that was sent whole. */
interface CompleteDownload {
  readonly endedTs: number;
  readonly rows: number;
  readonly bytes: number;
  readonly format: string;
}

/** Query of an item, from the current state of its datamap. */
interface StoredItemQuery {
  readonly name: string;
  readonly datamapId: string;
  readonly isPublished: boolean;
  /** Null when the datamap no longer exists. */
  readonly sql: string | null;
  /** Declared parameters of the SQL. */
  readonly parameters: readonly ParameterDeclaration[];
  /** Empty while the datamap is not published: not every user may see a draft. */
  readonly columns: readonly StoredItemColumn[];
}

export interface ItemOwner {
  readonly kind: AccountKind;
  readonly id: string;
  readonly name: string;
}

export interface StoredItem {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly domains: readonly string[];
  /** Names of the domains, in the same order. */
  readonly domainNames: readonly string[];
  readonly license: string | null;
  /** Markdown. */
  readonly termsOfUse: string | null;
  readonly owner: ItemOwner;
  readonly version: number;
  readonly queries: readonly StoredItemQuery[];
  readonly rating: number | null;
  readonly downloads: number;
  readonly lastDownloadedTs: number | null;
  readonly lastComplete: CompleteDownload | null;
  /** Whether a currently valid grant exists; an owner needs none. */
  readonly isGranted: boolean;
  /** Expiry of the last valid grant, in epoch milliseconds. Null: it does not expire, or there is none. */
  readonly accessExpiresTs: number | null;
  readonly createdTs: number;
  readonly updatedTs: number;
  readonly updatedBy: string;
}

/** Account and roles whose grants count. */
export interface Grantee {
  readonly kind: AccountKind;
  readonly name: string;
  readonly roles: readonly string[];
}

export interface ItemRow {
  readonly item_id: string;
  readonly title: string;
  readonly description: string | null;
  readonly tags: string[];
  readonly domain_ids: string[];
  readonly domain_names: string[];
  readonly license: string | null;
  readonly terms_of_use: string | null;
  readonly owner_kind: AccountKind;
  readonly owner_id: string;
  readonly owner_name: string;
  readonly version: string;
  readonly queries: StoredItemQuery[];
  readonly rating: number | null;
  readonly downloads: string | null;
  readonly last_downloaded: Date | null;
  readonly last_complete: CompleteDownload | null;
  readonly is_granted: boolean;
  readonly access_expires: Date | null;
  readonly created: Date;
  readonly updated: Date;
  readonly updated_by: string;
}

/** Valid grants `g` of the grantee for the item `i`. */
const VALID_GRANTS = `
  marketplace_grants g
    where g.tenant_id = i.tenant_id and g.item_id = i.item_id and (g.expires is null or g.expires > now())
      and ((g.subject_kind = 'role' and g.subject = any ($4::text[])) or (g.subject_kind = $2 and g.subject = $3))`;

/** Members of a column of a query: those of its field `f`, and in the second form its description in the datamap. */
const COLUMN_MEMBERS = `'name', f.name, 'type', f.type`;
const DESCRIBED_COLUMN_MEMBERS = `${COLUMN_MEMBERS}, 'description',
  (select x.description from fact_fields x where x.tenant_id = f.tenant_id and x.fact_id = f.fact_id and x.name = f.name)`;

/** Columns of `marketplace_items i`. `$2` is the grantee's kind, `$3` its name and `$4` its roles. */
const itemColumns = (columnMembers: string): string => `
  i.item_id, i.title, i.description, i.tags, i.domain_ids, i.license, i.terms_of_use, i.owner_kind, i.owner_id, i.owner_name, i.version,
  i.created, i.updated, i.updated_by,
  array(select coalesce(d.name, x.id) from unnest(i.domain_ids) with ordinality x (id, place)
    left join domains d on d.tenant_id = i.tenant_id and d.domain_id::text = lower(x.id) order by x.place) as domain_names,
  (select n.downloads from marketplace_counts n where n.tenant_id = i.tenant_id and n.item_id = i.item_id) as downloads,
  (select n.last_downloaded from marketplace_counts n where n.tenant_id = i.tenant_id and n.item_id = i.item_id) as last_downloaded,
  (select jsonb_build_object('endedTs', floor(extract(epoch from n.last_completed) * 1000), 'rows', n.last_rows, 'bytes', n.last_bytes,
      'format', n.last_format)
    from marketplace_counts n
    where n.tenant_id = i.tenant_id and n.item_id = i.item_id and n.last_completed is not null) as last_complete,
  exists (select 1 from ${VALID_GRANTS}) as is_granted,
  (select case when bool_or(g.expires is null) then null else max(g.expires) end from ${VALID_GRANTS}) as access_expires,
  (select (sum(f.rating_sum)::float8 / nullif(sum(f.rating_count), 0)) from marketplace_queries q
    join fact_counters f on f.tenant_id = q.tenant_id and f.fact_id = q.datamap_id
    where q.tenant_id = i.tenant_id and q.item_id = i.item_id) as rating,
  (select jsonb_agg(jsonb_build_object(
      'name', q.name, 'datamapId', q.datamap_id, 'isPublished', coalesce(d.state = 'PUBLISHED', false), 'sql', d.sql,
      'parameters', coalesce(d.parameters, '[]'::jsonb),
      'columns', (select coalesce(jsonb_agg(jsonb_build_object(${columnMembers}) order by f.position), '[]'::jsonb)
        from datamap_fields f where f.tenant_id = q.tenant_id and f.fact_id = q.datamap_id and d.state = 'PUBLISHED')
    ) order by q.position)
    from marketplace_queries q
    left join datamaps d on d.tenant_id = q.tenant_id and d.fact_id = q.datamap_id
    where q.tenant_id = i.tenant_id and q.item_id = i.item_id) as queries`;

/** Columns of an item in a list. */
export const LISTED_ITEM_COLUMNS = itemColumns(COLUMN_MEMBERS);
/** Columns of one item. Descriptions may be long, so a list has none. */
export const ITEM_COLUMNS = itemColumns(DESCRIBED_COLUMN_MEMBERS);

export const itemOf = (row: ItemRow): StoredItem => ({
  id: row.item_id,
  title: row.title,
  description: row.description,
  tags: row.tags,
  domains: row.domain_ids,
  domainNames: row.domain_names,
  license: row.license,
  termsOfUse: row.terms_of_use,
  owner: { kind: row.owner_kind, id: row.owner_id, name: row.owner_name },
  version: Number(row.version),
  queries: row.queries,
  rating: row.rating,
  downloads: Number(row.downloads ?? 0),
  lastDownloadedTs: row.last_downloaded?.getTime() ?? null,
  lastComplete: row.last_complete,
  isGranted: row.is_granted,
  accessExpiresTs: row.access_expires?.getTime() ?? null,
  createdTs: row.created.getTime(),
  updatedTs: row.updated.getTime(),
  updatedBy: row.updated_by,
});
