import type { FactType } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { type PreparedStatement, prepared } from '../database/transaction.ts';
import { idBounds, type TableBeginning, tableBounds } from './export-bounds.ts';

export interface ExportedField {
  readonly name: string;
  readonly description: string | null;
  readonly tags: readonly string[];
}

/** Metadata of an object, with its position in the export. */
export interface ExportedFact {
  readonly factId: string;
  readonly type: FactType;
  /** Names as the engine spells them. Null for a datamap. */
  readonly name: { readonly catalog: string; readonly schema: string; readonly name: string } | null;
  readonly displayName: string | null;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** E-mail of the owner of a table or view. */
  readonly owner: string | null;
  readonly domains: readonly string[];
  /** Names in the order of `domains`. */
  readonly domainNames: readonly string[];
  /** Fields in the order of the object. Without `withAllFields` only those that have metadata. */
  readonly fields: readonly ExportedField[];
}

interface ExportPageQuery {
  readonly tenantId: string;
  /** Last object of the previous page. */
  readonly after: ExportedFact | undefined;
  readonly withAllFields: boolean;
}

export interface ExportedTablesQuery extends ExportPageQuery {
  readonly within: TableBeginning;
}

export interface ExportedDatamapsQuery extends ExportPageQuery {
  /** Beginning of their ids. */
  readonly idPrefix: string;
  /** Account whose own datamaps are included in every state. Undefined: all datamaps are included. */
  readonly visibleTo: string | undefined;
}

/** Reads metadata in pages. A page is shorter than the largest one only at the end. */
export interface MetadataExportStore {
  /** Tables and views that are present in the engine, by catalog, schema and name. */
  tables(query: ExportedTablesQuery): Promise<readonly ExportedFact[]>;
  /** Datamaps, by id. */
  datamaps(query: ExportedDatamapsQuery): Promise<readonly ExportedFact[]>;
}

/** Few enough for objects with many long descriptions. */
export const EXPORT_PAGE = 100;

/**
 * Fields are read by `lateral`, so that each object costs a few index reads. A column with an empty name cannot be imported.
 *
 * `position` exists in both tables of columns; `$n` is the parameter of `withAllFields`.
 */
const fieldsOf = (columns: string, all: string): string => `
  coalesce((
    select json_agg(json_build_object('name', c.name, 'description', x.description, 'tags', coalesce(x.tags, '{}')) order by c.position)
    from ${columns} c
    left join fact_fields x on x.tenant_id = c.tenant_id and x.fact_id = c.fact_id and x.name = c.name
    where c.tenant_id = p.tenant_id and c.fact_id = p.fact_id and c.name <> '' and (${all} or x.fact_id is not null)
      ${columns === 'catalog_columns' ? 'and c.absent_since is null' : ''}
  ), '[]') as fields`;

const DOMAINS = `array(select d.domain_id::text from fact_domains d
    where d.tenant_id = p.tenant_id and d.fact_id = p.fact_id order by d.position) as domains,
  array(select n.name from fact_domains d join domains n on n.tenant_id = d.tenant_id and n.domain_id = d.domain_id
    where d.tenant_id = p.tenant_id and d.fact_id = p.fact_id order by d.position) as domain_names`;

export const EXPORTED_TABLES = prepared(
  'export_tables',
  `
  select p.fact_id, f.type, p.catalog_name, p.schema_name, p.name, null as display_name, f.description, f.tags, f.owner_name as owner, ${DOMAINS},
    ${fieldsOf('catalog_columns', '$8')}
  from (select * from catalog_tables where tenant_id = $1 and absent_since is null
      and (catalog_name, schema_name, name) >= ($2::text, $3::text, $4::text)
      and (catalog_name, schema_name, name) < ($5::text, $6::text, $7::text)
    order by catalog_name, schema_name, name limit ${EXPORT_PAGE}) p
  cross join lateral (select * from facts k where k.tenant_id = p.tenant_id and k.fact_id = p.fact_id limit 1) f
  order by p.catalog_name, p.schema_name, p.name`,
);

export const EXPORTED_DATAMAPS = prepared(
  'export_datamaps',
  `
  select p.fact_id, f.type, null as catalog_name, null as schema_name, p.name, p.display_name, f.description, f.tags, null as owner, ${DOMAINS},
    ${fieldsOf('datamap_fields', '$6')}
  from (select * from datamaps where tenant_id = $1 and fact_id > $2 and fact_id >= $3 and fact_id <= $4
      and ($5::uuid is null or state = 'PUBLISHED' or owner_id = $5 or steward_id = $5)
    order by fact_id limit ${EXPORT_PAGE}) p
  cross join lateral (select * from facts k where k.tenant_id = p.tenant_id and k.fact_id = p.fact_id limit 1) f
  order by p.fact_id`,
);

/** Sorts before every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

interface ExportRow {
  readonly fact_id: string;
  readonly type: FactType;
  readonly catalog_name: string | null;
  readonly schema_name: string | null;
  readonly name: string;
  readonly display_name: string | null;
  readonly description: string | null;
  readonly tags: string[];
  readonly owner: string | null;
  readonly domains: string[];
  readonly domain_names: string[];
  readonly fields: ExportedField[];
}

const factOf = (row: ExportRow): ExportedFact => ({
  factId: row.fact_id,
  type: row.type,
  name:
    row.catalog_name === null || row.schema_name === null
      ? null
      : { catalog: row.catalog_name, schema: row.schema_name, name: row.name },
  displayName: row.display_name,
  description: row.description,
  tags: row.tags,
  owner: row.owner,
  domains: row.domains,
  domainNames: row.domain_names,
  fields: row.fields,
});

export function createMetadataExportStore(database: Database): MetadataExportStore {
  const read = async (tenantId: string, statement: PreparedStatement, values: readonly unknown[]) => {
    const rows = await database.run<ExportRow>({ tenantId, plan: 'in-order' }, statement, [tenantId, ...values]);
    return rows.map(factOf);
  };
  return {
    tables: ({ tenantId, after, within, withAllFields }) => {
      const name = after?.name;
      const { first, end } = tableBounds(within, name ? [name.catalog, name.schema, name.name] : undefined);
      return read(tenantId, EXPORTED_TABLES, [...first, ...end, withAllFields]);
    },
    datamaps: async ({ tenantId, after, idPrefix, withAllFields, visibleTo }) => {
      const bounds = idBounds(idPrefix);
      if (bounds === undefined) return [];
      const values = [after?.factId ?? NO_ID, bounds.first, bounds.last, visibleTo ?? null, withAllFields];
      return read(tenantId, EXPORTED_DATAMAPS, values);
    },
  };
}
