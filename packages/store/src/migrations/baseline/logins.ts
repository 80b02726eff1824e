import { ownTenantWrites, tenantRowsOnly } from '../row-level-security.ts';

/**
 * Failed logins, and devices that have logged in. `holds` are the attempts in progress, each with the time at which it stops counting, so
 * an attempt that never completes expires.
 */
const loginFailures = `
  create table login_failures (
    tenant_id uuid not null references tenants (id) on delete cascade,
    scope text not null check (scope in ('account', 'address', 'account_at_address', 'device', 'session')),
    key text collate "C" not null,
    failures integer not null,
    last_failure timestamptz,
    blocked_until timestamptz,
    holds timestamptz[] not null default '{}',
    touched timestamptz not null default clock_timestamp(),
    primary key (tenant_id, scope, key)
  );
  create index login_failures_by_age on login_failures (touched);
  ${tenantRowsOnly('login_failures')}

  create table login_devices (
    tenant_id uuid not null references tenants (id) on delete cascade,
    token_hash bytea not null,
    user_id uuid not null,
    last_login timestamptz not null default clock_timestamp(),
    expires timestamptz not null,
    primary key (tenant_id, token_hash),
    foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
  );
  create index login_devices_of_user on login_devices (tenant_id, user_id, last_login);
  create index login_devices_by_expiry on login_devices (expires);
  ${tenantRowsOnly('login_devices')}

  create table login_throttle_key (
    is_only boolean primary key default true check (is_only),
    key bytea not null
  );
  -- 244 random bits. Without the extension pgcrypto, the server has no other function that returns random bytes.
  insert into login_throttle_key (key)
  select sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));
`;

/**
 * Identity provider of a tenant, links between its users and their identities, and pending logins. The client secret is encrypted under
 * the master key. `trust_email` says whether a tenant trusts the provider's e-mails although `email_verified` does not confirm them.
 */
const singleSignOn = `
  create table identity_providers (
    tenant_id uuid primary key references tenants (id) on delete cascade,
    issuer text not null,
    client_id text not null,
    client_secret_sealed bytea,
    scopes text[] not null,
    email_claim text not null,
    groups_claim text,
    role_mappings jsonb not null default '[]',
    create_users boolean not null default false,
    return_to text[] not null default '{}',
    version bigint not null default 1,
    updated timestamptz not null default clock_timestamp(),
    updated_by text not null,
    trust_email boolean not null default false
  );
  ${tenantRowsOnly('identity_providers')}${ownTenantWrites('identity_providers')}

  create table user_identities (
    tenant_id uuid not null references tenants (id) on delete cascade,
    issuer text collate "C" not null,
    subject text collate "C" not null,
    user_id uuid not null,
    linked timestamptz not null default now(),
    primary key (tenant_id, issuer, subject),
    unique (tenant_id, user_id, issuer),
    foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
  );
  ${tenantRowsOnly('user_identities')}${ownTenantWrites('user_identities')}

  create table login_transactions (
    tenant_id uuid not null references tenants (id) on delete cascade,
    state_hash bytea not null,
    cookie_hash bytea not null,
    sealed bytea not null,
    address text not null,
    expires timestamptz not null,
    primary key (tenant_id, state_hash)
  );
  create index login_transactions_of_address on login_transactions (tenant_id, address);
  create index login_transactions_by_expiry on login_transactions (expires);
  ${tenantRowsOnly('login_transactions')}
`;

export const logins = `${loginFailures}${singleSignOn}`;
