import type { SchemaStep } from './migration.ts';

/** Whether `rows` and `bytes` of a closed query are the last progress that its host reported, so that more may have been sent. */
export const queryProgressStep: SchemaStep = {
  name: '0025-a-query-progress',
  sql: 'alter table queries add column at_least boolean not null default false;',
};
