import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * Session and subject at the identity provider (`sid` and `sub` of its ID token), by which it ends sessions here, and the logout tokens that
 * it has sent, so that none works twice. Sessions of logins before this step have no row: the provider cannot end them.
 */
export const providerSessionsStep: SchemaStep = {
  name: '0059-provider-sessions',
  sql: `
  create table provider_sessions (
    tenant_id uuid not null,
    sid uuid not null,
    issuer text not null,
    subject text not null,
    provider_sid text,
    primary key (tenant_id, sid),
    foreign key (tenant_id, sid) references sessions (tenant_id, sid) on delete cascade
  );
  create index provider_sessions_by_subject on provider_sessions (tenant_id, issuer, subject);
  create index provider_sessions_by_sid on provider_sessions (tenant_id, issuer, provider_sid) where provider_sid is not null;
  ${tenantRowsOnly('provider_sessions')}

  create table logout_tokens (
    tenant_id uuid not null references tenants (id) on delete cascade,
    token_hash bytea not null,
    expires timestamptz not null,
    primary key (tenant_id, token_hash)
  );
  create index logout_tokens_by_expiry on logout_tokens (expires);
  ${tenantRowsOnly('logout_tokens')}
`,
};
