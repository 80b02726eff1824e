import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * Programs with which a user has logged in: the names in their User-Agent headers, or OAuth clients. Browsers have a cookie instead
 * (`login_devices`). A login with another one is recorded, and a mail tells the user. Those of open sessions are known from the start.
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

  alter table outgoing_mails alter column item_id drop not null;
  alter table outgoing_mails add column device text, add column address text;
  alter table outgoing_mails drop constraint outgoing_mails_kind_check;
  alter table outgoing_mails add constraint outgoing_mails_kind_check check (
    case when kind = 'NEW_DEVICE' then device is not null
      else kind in ('ACCESS_REQUEST', 'ACCESS_DECISION', 'GRANT_ENDING') and item_id is not null end);
  create index outgoing_mails_of_devices on outgoing_mails (tenant_id, user_id, created) where kind = 'NEW_DEVICE';

  alter table notification_settings add column new_devices boolean not null default true;
`,
};
