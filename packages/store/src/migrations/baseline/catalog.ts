import { tenantRowsOnly } from '../row-level-security.ts';

/**
 * A fact is anything with descriptive metadata, of any type. Data from the engine is stored in the `catalog_` tables, descriptive metadata
 * in `facts` and `fact_fields`: a harvest and an import never write the same row, and removing a table from the engine removes no metadata.
 * A change of metadata first locks rows of `facts`, in the order of their ids.
 *
 * Names are compared byte by byte, as engines order them, and are short enough for three to share an index entry.
 *
 * `schema_count` and `table_count` are numbers of present schemas and tables, so that a page of the catalog counts nothing. Triggers keep
 * them exact (`catalog-counts.ts`).
 */
export const catalog = `
  create table facts (
    tenant_id uuid not null references tenants (id) on delete cascade,
    fact_id uuid not null,
    type text not null check (type in ('TABLE', 'VIEW', 'DATAMAP')),
    description text,
    tags text[] not null default '{}',
    version bigint not null default 1,
    created timestamptz not null default now(),
    updated timestamptz not null default now(),
    updated_by text,
    primary key (tenant_id, fact_id)
  );
  ${tenantRowsOnly('facts')}

  create table fact_fields (
    tenant_id uuid not null,
    fact_id uuid not null,
    name text collate "C" not null check (octet_length(name) <= 2000),
    description text,
    tags text[] not null default '{}',
    primary key (tenant_id, fact_id, name),
    foreign key (tenant_id, fact_id) references facts (tenant_id, fact_id) on delete cascade
  );
  ${tenantRowsOnly('fact_fields')}

  create table catalogs (
    tenant_id uuid not null references tenants (id) on delete cascade,
    catalog_id uuid not null,
    name text collate "C" not null check (octet_length(name) <= 800),
    vendor_name text not null,
    location text not null,
    harvested timestamptz,
    absent_since timestamptz,
    schema_count integer not null default 0,
    table_count integer not null default 0,
    primary key (tenant_id, catalog_id),
    unique (tenant_id, name)
  );
  ${tenantRowsOnly('catalogs')}

  create table catalog_schemas (
    tenant_id uuid not null,
    catalog_name text collate "C" not null,
    name text collate "C" not null check (octet_length(name) <= 800),
    harvested timestamptz,
    absent_since timestamptz,
    table_count integer not null default 0,
    primary key (tenant_id, catalog_name, name),
    foreign key (tenant_id, catalog_name) references catalogs (tenant_id, name) on delete cascade
  );
  ${tenantRowsOnly('catalog_schemas')}

  create table catalog_tables (
    tenant_id uuid not null,
    fact_id uuid not null,
    catalog_name text collate "C" not null,
    schema_name text collate "C" not null,
    name text collate "C" not null check (octet_length(name) <= 800),
    remarks text,
    columns_digest bytea,
    absent_since timestamptz,
    primary key (tenant_id, fact_id),
    unique (tenant_id, catalog_name, schema_name, name),
    foreign key (tenant_id, fact_id) references facts (tenant_id, fact_id) on delete cascade,
    foreign key (tenant_id, catalog_name, schema_name) references catalog_schemas (tenant_id, catalog_name, name)
      on delete cascade
  );
  ${tenantRowsOnly('catalog_tables')}

  create table catalog_columns (
    tenant_id uuid not null,
    fact_id uuid not null,
    name text collate "C" not null check (octet_length(name) <= 2000),
    position integer not null,
    type text not null,
    nullable boolean not null default true,
    remarks text,
    absent_since timestamptz,
    primary key (tenant_id, fact_id, name),
    foreign key (tenant_id, fact_id) references catalog_tables (tenant_id, fact_id) on delete cascade
  );
  ${tenantRowsOnly('catalog_columns')}
`;
