import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * A client's secrets stay in its row, where hosts of the previous version look for them. Details of each secret are stored here under its
 * id, which is derived from its hash. An invitation without a user is for any person who accepts it and then enters an e-mail. An
 * invitation with a user stays after it has expired, because it shows that the user has never logged in.
 */
export const administrationStep: SchemaStep = {
  name: '0019-administration',
  sql: `
    alter table users add column version bigint not null default 1, add column updated timestamptz, add column updated_by text;
    alter table users add column password_changed timestamptz;
    alter table clients add column version bigint not null default 1, add column updated timestamptz, add column updated_by text;
    alter table roles add column version bigint not null default 1, add column updated timestamptz, add column updated_by text;
    alter table sessions add column secret_id text;

    create table client_secrets (
      tenant_id uuid not null references tenants (id) on delete cascade,
      account_id uuid not null,
      secret_id text collate "C" not null,
      created timestamptz,
      created_by text,
      last_used timestamptz,
      primary key (tenant_id, account_id, secret_id)
    );
    ${tenantRowsOnly('client_secrets')}

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
    ${tenantRowsOnly('invitations')}
  `,
};
