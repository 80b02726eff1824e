import {
  formatTableName,
  type MetadataCoverage,
  READS_COUNTED_DAYS,
  type TagUse,
  type UndescribedTable,
} from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';

interface Page {
  readonly from: number;
  readonly size: number;
}

interface TagFilter {
  readonly contains?: string | undefined;
  readonly size: number;
  /** Whether tags of datamaps that are not published count too. */
  readonly seesAllDatamaps: boolean;
}

interface UndescribedFilter extends Page {
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
}

/** Counts over the metadata of one tenant, within one transaction. */
export interface OverviewRepository {
  /** Lists tags in use, most frequent first. */
  tags(filter: TagFilter): Promise<TagUse[]>;
  /** Counts described tables and views of the tenant, and of a page of its schemas. */
  coverage(page: Page): Promise<MetadataCoverage>;
  /** Lists tables and views without a description, most read first. */
  undescribed(filter: UndescribedFilter): Promise<{ total: number; tables: UndescribedTable[] }>;
}

const TAGS = `
  with tagged as (
    select f.fact_id, f.tags from facts f
    left join datamaps d on d.tenant_id = f.tenant_id and d.fact_id = f.fact_id
    where f.tenant_id = $1 and ($4 or f.type <> 'DATAMAP' or d.state = 'PUBLISHED')
  ), spelled as (
    select tag, count(*) as uses from (
      select unnest(tags) as tag from tagged
      union all
      select unnest(x.tags) from fact_fields x join tagged t on t.fact_id = x.fact_id where x.tenant_id = $1
      union all
      select unnest(i.tags) from marketplace_items i where i.tenant_id = $1
    ) each group by tag
  )
  select (array_agg(tag order by uses desc, tag collate "C"))[1] as tag, sum(uses)::integer as count
  from spelled where $2::text is null or strpos(lower(tag), lower($2)) > 0
  group by lower(tag) order by count desc, lower(tag) limit $3`;

/** Whether a table `k` with the fact `f` is described. Pages show the comment of the engine where there is no description. */
const IS_DESCRIBED = `(coalesce(f.description, '') <> '' or coalesce(k.remarks, '') <> '')`;

const TABLES = `
  catalog_tables k join facts f on f.tenant_id = k.tenant_id and f.fact_id = k.fact_id
  where k.tenant_id = $1 and k.absent_since is null`;

/** One row for each schema of the page, and at least one. Each has the counts of the tenant. */
const COVERAGE = `
  with counted as materialized (
    select k.catalog_name, k.schema_name, count(*)::integer as tables, count(*) filter (where ${IS_DESCRIBED})::integer as described
    from ${TABLES} group by k.catalog_name, k.schema_name
  ), total as (
    select count(*)::integer as schemas, coalesce(sum(tables), 0)::integer as tables, coalesce(sum(described), 0)::integer as described
    from counted
  )
  select t.schemas, t.tables as all_tables, t.described as all_described, p.*
  from total t
  left join (select * from counted order by catalog_name, schema_name limit $2 offset $3) p on true
  order by p.catalog_name, p.schema_name`;

/** Part of a name as `formatTableName` writes it. */
const part = (name: string): string =>
  `case when ${name} ~ '^[^[:space:]".]([^".]*[^[:space:]".])?$' then ${name} else '"' || replace(${name}, '"', '""') || '"' end`;

/** Name of a table `k` among those that records of the audit log name: in lower case, and cut as in `audit_read_entries`. */
const READ_NAME = `left(lower((${['k.catalog_name', 'k.schema_name', 'k.name'].map(part).join(" || '.' || ")}) collate "C"), 640)`;

/**
 * One row for each table of the page, and at least one. The reads are counted once by name, and columns only of the tables of the page.
 */
const UNDESCRIBED = `
  with reads as materialized (
    select name, sum(records)::bigint as reads from audit_read_counts
    where tenant_id = $1 and hour >= now() - interval '${READS_COUNTED_DAYS} days' group by name
  ), missing as materialized (
    select k.fact_id, f.type, k.catalog_name, k.schema_name, k.name, greatest(coalesce(r.reads, 0), 0) as reads
    from catalog_tables k
    join facts f on f.tenant_id = k.tenant_id and f.fact_id = k.fact_id
    left join reads r on r.name = ${READ_NAME}
    where k.tenant_id = $1 and k.absent_since is null and not ${IS_DESCRIBED}
      and ($2::text is null or k.catalog_name = $2) and ($3::text is null or k.schema_name = $3)
  ), page as (
    select * from missing order by reads desc, catalog_name, schema_name, name limit $4 offset $5
  )
  select t.total, p.type, p.catalog_name, p.schema_name, p.name, p.reads, c.columns, c.described
  from (select count(*)::integer as total from missing) t
  left join page p on true
  left join lateral (
    select count(*)::integer as columns,
      count(*) filter (where coalesce(m.description, '') <> '' or coalesce(x.remarks, '') <> '')::integer as described
    from catalog_columns x
    left join fact_fields m on m.tenant_id = x.tenant_id and m.fact_id = x.fact_id and m.name = x.name
    where x.tenant_id = $1 and x.fact_id = p.fact_id and x.absent_since is null
  ) c on true
  order by p.reads desc, p.catalog_name, p.schema_name, p.name`;

interface CoverageRow {
  readonly schemas: number;
  readonly all_tables: number;
  readonly all_described: number;
  /** Null: the page has no schema. */
  readonly catalog_name: string | null;
  readonly schema_name: string;
  readonly tables: number;
  readonly described: number;
}

interface UndescribedRow {
  readonly total: number;
  readonly type: UndescribedTable['type'];
  /** Null: the page has no table. */
  readonly catalog_name: string | null;
  readonly schema_name: string;
  readonly name: string;
  readonly reads: string;
  readonly columns: number;
  readonly described: number;
}

export function createOverviewRepository(transaction: Transaction, tenantId: string): OverviewRepository {
  return {
    tags: ({ contains, size, seesAllDatamaps }) =>
      transaction.query<TagUse>(TAGS, [tenantId, contains ?? null, size, seesAllDatamaps]),
    async coverage({ from, size }) {
      const rows = await transaction.query<CoverageRow>(COVERAGE, [tenantId, size, from]);
      const [first] = rows;
      return {
        table_count: first?.all_tables ?? 0,
        described_count: first?.all_described ?? 0,
        total: first?.schemas ?? 0,
        data: rows.flatMap(({ catalog_name: catalog, schema_name: schema, tables, described }) =>
          catalog === null ? [] : [{ catalog, schema, table_count: tables, described_count: described }],
        ),
      };
    },
    async undescribed({ catalog, schema, from, size }) {
      const values = [tenantId, catalog ?? null, schema ?? null, size, from];
      const rows = await transaction.query<UndescribedRow>(UNDESCRIBED, values);
      return { total: rows[0]?.total ?? 0, tables: rows.flatMap(tablesOf) };
    },
  };
}

const tablesOf = (row: UndescribedRow): UndescribedTable[] => {
  const { catalog_name: catalog, schema_name: schema, name, type, reads, columns, described } = row;
  if (catalog === null) return [];
  return [
    {
      ...{ id: formatTableName({ catalog, schema, name }), catalog, schema, name, type },
      read_count: Number(reads),
      column_count: columns,
      described_column_count: described,
    },
  ];
};
