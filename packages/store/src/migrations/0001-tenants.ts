import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/** Every serving role may read `tenants`: a request names its tenant before its caller is authenticated. */
export const tenantsStep: SchemaStep = {
  name: '0001-tenants',
  sql: `
    create table tenants (
      id uuid primary key,
      name text not null unique check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
      state text not null default 'active' check (state in ('active', 'suspended')),
      settings jsonb not null default '{}',
      created timestamptz not null default now()
    );
    create table roles (
      tenant_id uuid not null references tenants (id) on delete cascade,
      name text not null,
      permissions text[] not null default '{}',
      primary key (tenant_id, name)
    );
    ${tenantRowsOnly('roles')}
  `,
};
