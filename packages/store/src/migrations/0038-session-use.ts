import type { SchemaStep } from './migration.ts';

/** Last use of each session, which decides which one a login above the limit ends. Null: used only for its login. */
export const sessionUseStep: SchemaStep = {
  name: '0038-session-use',
  sql: 'alter table sessions add column last_used timestamptz, add column streams_until timestamptz;',
};
