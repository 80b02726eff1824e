import type { SchemaStep } from './migration.ts';

/** Whether a tenant trusts the e-mails of its identity provider, although `email_verified` does not confirm them. */
export const trustedEmailStep: SchemaStep = {
  name: '0026-trusted-email',
  sql: `alter table identity_providers add column trust_email boolean not null default 'false';`,
};
