import type { SchemaStep } from './migration.ts';

/** Whether `rows` and `bytes` of a closed query are the last that its host told of, so that more may have left. */
export const queryProgressStep: SchemaStep = {
  name: '0025-a-query-progress',
  sql: 'alter table queries add column at_least boolean not null default false;',
};
