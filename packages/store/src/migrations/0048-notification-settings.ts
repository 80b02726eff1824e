import type { SchemaStep } from './migration.ts';
import { ownTenantWrites, tenantRowsOnly } from './row-level-security.ts';

/** Mails that a user wants, and their language. A user without a row gets all of them, in the language of the installation. */
export const notificationSettingsStep: SchemaStep = {
  name: '0048-notification-settings',
  sql: `
  create table notification_settings (
    tenant_id uuid not null,
    user_id uuid not null,
    language text not null check (language in ('en', 'de', 'fr', 'es')),
    access_requests boolean not null,
    access_decisions boolean not null,
    grant_endings boolean not null,
    updated timestamptz not null default now(),
    primary key (tenant_id, user_id),
    foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
  );
  ${tenantRowsOnly('notification_settings')}${ownTenantWrites('notification_settings')}
`,
};
