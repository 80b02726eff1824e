import type { SchemaStep } from './migration.ts';

/** Triggers with transition tables cannot name columns, and each event has its own transition tables. */
const EVENTS = [
  { event: 'insert', transitions: 'new table as added', sources: [['added', 1]] },
  {
    event: 'update',
    transitions: 'old table as removed new table as added',
    sources: [
      ['added', 1],
      ['removed', -1],
    ],
  },
  { event: 'delete', transitions: 'old table as removed', sources: [['removed', -1]] },
] as const;
type Event = (typeof EVENTS)[number];

/** Rows that became present (1) or stopped being present (-1). */
const presenceChanges = ({ sources }: Event, columns: string): string =>
  sources
    .map(([table, sign]) => `select ${columns}, ${sign} as n from ${table} where absent_since is null`)
    .join(' union all ');

const tableCounter = (event: Event): string => `
  create function count_tables_on_${event.event}() returns trigger language plpgsql set search_path = pg_catalog, public as $body$
  begin
    with changes as (
      select tenant_id, catalog_name, schema_name, sum(n)::integer as n
      from (${presenceChanges(event, 'tenant_id, catalog_name, schema_name')}) c
      group by tenant_id, catalog_name, schema_name having sum(n) <> 0
    ), schemas as (
      update catalog_schemas s set table_count = s.table_count + c.n from changes c
      where s.tenant_id = c.tenant_id and s.catalog_name = c.catalog_name and s.name = c.schema_name
    )
    update catalogs k set table_count = k.table_count + c.n
    from (select tenant_id, catalog_name, sum(n)::integer as n from changes group by tenant_id, catalog_name) c
    where k.tenant_id = c.tenant_id and k.name = c.catalog_name;
    return null;
  end $body$;
  create trigger count_tables_on_${event.event} after ${event.event} on catalog_tables referencing ${event.transitions}
    for each statement execute function count_tables_on_${event.event}();`;

const schemaCounter = (event: Event): string => `
  create function count_schemas_on_${event.event}() returns trigger language plpgsql set search_path = pg_catalog, public as $body$
  begin
    update catalogs k set schema_count = k.schema_count + c.n
    from (
      select tenant_id, catalog_name, sum(n)::integer as n from (${presenceChanges(event, 'tenant_id, catalog_name')}) p
      group by tenant_id, catalog_name having sum(n) <> 0
    ) c
    where k.tenant_id = c.tenant_id and k.name = c.catalog_name;
    return null;
  end $body$;
  create trigger count_schemas_on_${event.event} after ${event.event} on catalog_schemas referencing ${event.transitions}
    for each statement execute function count_schemas_on_${event.event}();`;

/**
 * Numbers of present schemas and tables, so that a page of the catalog counts nothing. Triggers keep them exact, also for hosts of the
 * previous version. They exist before the numbers are taken, and block writers until the step commits.
 */
export const catalogCountsStep: SchemaStep = {
  name: '0033-catalog-counts',
  sql: `
    alter table catalogs add column schema_count integer not null default 0, add column table_count integer not null default 0;
    alter table catalog_schemas add column table_count integer not null default 0;
    ${EVENTS.map(tableCounter).join('')}
    update catalog_schemas s set table_count = (select count(*) from catalog_tables t
      where t.tenant_id = s.tenant_id and t.catalog_name = s.catalog_name and t.schema_name = s.name and t.absent_since is null);
    update catalogs k set
      schema_count = (select count(*) from catalog_schemas s
        where s.tenant_id = k.tenant_id and s.catalog_name = k.name and s.absent_since is null),
      table_count = (select coalesce(sum(s.table_count), 0) from catalog_schemas s
        where s.tenant_id = k.tenant_id and s.catalog_name = k.name);
    ${EVENTS.map(schemaCounter).join('')}
  `,
};
