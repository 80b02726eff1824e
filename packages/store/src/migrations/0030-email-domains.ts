import type { SchemaStep } from './migration.ts';

/** E-mail domains that new users of a tenant must have, as a JSON array in lower case. Null: any domain. */
export const emailDomainsStep: SchemaStep = {
  name: '0030-email-domains',
  sql: 'alter table tenants add column email_domains jsonb;',
};
