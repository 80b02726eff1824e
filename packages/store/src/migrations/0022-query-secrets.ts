import type { SchemaStep } from './migration.ts';

/**
 * Secret with which a query without a session was started. Null for a query with a session, and for queries of hosts of the previous
 * version.
 */
export const querySecretsStep: SchemaStep = {
  name: '0022-query-secrets',
  sql: 'alter table queries add column secret_id text;',
};
