import type { SchemaStep } from './migration.ts';
import { OWN_TENANT, ownTenantInserts, tenantRowsOnly } from './row-level-security.ts';

/**
 * Kept results, whose bytes are in the result store. `WRITING` until the store has all of them; only `KEPT` ones can be read. `REMOVED` ones have
 * lost their key, and their row goes when the store has removed their bytes. `keep_ms` is the time from the end of the query to `expires`; while
 * a result is written, `expires` is not set. A transaction across tenants may only remove results.
 */
export const keptResultsStep: SchemaStep = {
  name: '0060-kept-results',
  sql: `
  create table kept_results (
    tenant_id uuid not null references tenants (id) on delete cascade,
    query_id uuid not null,
    account_kind text not null check (account_kind in ('user', 'client')),
    account_id uuid not null,
    host_id uuid not null,
    state text not null check (state in ('WRITING', 'KEPT', 'REMOVED')),
    keep_ms bigint not null,
    created timestamptz not null default now(),
    expires timestamptz,
    rows bigint not null default 0,
    bytes bigint not null default 0,
    sha256 text,
    wrapped_key bytea,
    primary key (tenant_id, query_id),
    check ((state = 'REMOVED') = (wrapped_key is null)),
    check ((state = 'KEPT') <= (expires is not null and sha256 is not null))
  );
  create index kept_results_by_expiry on kept_results (expires) where state = 'KEPT';
  create index kept_results_unfinished on kept_results (host_id) where state <> 'KEPT';
  ${tenantRowsOnly('kept_results')}${ownTenantInserts('kept_results')}
  create policy removals_across_tenants on kept_results as restrictive for update
    using (true) with check (${OWN_TENANT} or state = 'REMOVED');
`,
};
