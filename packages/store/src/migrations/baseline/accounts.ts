import { ownTenantWrites, tenantRowsOnly } from '../row-level-security.ts';

/**
 * Tenants, their roles and accounts. Every serving role may read `tenants`: a request names its tenant before its caller is authenticated.
 * The operator can request the removal of a tenant at the API host. The host's role may not remove anything from an audit log, so the
 * owner does. `email_domains` are those that new users must have, as a JSON array in lower case; null: any.
 *
 * A client's secrets are hashes in its row. Details of each secret are in `client_secrets`, under its id, which is derived from its hash.
 * An invitation without a user is for any person who accepts it and then enters an e-mail. An invitation with a user stays after it has
 * expired, because it shows that the user has never logged in.
 */
export const accounts = `
  create table tenants (
    id uuid primary key,
    name text not null unique check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    state text not null default 'active' check (state in ('active', 'suspended')),
    settings jsonb not null default '{}',
    created timestamptz not null default now(),
    removal_requested timestamptz,
    email_domains jsonb
  );

  create table roles (
    tenant_id uuid not null references tenants (id) on delete cascade,
    name text not null,
    permissions text[] not null default '{}',
    version bigint not null default 1,
    updated timestamptz,
    updated_by text,
    primary key (tenant_id, name)
  );
  ${tenantRowsOnly('roles')}${ownTenantWrites('roles')}

  create table users (
    tenant_id uuid not null references tenants (id) on delete cascade,
    id uuid not null,
    email text not null check (email = lower(email)),
    password_hash text,
    disabled boolean not null default false,
    roles text[] not null default '{}',
    created timestamptz not null default now(),
    version bigint not null default 1,
    updated timestamptz,
    updated_by text,
    -- Written by hosts of the version before the baseline, and read by none.
    password_changed timestamptz,
    primary key (tenant_id, id),
    unique (tenant_id, email)
  );
  ${tenantRowsOnly('users')}${ownTenantWrites('users')}

  create table clients (
    tenant_id uuid not null references tenants (id) on delete cascade,
    id uuid not null,
    client_id text not null,
    secret_hashes text[] not null default '{}' check (cardinality(secret_hashes) <= 2),
    disabled boolean not null default false,
    roles text[] not null default '{}',
    created timestamptz not null default now(),
    version bigint not null default 1,
    updated timestamptz,
    updated_by text,
    primary key (tenant_id, id),
    unique (tenant_id, client_id)
  );
  ${tenantRowsOnly('clients')}${ownTenantWrites('clients')}

  create table client_secrets (
    tenant_id uuid not null references tenants (id) on delete cascade,
    account_id uuid not null,
    secret_id text collate "C" not null,
    created timestamptz,
    created_by text,
    last_used timestamptz,
    primary key (tenant_id, account_id, secret_id)
  );
  ${tenantRowsOnly('client_secrets')}${ownTenantWrites('client_secrets')}

  create table invitations (
    tenant_id uuid not null references tenants (id) on delete cascade,
    token_hash bytea not null,
    user_id uuid,
    roles text[] not null default '{}',
    created timestamptz not null default now(),
    created_by text not null,
    expires timestamptz not null,
    primary key (tenant_id, token_hash),
    foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
  );
  create unique index invitations_of_user on invitations (tenant_id, user_id) where user_id is not null;
  ${tenantRowsOnly('invitations')}${ownTenantWrites('invitations')}
`;
