import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/** The row of a query is its receipt once `ended` is set. It is kept as long as its audit record. */
export const queriesStep: SchemaStep = {
  name: '0006-queries',
  sql: `
    create table hosts (
      id uuid primary key,
      service text not null,
      started timestamptz not null default now(),
      beat timestamptz not null default now()
    );

    create table queries (
      tenant_id uuid not null references tenants (id) on delete cascade,
      query_id uuid not null,
      account_kind text not null check (account_kind in ('user', 'client')),
      account_id uuid not null,
      user_name text not null,
      session_id uuid,
      host_id uuid not null,
      sql text not null,
      state text not null check (state in ('QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED', 'UNKNOWN')),
      rows bigint not null default 0,
      bytes bigint not null default 0,
      sha256 text,
      limited boolean not null default false,
      started timestamptz not null default now(),
      ended timestamptz,
      error jsonb,
      cancel_requested boolean not null default false,
      audit_id uuid not null,
      primary key (tenant_id, query_id)
    );
    create index queries_open_by_host on queries (host_id) where ended is null;
    create index queries_open_by_account on queries (tenant_id, account_id) where ended is null;
    ${tenantRowsOnly('queries')}
  `,
};
