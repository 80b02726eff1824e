import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * Decisions of users about logins of Trino clients. A row begins with the decision: until then, a login is nowhere but in the challenge of
 * a 401. `sid` is the session that the login opened, `poller` the address that got its token, and `replay` that token, which only the holder
 * of the secret can decrypt.
 */
export const externalLoginsStep: SchemaStep = {
  name: '0064-external-logins',
  sql: `
  create table external_logins (
    tenant_id uuid not null references tenants (id) on delete cascade,
    secret_hash bytea not null,
    decision text not null check (decision in ('approved', 'denied')),
    account_id uuid not null,
    approved_in uuid not null,
    expires timestamptz not null,
    sid uuid,
    poller text,
    replay bytea,
    primary key (tenant_id, secret_hash)
  );
  create index external_logins_by_expiry on external_logins (expires);
  ${tenantRowsOnly('external_logins')}
`,
};
