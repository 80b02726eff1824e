import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/** Tags are words and are stored where they are used. Domains have ids, so facts and items refer to them. */
export const domainsStep: SchemaStep = {
  name: '0008-domains',
  sql: `
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
  `,
};
