import type { SchemaStep } from './migration.ts';

/** By which secret a query without a session was begun; null where a session stands for it, and of hosts of the version before. */
export const querySecretsStep: SchemaStep = {
  name: '0022-query-secrets',
  sql: 'alter table queries add column secret_id text;',
};
