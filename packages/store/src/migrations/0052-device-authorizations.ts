import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * Logins of devices, which the user approves in a browser elsewhere (RFC 8628). `address` is that of the device. `sid` is the session that
 * the device code opened; null: it is not used.
 */
export const deviceAuthorizationsStep: SchemaStep = {
  name: '0052-device-authorizations',
  sql: `
  create table device_authorizations (
    tenant_id uuid not null references tenants (id) on delete cascade,
    device_hash bytea not null,
    user_code_hash bytea not null,
    oauth_client text not null,
    scope text[],
    address text not null,
    created timestamptz not null default now(),
    expires timestamptz not null,
    wait_seconds integer not null,
    last_poll timestamptz,
    decision text check (decision in ('approved', 'denied')),
    account_id uuid,
    approved_in uuid,
    sid uuid,
    primary key (tenant_id, device_hash)
  );
  create unique index device_authorizations_by_user_code on device_authorizations (tenant_id, user_code_hash);
  create index device_authorizations_of_address on device_authorizations (tenant_id, address);
  create index device_authorizations_by_expiry on device_authorizations (expires);
  ${tenantRowsOnly('device_authorizations')}
`,
};
