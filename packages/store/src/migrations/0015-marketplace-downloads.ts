import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/** Running queries that are downloads of items: they need `marketplace:download`, other queries `query:run`. */
export const marketplaceDownloadsStep: SchemaStep = {
  name: '0015-marketplace-downloads',
  sql: `
    create table marketplace_downloads (
      tenant_id uuid not null references tenants (id) on delete cascade,
      query_id uuid not null,
      item_id text collate "C" not null,
      version bigint not null,
      started timestamptz not null default now(),
      primary key (tenant_id, query_id)
    );
    ${tenantRowsOnly('marketplace_downloads')}
  `,
};
