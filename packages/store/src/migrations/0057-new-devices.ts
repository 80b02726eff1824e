import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * Programs with which a user has logged in: the names in their User-Agent headers, or OAuth clients. Browsers have a cookie instead
 * (`login_devices`). A login with another one is recorded, and a mail tells the user. Those of open sessions are known from the start.
 *
 * These mails have an outbox of their own, with the columns of `outgoing_mails`, because each mail there is about an item.
 */
export const newDevicesStep: SchemaStep = {
  name: '0057-new-devices',
  sql: `
  create table login_programs (
    tenant_id uuid not null references tenants (id) on delete cascade,
    user_id uuid not null,
    program text not null,
    last_login timestamptz not null default clock_timestamp(),
    primary key (tenant_id, user_id, program),
    foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
  );
  create index login_programs_by_age on login_programs (last_login);
  ${tenantRowsOnly('login_programs')}
  insert into login_programs (tenant_id, user_id, program)
  select distinct s.tenant_id, s.account_id,
    coalesce(s.oauth_client, left(substring(s.user_agent from '^(?!Mozilla)[^[:space:]/]+'), 40), 'unknown')
  from sessions s join users u on u.tenant_id = s.tenant_id and u.id = s.account_id
  where s.account_kind = 'user' and coalesce(s.user_agent, '') !~ '^Mozilla/';

  create table device_mails (
    tenant_id uuid not null references tenants (id) on delete cascade,
    mail_id uuid not null,
    user_id uuid not null,
    device text not null,
    address text,
    state text not null default 'WAITING' check (state in ('WAITING', 'SENT', 'GIVEN_UP', 'DROPPED')),
    attempts integer not null default 0,
    next_attempt timestamptz not null default now(),
    created timestamptz not null default now(),
    ended timestamptz,
    primary key (tenant_id, mail_id)
  );
  create index device_mails_due on device_mails (next_attempt) where state = 'WAITING';
  create index device_mails_ended on device_mails (ended) where state <> 'WAITING';
  create index device_mails_of_user on device_mails (tenant_id, user_id, created);
  ${tenantRowsOnly('device_mails')}
  alter table notification_settings add column new_devices boolean not null default true;
`,
};
