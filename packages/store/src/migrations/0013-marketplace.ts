import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * An item refers to its datamaps without a foreign key: an owner may archive and delete a datamap, and the item then cannot be downloaded
 * until it is changed. Counts have separate rows, so that a download does not block a change.
 */
export const marketplaceStep: SchemaStep = {
  name: '0013-marketplace',
  sql: `
    create table marketplace_items (
      tenant_id uuid not null references tenants (id) on delete cascade,
      item_id text collate "C" not null check (octet_length(item_id) between 1 and 100),
      title text not null check (title <> ''),
      description text,
      tags text[] not null default '{}',
      domain_ids text[] not null default '{}',
      owner_kind text not null check (owner_kind in ('user', 'client')),
      owner_id uuid not null,
      owner_name text not null,
      search text not null,
      version bigint not null default 1,
      created timestamptz not null default now(),
      updated timestamptz not null default now(),
      updated_by text not null,
      primary key (tenant_id, item_id)
    );
    create index marketplace_items_by_title on marketplace_items (tenant_id, title collate "C", item_id);
    ${tenantRowsOnly('marketplace_items')}

    create table marketplace_queries (
      tenant_id uuid not null,
      item_id text collate "C" not null,
      position integer not null,
      name text not null,
      datamap_id uuid not null,
      primary key (tenant_id, item_id, position),
      foreign key (tenant_id, item_id) references marketplace_items (tenant_id, item_id) on delete cascade
    );
    create index marketplace_queries_by_datamap on marketplace_queries (tenant_id, datamap_id);
    ${tenantRowsOnly('marketplace_queries')}

    create table marketplace_counts (
      tenant_id uuid not null,
      item_id text collate "C" not null,
      downloads bigint not null default 0,
      last_downloaded timestamptz,
      primary key (tenant_id, item_id),
      foreign key (tenant_id, item_id) references marketplace_items (tenant_id, item_id) on delete cascade
    );
    ${tenantRowsOnly('marketplace_counts')}
  `,
};
