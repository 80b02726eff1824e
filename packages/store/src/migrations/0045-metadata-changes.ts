import type { SchemaStep } from './migration.ts';
import { ownTenantInserts, tenantRowsOnly } from './row-level-security.ts';

/**
 * Changes of the metadata of tables, views and datamaps, written in the transaction of each change. `version` is that of the fact after it.
 * Rows are added only, and are removed with their object. The audit log has the same changes, but is searched by user, action and time, and
 * keeps them for as long as the tenant keeps its records.
 */
export const metadataChangesStep: SchemaStep = {
  name: '0045-metadata-changes',
  sql: `
  create table fact_changes (
    tenant_id uuid not null,
    fact_id uuid not null,
    version bigint not null,
    changed timestamptz not null default clock_timestamp(),
    changed_by text not null,
    request_id text,
    changes jsonb not null,
    primary key (tenant_id, fact_id, version),
    foreign key (tenant_id, fact_id) references facts (tenant_id, fact_id) on delete cascade
  );
  ${tenantRowsOnly('fact_changes')}${ownTenantInserts('fact_changes')}
`,
};
