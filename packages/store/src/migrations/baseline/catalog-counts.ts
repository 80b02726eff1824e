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

/** Triggers that keep the numbers of present schemas and tables exact, whatever writes the catalog. */
export const catalogCounts = `${EVENTS.map(tableCounter).join('')}${EVENTS.map(schemaCounter).join('')}
`;
