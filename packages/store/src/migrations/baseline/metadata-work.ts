import { tenantRowsOnly } from '../row-level-security.ts';

/** Tags are words and are stored where they are used. Domains have ids, so facts and items refer to them. */
const domains = `
  create table domains (
    tenant_id uuid not null references tenants (id) on delete cascade,
    domain_id uuid not null,
    name text not null,
    name_key text collate "C" not null check (octet_length(name_key) <= 2000),
    description text,
    version bigint not null default 1,
    created timestamptz not null default now(),
    updated timestamptz not null default now(),
    updated_by text not null,
    primary key (tenant_id, domain_id),
    unique (tenant_id, name_key)
  );
  ${tenantRowsOnly('domains')}

  create table fact_domains (
    tenant_id uuid not null,
    fact_id uuid not null,
    domain_id uuid not null,
    position integer not null,
    primary key (tenant_id, fact_id, domain_id),
    foreign key (tenant_id, fact_id) references facts (tenant_id, fact_id) on delete cascade,
    foreign key (tenant_id, domain_id) references domains (tenant_id, domain_id)
  );
  create index fact_domains_by_domain on fact_domains (tenant_id, domain_id);
  ${tenantRowsOnly('fact_domains')}
`;

/** Responses that are repeated for the same `Idempotency-Key`. */
const idempotency = `
  create table idempotency_keys (
    tenant_id uuid not null references tenants (id) on delete cascade,
    account_id uuid not null,
    operation text not null,
    key text collate "C" not null check (octet_length(key) <= 255),
    request_digest bytea not null,
    status integer,
    body text,
    created timestamptz not null default now(),
    primary key (tenant_id, account_id, operation, key)
  );
  create index idempotency_keys_by_age on idempotency_keys (created);
  ${tenantRowsOnly('idempotency_keys')}
`;

/**
 * A harvest run. At most one per tenant is open. The host that works on it holds it until `held_until` under the number of its attempt, and
 * its writes succeed only while both are unchanged. The job queue only notifies hosts to look here.
 */
const harvestRuns = `
  create table harvest_runs (
    tenant_id uuid not null references tenants (id) on delete cascade,
    run_id uuid not null,
    state text not null default 'QUEUED' check (state in ('QUEUED', 'RUNNING', 'FINISHED', 'FAILED')),
    reason text not null check (reason in ('start', 'schedule', 'request')),
    requested_by text,
    requested timestamptz not null default now(),
    started timestamptz,
    ended timestamptz,
    attempt integer not null default 0,
    held_until timestamptz,
    last_catalog text,
    last_schema text,
    last_table text,
    tables_seen bigint not null default 0,
    columns_seen bigint not null default 0,
    tables_changed bigint not null default 0,
    tables_absent bigint not null default 0,
    names_skipped bigint not null default 0,
    error jsonb,
    primary key (tenant_id, run_id)
  );
  create unique index harvest_runs_open on harvest_runs (tenant_id) where state in ('QUEUED', 'RUNNING');
  create index harvest_runs_by_time on harvest_runs (tenant_id, requested desc);
  ${tenantRowsOnly('harvest_runs')}
`;

/**
 * An imported metadata file. Its objects are stored in batches when the file is received, and a job applies the batches in order. The
 * number of the next batch is committed in the transaction of each batch, so no batch is lost or applied twice. A host works on an import
 * until `held_until` under the number of its attempt.
 *
 * `stalled` counts the attempts since the last applied batch. `permissions` are those that the caller had; the job may use fewer.
 */
const metadataImports = `
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
`;

export const metadataWork = `${domains}${idempotency}${harvestRuns}${metadataImports}`;
