import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * Failed logins, and devices that have logged in. `holds` are the attempts in progress, each with the time at which it stops counting, so
 * an attempt that never completes expires. `login_throttles` stays for hosts of the previous version, which count in it.
 */
export const loginFailuresStep: SchemaStep = {
  name: '0024-login-failures',
  sql: `
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
  `,
};
