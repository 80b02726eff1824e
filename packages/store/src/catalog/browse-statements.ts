import { prepared } from '../database/transaction.ts';

// Parameters of the lists: tenant, name after which the page begins, prefix, number of rows, parents. Names are compared byte by byte. Rows that belong to each row are read by `lateral` and `limit`, which leaves the planner only the index. A list
// of a parent returns one row without a name if the parent is empty, and none if it does not exist.

/** Condition of a page. U+10FFFF is not a character and sorts after every name with the prefix. */
const named = (alias: string): string =>
  `${alias}.name > $2 and ${alias}.name >= $3 and ${alias}.name < $3::text || chr(1114111)`;

export const LIST_CATALOGS = prepared(
  'list_catalogs',
  `
  select c.name, c.vendor_name, c.location, c.schema_count, c.table_count, c.harvested
  from catalogs c
  where c.tenant_id = $1 and ${named('c')} and c.absent_since is null
  order by c.name limit $4`,
);

export const LIST_SCHEMAS = prepared(
  'list_catalog_schemas',
  `
  select s.name, s.table_count
  from (select 1 from catalogs where tenant_id = $1 and name = $5 and absent_since is null) c
  left join lateral (
    select k.name, k.table_count from catalog_schemas k
    where k.tenant_id = $1 and k.catalog_name = $5 and ${named('k')} and k.absent_since is null
    order by k.name limit $4
  ) s on true`,
);

export const LIST_TABLES = prepared(
  'list_catalog_tables',
  `
  select t.name, t.remarks, f.type, f.description, f.tags
  from (
    select 1 from catalog_schemas s join catalogs c on c.tenant_id = s.tenant_id and c.name = s.catalog_name
    where s.tenant_id = $1 and s.catalog_name = $5 and s.name = $6 and s.absent_since is null and c.absent_since is null
  ) p
  left join lateral (
    select k.name, k.remarks, k.fact_id from catalog_tables k
    where k.tenant_id = $1 and k.catalog_name = $5 and k.schema_name = $6 and ${named('k')} and k.absent_since is null
    order by k.name limit $4
  ) t on true
  left join lateral (select * from facts x where x.tenant_id = $1 and x.fact_id = t.fact_id limit 1) f on true`,
);

export const FIND_TABLE = prepared(
  'find_catalog_table',
  `
  select t.name, t.remarks, f.type, f.version, f.description, f.tags, f.updated, f.owner_name as owner,
    array(select d.domain_id::text from fact_domains d where d.tenant_id = $1 and d.fact_id = t.fact_id order by d.position) as domains,
    (select coalesce(json_agg(json_build_object('name', c.name, 'type', c.type, 'description', coalesce(m.description, c.remarks),
        'tags', coalesce(to_json(m.tags), '[]')) order by c.position), '[]')
      from catalog_columns c
      left join lateral (select * from fact_fields x
        where x.tenant_id = $1 and x.fact_id = c.fact_id and x.name = c.name limit 1) m on true
      where c.tenant_id = $1 and c.fact_id = t.fact_id and c.absent_since is null) as columns
  from catalog_tables t
  cross join lateral (select * from facts x where x.tenant_id = $1 and x.fact_id = t.fact_id limit 1) f
  where t.tenant_id = $1 and t.catalog_name = $2 and t.schema_name = $3 and t.name = $4 and t.absent_since is null`,
);
