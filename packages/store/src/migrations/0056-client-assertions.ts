import type { SchemaStep } from './migration.ts';
import { ownTenantWrites, tenantRowsOnly } from './row-level-security.ts';

/** Ids of the assertions with which clients signed in (RFC 7523 section 3, `jti`), until they expire: each is accepted once. */
export const clientAssertionsStep: SchemaStep = {
  name: '0056-client-assertions',
  sql: `
  create table client_assertions (
    tenant_id uuid not null references tenants (id) on delete cascade,
    client_id text not null,
    jti_hash bytea not null,
    expires timestamptz not null,
    primary key (tenant_id, client_id, jti_hash)
  );
  create index client_assertions_by_expiry on client_assertions (expires);
  ${tenantRowsOnly('client_assertions')}${ownTenantWrites('client_assertions')}
`,
};
