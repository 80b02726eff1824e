/** Locks a run (`for update`): the rest of the transaction is written only while no other attempt can start. */
export const LOCK_RUN = `
  select 1 from harvest_runs
  where tenant_id = $1 and run_id = $2 and attempt = $3 and state = 'RUNNING' and held_until > clock_timestamp() for update`;

export const ADVANCE = `
  update harvest_runs set tables_seen = tables_seen + $3, columns_seen = columns_seen + $4, tables_changed = tables_changed + $5,
    names_skipped = names_skipped + $6, last_catalog = $7, last_schema = $8, last_table = $9
  where tenant_id = $1 and run_id = $2`;

export const COUNT_ABSENT = `
  update harvest_runs set tables_absent = tables_absent + $3 where tenant_id = $1 and run_id = $2`;

export const PUT_CATALOGS = `
  insert into catalogs as c (tenant_id, catalog_id, name, vendor_name, location, harvested)
  select $1, gen_random_uuid(), n.name, $3, $4, now() from unnest($2::text[]) as n (name)
  on conflict (tenant_id, name) do update
    set vendor_name = excluded.vendor_name, location = excluded.location, harvested = now(), absent_since = null`;

export const MARK_ABSENT_CATALOGS = `
  update catalogs set absent_since = now() where tenant_id = $1 and absent_since is null and name <> all($2::text[])`;

export const PUT_SCHEMAS = `
  insert into catalog_schemas as s (tenant_id, catalog_name, name, harvested)
  select $1, $2, n.name, now() from unnest($3::text[]) as n (name)
  on conflict (tenant_id, catalog_name, name) do update set absent_since = null where s.absent_since is not null`;

export const MARK_ABSENT_SCHEMAS = `
  update catalog_schemas set absent_since = now()
  where tenant_id = $1 and catalog_name = $2 and absent_since is null and name <> all($3::text[])`;

export const FIND_TABLES = `
  select t.fact_id, t.schema_name, t.name, t.columns_digest, t.absent_since is not null as is_absent, f.type
  from unnest($3::text[], $4::text[]) as n (schema_name, name)
  join catalog_tables t on t.tenant_id = $1 and t.catalog_name = $2 and t.schema_name = n.schema_name and t.name = n.name
  join facts f on f.tenant_id = t.tenant_id and f.fact_id = t.fact_id`;

/** Tables after ($4, $5), up to ($6, $7) unless null, that were not listed. */
export const FIND_VANISHED = `
  select t.fact_id from catalog_tables t
  where t.tenant_id = $1 and t.catalog_name = $3 and t.absent_since is null and (t.schema_name, t.name) > ($4, $5)
    and ($6::text is null or (t.schema_name, t.name) <= ($6, $7))
    and not exists (select 1 from unnest($8::text[], $9::text[]) as n (schema_name, name)
      where n.schema_name = t.schema_name and n.name = t.name)
  order by t.schema_name, t.name limit $2`;

export const FIND_OF_ABSENT_CATALOGS = `
  select t.fact_id from catalog_tables t join catalogs c on c.tenant_id = t.tenant_id and c.name = t.catalog_name
  where t.tenant_id = $1 and t.absent_since is null and c.absent_since is not null limit $2`;

export const LOCK_FACTS = `
  select 1 from facts where tenant_id = $1 and fact_id = any($2::uuid[]) order by fact_id for no key update`;

export const MARK_ABSENT_TABLES = `
  update catalog_tables set absent_since = now() where tenant_id = $1 and fact_id = any($2::uuid[])`;

const CHANGES = 'r (fact_id uuid, schema_name text, name text, type text, digest text, is_new boolean)';

export const PUT_FACTS = `
  with changes as (select * from jsonb_to_recordset($2::jsonb) as ${CHANGES}),
  retyped as (
    update facts f set type = c.type, version = f.version + 1, updated = now()
    from changes c where f.tenant_id = $1 and f.fact_id = c.fact_id and not c.is_new and f.type <> c.type
  )
  insert into facts (tenant_id, fact_id, type) select $1, fact_id, type from changes where is_new order by fact_id`;

export const PUT_TABLES = `
  insert into catalog_tables as t (tenant_id, fact_id, catalog_name, schema_name, name, columns_digest)
  select $1, fact_id, $2, schema_name, name, decode(digest, 'hex')
  from jsonb_to_recordset($3::jsonb) as ${CHANGES} order by fact_id
  on conflict (tenant_id, fact_id) do update set columns_digest = excluded.columns_digest, absent_since = null`;

export const MARK_ABSENT_COLUMNS = `
  update catalog_columns c set absent_since = now()
  where c.tenant_id = $1 and c.fact_id = any($2::uuid[]) and c.absent_since is null
    and not exists (select 1 from jsonb_to_recordset($3::jsonb) as k (fact_id uuid, name text)
      where k.fact_id = c.fact_id and k.name = c.name)`;

export const PUT_COLUMNS = `
  insert into catalog_columns as c (tenant_id, fact_id, name, position, type)
  select $1, fact_id, name, position, type
  from jsonb_to_recordset($2::jsonb) as r (fact_id uuid, name text, position integer, type text)
  on conflict (tenant_id, fact_id, name) do update
    set position = excluded.position, type = excluded.type, absent_since = null
    where (c.position, c.type) is distinct from (excluded.position, excluded.type) or c.absent_since is not null`;
