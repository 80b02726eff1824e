import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * A grant names a role, an e-mail or a client id, as users do. An expired grant stays visible, but grants nothing. The indexes serve the
 * removal of an account, which removes its grants for all items, and the list of an account's grants for admins.
 */
export const marketplaceAccessStep: SchemaStep = {
  name: '0014-marketplace-access',
  sql: `
    create table marketplace_grants (
      tenant_id uuid not null,
      item_id text collate "C" not null,
      subject_kind text not null check (subject_kind in ('role', 'user', 'client')),
      subject text collate "C" not null,
      expires timestamptz,
      granted timestamptz not null default now(),
      granted_by text not null,
      primary key (tenant_id, item_id, subject_kind, subject),
      foreign key (tenant_id, item_id) references marketplace_items (tenant_id, item_id) on delete cascade
    );
    create index marketplace_grants_by_subject on marketplace_grants (tenant_id, subject_kind, subject, item_id);
    ${tenantRowsOnly('marketplace_grants')}

    create table marketplace_requests (
      tenant_id uuid not null,
      request_id uuid not null,
      item_id text collate "C" not null,
      account_kind text not null check (account_kind in ('user', 'client')),
      account_id uuid not null,
      account_name text not null,
      reason text not null,
      state text not null default 'PENDING' check (state in ('PENDING', 'APPROVED', 'REFUSED')),
      created timestamptz not null default now(),
      decided timestamptz,
      decided_by text,
      expires timestamptz,
      note text,
      primary key (tenant_id, request_id),
      foreign key (tenant_id, item_id) references marketplace_items (tenant_id, item_id) on delete cascade
    );
    create unique index marketplace_requests_pending on marketplace_requests (tenant_id, item_id, account_id) where state = 'PENDING';
    ${tenantRowsOnly('marketplace_requests')}
  `,
};
