import type { SchemaStep } from './migration.ts';

/**
 * Hosts for which tokens of a program are (RFC 8707); null: both. `nonce` is that of an authentication request (OpenID Connect Core section
 * 3.1.2.1).
 */
export const tokenTargetsStep: SchemaStep = {
  name: '0054-token-targets',
  sql: `
  alter table authorization_codes add column targets text[], add column nonce text;
  alter table device_authorizations add column targets text[];
  alter table sessions add column targets text[];
`,
};
