import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * Identity provider of a tenant, links between its users and their identities, and pending logins. A session that was opened through a
 * provider stores the provider's ID token, encrypted, to end the provider's session too. The client secret is encrypted under the master
 * key.
 */
export const singleSignOnStep: SchemaStep = {
  name: '0023-single-sign-on',
  sql: `
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
      updated_by text not null
    );
    ${tenantRowsOnly('identity_providers')}

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
    ${tenantRowsOnly('user_identities')}

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

    alter table sessions add column issuer text, add column identity_sealed bytea;
  `,
};
