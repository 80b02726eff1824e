import { limitPageBytes } from '../search/limit-page-bytes.ts';
import type { HitRecords } from '../search/search-store.ts';

/** Parameters of a statement for the tenant and the account that reads. */
interface ReadParameters {
  readonly tenant: string;
  readonly reader: string;
}

/** Columns of every record. */
const factColumns = ({ tenant }: ReadParameters): string => `
  t.type, t.description, t.tags, t.version, t.created, t.updated, t.updated_by,
  c.view_count, c.query_count as queries, c.favourite_count, c.upvote_count, c.downvote_count, c.rating_count, c.rating_sum,
  c.last_executed, a.activity_id, a.is_favourite, a.rating, a.vote, a.viewed, a.last_viewed, a.created as activity_created,
  a.updated as activity_updated, s.catalog_id as source_id, s.name as source_name, s.vendor_name, s.location,
  array(select x.domain_id::text from fact_domains x where x.tenant_id = ${tenant} and x.fact_id = h.fact_id order by x.position)
    as domains`;

const factJoins = ({ tenant, reader }: ReadParameters): string => `
  left join facts t on t.tenant_id = ${tenant} and t.fact_id = h.fact_id
  left join fact_counters c on c.tenant_id = ${tenant} and c.fact_id = h.fact_id
  left join fact_activity a on a.tenant_id = ${tenant} and a.fact_id = h.fact_id and a.account_id = ${reader}`;

const datamapColumns = (parameters: ReadParameters): string => `${factColumns(parameters)},
  d.name, d.display_name, d.state, d.priority, d.owner_id, d.owner_name, d.steward_id, d.steward_name, d.sql, d.explanation,
  d.config, d.created_by, d.last_published, d.last_published_by, d.reads, d.parameters,
  (select json_agg(json_build_array(x.name, x.data_type, x.java_type, x.column_size, x.decimal_digits, y.description, y.tags)
     order by x.position)
   from datamap_fields x
   left join fact_fields y on y.tenant_id = ${parameters.tenant} and y.fact_id = x.fact_id and y.name = x.name
   where x.tenant_id = ${parameters.tenant} and x.fact_id = h.fact_id) as datamap_fields`;

/** The datamap's own source, or else the tenant's first: for most tenants, all catalogs of an engine are one source. */
const datamapJoins = (parameters: ReadParameters): string => `${factJoins(parameters)}
  left join datamaps d on d.tenant_id = ${parameters.tenant} and d.fact_id = h.fact_id
  left join lateral (
    select s.catalog_id, s.name, s.vendor_name, s.location from catalogs s
    where s.tenant_id = ${parameters.tenant} and s.absent_since is null
      and (coalesce(d.config ->> 'source_id', '') in ('', s.catalog_id::text))
    order by s.name limit 1) s on true`;

const tableColumns = (
  parameters: ReadParameters,
): string => `${factColumns(parameters)}, k.catalog_name, k.schema_name, k.name, k.remarks,
  (select json_agg(json_build_array(x.name, x.type, coalesce(y.description, x.remarks), y.tags) order by x.position)
   from catalog_columns x
   left join fact_fields y on y.tenant_id = ${parameters.tenant} and y.fact_id = x.fact_id and y.name = x.name
   where x.tenant_id = ${parameters.tenant} and x.fact_id = h.fact_id and x.absent_since is null) as columns`;

const tableJoins = (parameters: ReadParameters): string => `${factJoins(parameters)}
  left join catalog_tables k on k.tenant_id = ${parameters.tenant} and k.fact_id = h.fact_id
  left join catalogs s on s.tenant_id = ${parameters.tenant} and s.name = k.catalog_name`;

/** Parameters of the statement of a search. */
const SEARCH: ReadParameters = { tenant: '$10', reader: '$9' };
/** Parameters of the statements below. */
const OWN: ReadParameters = { tenant: '$1', reader: '$2' };

const TABLE_RECORDS: HitRecords = { label: 'tables', columns: tableColumns(SEARCH), joins: tableJoins(SEARCH) };

/** Columns and joins that a search adds to its hits. */
export const HIT_RECORDS = {
  DATAMAP: { label: 'datamaps', columns: datamapColumns(SEARCH), joins: datamapJoins(SEARCH) },
  TABLE: TABLE_RECORDS,
  VIEW: TABLE_RECORDS,
} as const satisfies Record<string, HitRecords>;

/** Selects datamaps: tenant, reader, id or ids, from which `hits` makes rows `h` with a `fact_id`. */
const findDatamaps = (hits: string): string =>
  `select h.fact_id, ${datamapColumns(OWN)} from ${hits} ${datamapJoins(OWN)} where d.fact_id is not null`;

/** Selects one datamap: tenant, reader, id. */
export const FIND_DATAMAP = findDatamaps('(select $3::uuid as fact_id) h');

/** Selects several datamaps. */
export const FIND_DATAMAPS = findDatamaps('unnest($3::uuid[]) h (fact_id)');

/**
 * Selects a page of the datamaps that an account owns and has not published: tenant, account, first place, size, part of the name. Each
 * row has the total; a page after the last one is a row without an id.
 */
export const FIND_OWN_DRAFTS = limitPageBytes(`
  with own as (
    select d.fact_id, f.updated from datamaps d join facts f on f.tenant_id = $1 and f.fact_id = d.fact_id
    where d.tenant_id = $1 and d.owner_id = $2 and d.state in ('DRAFT', 'IN_PROGRESS')
      and ($5::text is null or strpos(lower(d.display_name || ' ' || d.name), lower($5)) > 0))
  select row_number() over (order by h.updated desc, h.fact_id) as place, h.fact_id, n.total, ${datamapColumns(OWN)}
  from (select count(*) as total from own) n
  left join (select * from own order by updated desc, fact_id offset $3 limit $4) h on true ${datamapJoins(OWN)}`);

/** Locks the row that every change of metadata waits for. */
export const LOCK_DATAMAP = `
  select fact_id from facts where tenant_id = $1 and fact_id = $2 and type = 'DATAMAP' for no key update`;

export const LOCK_DATAMAP_TO_DELETE = `
  select fact_id from facts where tenant_id = $1 and fact_id = $2 and type = 'DATAMAP' for update`;

export const INSERT_FACT = `
  insert into facts (tenant_id, fact_id, type, description, tags, updated_by, created, updated)
  values ($1, $2, 'DATAMAP', $3, $4, $5, clock_timestamp(), clock_timestamp())`;

export const INSERT_DATAMAP = `
  insert into datamaps
    (tenant_id, fact_id, name, display_name, state, priority, owner_kind, owner_id, owner_name, steward_id, steward_name, sql,
     explanation, config, created_by, parameters)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $9, $15)`;

export const INSERT_COUNTERS = 'insert into fact_counters (tenant_id, fact_id) values ($1, $2)';

/** Uses the clock, not the start of the transaction, so that a writer that waited for the lock has the later time. */
export const UPDATE_FACT = `
  update facts set description = $3, tags = $4, version = version + 1, updated = clock_timestamp(), updated_by = $5
  where tenant_id = $1 and fact_id = $2`;

export const UPDATE_DATAMAP = `
  update datamaps set name = $3, display_name = $4, state = $5, priority = $6, steward_id = $7, steward_name = $8, sql = $9,
    explanation = $10, config = $11, parameters = $13,
    last_published = case when $12::text is null then last_published else clock_timestamp() end,
    last_published_by = coalesce($12, last_published_by)
  where tenant_id = $1 and fact_id = $2`;

export const DELETE_FIELDS = 'delete from datamap_fields where tenant_id = $1 and fact_id = $2';

export const INSERT_FIELDS = `
  insert into datamap_fields
    (tenant_id, fact_id, position, name, type, data_type, java_type, column_size, decimal_digits)
  select $1, $2, w.position, w.name, w.type, w.data_type, w.java_type, w.column_size, w.decimal_digits
  from jsonb_to_recordset($3::jsonb) as w (position integer, name text, type text, data_type integer, java_type text,
    column_size integer, decimal_digits integer)`;

export const UPDATE_READS = 'update datamaps set reads = $3 where tenant_id = $1 and fact_id = $2';

export const DELETE_FACT = 'delete from facts where tenant_id = $1 and fact_id = $2';

export const LOCK_ACTIVITY = `
  select is_favourite, rating, vote from fact_activity where tenant_id = $1 and fact_id = $2 and account_id = $3`;

export const LOCK_COUNTERS = 'select 1 from fact_counters where tenant_id = $1 and fact_id = $2 for update';

export const PUT_ACTIVITY = `
  insert into fact_activity (tenant_id, fact_id, account_id, activity_id, is_favourite, rating, vote)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (tenant_id, fact_id, account_id) do update set
    is_favourite = excluded.is_favourite, rating = excluded.rating, vote = excluded.vote, updated = clock_timestamp()`;

export const ADD_TO_COUNTERS = `
  update fact_counters set favourite_count = favourite_count + $3, rating_count = rating_count + $4,
    rating_sum = rating_sum + $5, upvote_count = upvote_count + $6, downvote_count = downvote_count + $7
  where tenant_id = $1 and fact_id = $2`;
