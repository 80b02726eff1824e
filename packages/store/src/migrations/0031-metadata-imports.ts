import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * An imported metadata file. Its objects are stored in batches when the file is received, and a job applies the batches in order. The
 * number of the next batch is committed in the transaction of each batch, so no batch is lost or applied twice. A host works on an import
 * until `held_until` under the number of its attempt.
 *
 * `stalled` counts the attempts since the last applied batch. `permissions` are those that the caller had; the job may use fewer.
 */
export const metadataImportsStep: SchemaStep = {
  name: '0031-metadata-imports',
  sql: `
    create table metadata_imports (
      tenant_id uuid not null references tenants (id) on delete cascade,
      import_id uuid not null,
      state text not null default 'UPLOADING'
        check (state in ('UPLOADING', 'QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED')),
      format text not null,
      is_dry_run boolean not null default false,
      is_tabular boolean not null default true,
      account_kind text not null check (account_kind in ('user', 'client')),
      account_id uuid not null,
      account_name text not null,
      permissions text[] not null,
      address text not null,
      user_agent text,
      requested timestamptz not null default now(),
      received timestamptz not null default now(),
      started timestamptz,
      ended timestamptz,
      attempt integer not null default 0,
      stalled integer not null default 0,
      held_until timestamptz,
      objects integer not null default 0,
      batches integer not null default 0,
      next_batch integer not null default 0,
      processed integer not null default 0,
      succeeded integer not null default 0,
      changed integer not null default 0,
      error jsonb,
      primary key (tenant_id, import_id)
    );
    create index metadata_imports_open on metadata_imports (tenant_id) where state in ('UPLOADING', 'QUEUED', 'RUNNING');
    create index metadata_imports_by_end on metadata_imports (ended) where ended is not null;
    ${tenantRowsOnly('metadata_imports')}

    create table metadata_import_batches (
      tenant_id uuid not null,
      import_id uuid not null,
      number integer not null,
      objects text not null,
      results text,
      primary key (tenant_id, import_id, number),
      foreign key (tenant_id, import_id) references metadata_imports (tenant_id, import_id) on delete cascade
    );
    ${tenantRowsOnly('metadata_import_batches')}
  `,
};
