import { randomUUID } from 'node:crypto';
import type { Tenant } from '@sluice/contract';
import type { TestHosts } from '@sluice/testkit/hosts';

interface ColumnSeed {
  readonly name: string;
  readonly type: string;
  readonly isRequired?: boolean;
  readonly description?: string;
}

interface TableSeed {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
  readonly type: 'TABLE' | 'VIEW';
  readonly description?: string;
  readonly columns: readonly ColumnSeed[];
}

const TABLES: readonly TableSeed[] = [
  {
    catalog: 'demo',
    schema: 'vega',
    name: 'flights',
    type: 'TABLE',
    description: 'Flights of a year',
    columns: [
      { name: 'id', type: 'bigint', isRequired: true, description: 'Number of the flight' },
      { name: 'carrier', type: 'varchar(2)' },
      { name: 'price', type: 'decimal(12,2)' },
      { name: 'departed', type: 'timestamp(3) with time zone' },
      { name: 'tags', type: 'array(varchar)' },
    ],
  },
  { catalog: 'demo', schema: 'vega', name: 'cheap', type: 'VIEW', columns: [{ name: 'id', type: 'bigint' }] },
  {
    catalog: 'shop',
    schema: 'main',
    name: 'items',
    type: 'TABLE',
    columns: [
      { name: 'id', type: 'integer' },
      { name: 'Odd "name', type: 'varchar' },
    ],
  },
];

type Rows = TestHosts['rows'];

/** Writes the catalog of `metadata-statements.sql` as a harvest and users do. */
export async function seedCatalogue({ rows }: Pick<TestHosts, 'rows'>, { id }: Tenant): Promise<void> {
  for (const name of ['demo', 'shop'])
    await rows(
      `insert into catalogs (tenant_id, catalog_id, name, vendor_name, location) values ($1, $2, $3, 'DuckDB', 'localhost')`,
      [id, randomUUID(), name],
    );
  const schemas = [['demo', 'vega'] as const, ['demo', 'empty'] as const, ['shop', 'main'] as const];
  for (const [catalog, name] of schemas)
    await rows('insert into catalog_schemas (tenant_id, catalog_name, name) values ($1, $2, $3)', [id, catalog, name]);
  for (const table of TABLES) await seedTable(rows, id, table);
}

/** Creates a table and returns its id. */
async function seedTable(rows: Rows, tenantId: string, table: TableSeed): Promise<void> {
  const factId = randomUUID();
  const { catalog, schema, name, type, description = null, columns } = table;
  await rows('insert into facts (tenant_id, fact_id, type, description) values ($1, $2, $3, $4)', [
    tenantId,
    factId,
    type,
    description,
  ]);
  await rows(
    'insert into catalog_tables (tenant_id, fact_id, catalog_name, schema_name, name) values ($1, $2, $3, $4, $5)',
    [tenantId, factId, catalog, schema, name],
  );
  for (const [index, column] of columns.entries()) {
    await rows(
      'insert into catalog_columns (tenant_id, fact_id, name, position, type, nullable) values ($1, $2, $3, $4, $5, $6)',
      [tenantId, factId, column.name, index + 1, column.type, column.isRequired !== true],
    );
    if (column.description !== undefined)
      await rows('insert into fact_fields (tenant_id, fact_id, name, description) values ($1, $2, $3, $4)', [
        tenantId,
        factId,
        column.name,
        column.description,
      ]);
  }
}

/** Creates `count` tables with 20 columns each in `wide.main`. */
export async function seedWideCatalog({ rows }: Pick<TestHosts, 'rows'>, { id }: Tenant, count: number): Promise<void> {
  await rows(
    `with c as (insert into catalogs (tenant_id, catalog_id, name, vendor_name, location)
      values ($1, gen_random_uuid(), 'wide', 'DuckDB', 'localhost')),
    s as (insert into catalog_schemas (tenant_id, catalog_name, name) values ($1, 'wide', 'main')),
    made as (insert into facts (tenant_id, fact_id, type) select $1, gen_random_uuid(), 'TABLE' from generate_series(1, $2) returning fact_id),
    tables as (insert into catalog_tables (tenant_id, fact_id, catalog_name, schema_name, name)
      select $1, fact_id, 'wide', 'main', 't' || row_number() over () from made returning fact_id)
    insert into catalog_columns (tenant_id, fact_id, name, position, type)
    select $1, fact_id, 'column_' || n, n, case n % 2 when 0 then 'bigint' else 'varchar' end from tables, generate_series(1, 20) n`,
    [id, count],
  );
}
