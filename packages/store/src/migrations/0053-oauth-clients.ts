import type { SchemaStep } from './migration.ts';
import { ownTenantWrites, tenantRowsOnly } from './row-level-security.ts';

/**
 * Programs that the admins of a tenant registered, and what users have consented to. `scopes` limits what a program can get; null: no limit. A
 * public program has no `secret_hash`.
 *
 * The `scope` of a consent contains what the program may ask for without the consent page; null: all that the user has.
 */
export const oauthClientsStep: SchemaStep = {
  name: '0053-oauth-clients',
  sql: `
  create table oauth_clients (
    tenant_id uuid not null references tenants (id) on delete cascade,
    id uuid not null,
    client_id text not null,
    name text not null,
    redirect_uris text[] not null,
    scopes text[],
    home_page text,
    secret_hash bytea,
    version bigint not null default 1,
    created timestamptz not null default now(),
    updated timestamptz,
    updated_by text,
    primary key (tenant_id, id),
    unique (tenant_id, client_id)
  );
  ${tenantRowsOnly('oauth_clients')}${ownTenantWrites('oauth_clients')}

  create table oauth_consents (
    tenant_id uuid not null,
    id uuid not null,
    user_id uuid not null,
    oauth_client text not null,
    scope text[],
    created timestamptz not null default now(),
    updated timestamptz not null default now(),
    primary key (tenant_id, id),
    unique (tenant_id, user_id, oauth_client),
    foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    foreign key (tenant_id, oauth_client) references oauth_clients (tenant_id, client_id) on delete cascade
  );
  ${tenantRowsOnly('oauth_consents')}${ownTenantWrites('oauth_consents')}
`,
};
