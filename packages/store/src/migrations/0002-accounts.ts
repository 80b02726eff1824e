import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

export const accountsStep: SchemaStep = {
  name: '0002-accounts',
  sql: `
    create table users (
      tenant_id uuid not null references tenants (id) on delete cascade,
      id uuid not null,
      email text not null check (email = lower(email)),
      password_hash text,
      disabled boolean not null default false,
      roles text[] not null default '{}',
      created timestamptz not null default now(),
      primary key (tenant_id, id),
      unique (tenant_id, email)
    );
    ${tenantRowsOnly('users')}

    create table clients (
      tenant_id uuid not null references tenants (id) on delete cascade,
      id uuid not null,
      client_id text not null,
      secret_hashes text[] not null default '{}' check (cardinality(secret_hashes) <= 2),
      disabled boolean not null default false,
      roles text[] not null default '{}',
      created timestamptz not null default now(),
      primary key (tenant_id, id),
      unique (tenant_id, client_id)
    );
    ${tenantRowsOnly('clients')}
  `,
};
