import type { Database } from '../database/database.ts';
import { type PreparedStatement, prepared } from '../database/transaction.ts';

/** Receives JSON objects, one or several, with a line feed between them. */
export type OnLines = (lines: string) => void;

/** Full name of a table in a catalog: catalog, schema, name. */
export type TableKey = readonly [catalog: string, schema: string, name: string];

interface TableLines {
  readonly onTable: OnLines;
  /** Called for tables with columns. */
  readonly onColumns: OnLines;
}

/**
 * Mirrored catalog of a tenant as lines of JSON, for a file of it. PostgreSQL writes the JSON, so that no object is made here for each column. Names are in
 * the order of their bytes.
 */
export interface CatalogueStore {
  /** Returns a text that is another one after a harvest or a change of metadata may have changed what the other methods return. */
  version(tenantId: string): Promise<string>;
  /** Members: `name`, `connector`. */
  catalogs(tenantId: string, onLines: OnLines): Promise<void>;
  /** Members: `catalog`, `name`. */
  schemas(tenantId: string, onLines: OnLines): Promise<void>;
  /**
   * Reads a page of tables after one, and their columns. Members of tables: `catalog`, `schema`, `name`, `type`, `remarks`; of columns:
   * `catalog`, `schema`, `table`, `name`, `position` from 1, `type`, `nullable`, `remarks`. Returns the last table of the page; undefined if no table follows.
   */
  tables(tenantId: string, after: TableKey | undefined, lines: TableLines): Promise<TableKey | undefined>;
}

/** Tables with their columns are read one by one as they arrive, so this bounds the time of a statement only. */
const PAGE = 200;

/**
 * Changes of descriptions set `facts.updated`; a harvest changes the counts of its run with each page of tables that it writes, and sets
 * `catalogs.harvested`.
 */
const VERSION = prepared(
  'catalogue_version',
  `select concat_ws('/',
    (select concat_ws('-', run_id, state, tables_seen, columns_seen, tables_changed, tables_absent) from harvest_runs
      where tenant_id = $1 order by requested desc, run_id limit 1),
    (select concat_ws('-', extract(epoch from max(harvested)), count(*), count(absent_since)) from catalogs where tenant_id = $1),
    (select concat_ws('-', extract(epoch from max(updated)), count(*)) from facts where tenant_id = $1)) as version`,
);

const CATALOGS = prepared(
  'catalogue_catalogs',
  `select json_build_object('name', name, 'connector', vendor_name)::text
  from catalogs where tenant_id = $1 and absent_since is null order by name`,
);

const SCHEMAS = prepared(
  'catalogue_schemas',
  `select json_build_object('catalog', s.catalog_name, 'name', s.name)::text
  from catalog_schemas s join catalogs c on c.tenant_id = s.tenant_id and c.name = s.catalog_name
  where s.tenant_id = $1 and s.absent_since is null and c.absent_since is null order by s.catalog_name, s.name`,
);

const TABLES = prepared(
  'catalogue_tables',
  `
  select p.catalog_name, p.schema_name, p.name,
    json_build_object('catalog', p.catalog_name, 'schema', p.schema_name, 'name', p.name, 'type', f.type,
      'remarks', coalesce(f.description, p.remarks))::text,
    (select string_agg(json_build_object('catalog', p.catalog_name, 'schema', p.schema_name, 'table', p.name, 'name', c.name,
        'position', c.number, 'type', c.type, 'nullable', c.nullable, 'remarks', coalesce(x.description, c.remarks))::text, e'\\n'
        order by c.number)
      from (select k.name, k.type, k.nullable, k.remarks, row_number() over (order by k.position, k.name) as number from catalog_columns k
        where k.tenant_id = p.tenant_id and k.fact_id = p.fact_id and k.absent_since is null) c
      left join fact_fields x on x.tenant_id = p.tenant_id and x.fact_id = p.fact_id and x.name = c.name)
  from (select tenant_id, fact_id, catalog_name, schema_name, name, remarks from catalog_tables
    where tenant_id = $1 and absent_since is null and (catalog_name, schema_name, name) > ($2::text, $3::text, $4::text)
    order by catalog_name, schema_name, name limit ${PAGE}) p
  cross join lateral (select * from facts k where k.tenant_id = p.tenant_id and k.fact_id = p.fact_id limit 1) f
  order by p.catalog_name, p.schema_name, p.name`,
);

const FIRST: TableKey = ['', '', ''];

export function createCatalogueStore(database: Database): CatalogueStore {
  const readLines = (tenantId: string, statement: PreparedStatement, onLines: OnLines): Promise<void> =>
    database.read({ tenantId }, statement, [tenantId], ([line]) => onLines(line ?? ''));
  return {
    async version(tenantId) {
      const [row] = await database.run<{ readonly version: string }>({ tenantId }, VERSION, [tenantId]);
      return row?.version ?? '';
    },
    catalogs: (tenantId, onLines) => readLines(tenantId, CATALOGS, onLines),
    schemas: (tenantId, onLines) => readLines(tenantId, SCHEMAS, onLines),
    async tables(tenantId, after, { onTable, onColumns }) {
      let last: TableKey | undefined;
      let count = 0;
      const values = [tenantId, ...(after ?? FIRST)];
      await database.read({ tenantId, plan: 'in-order' }, TABLES, values, (row) => {
        const [catalog, schema, name, table, columns] = row;
        last = [catalog ?? '', schema ?? '', name ?? ''];
        count += 1;
        onTable(table ?? '');
        if (columns !== null && columns !== undefined) onColumns(columns);
      });
      return count === PAGE ? last : undefined;
    },
  };
}
